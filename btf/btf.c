// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <linux/btf.h>

#include "btf.h"

/* Since 7.0 kinds have 7 bits and lengths 24; both read 0 there before. */
#define KIND(info)	((info) >> 24 & 0x7f)
#define VLEN(info)	((info) & 0xffffff)
#define NEST_MAX	16	/* nested anonymous members, typedef chains */
#define MEMBERS_MAX	10000	/* members looked at for one name */

#ifndef BTF_KIND_ENUM64
#define BTF_KIND_ENUM64	19
#endif

/* Bytes after a struct btf_type: once, and for each of its elements. */
struct extent {
	uint8_t once, each;
};

static const struct extent known[] = {
	[BTF_KIND_INT] = { 4, 0 },
	[BTF_KIND_PTR] = { 0, 0 },
	[BTF_KIND_ARRAY] = { sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { 0, sizeof(struct btf_enum) },
	[BTF_KIND_FUNC_PROTO] = { 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_DECL_TAG] = { sizeof(struct btf_decl_tag), 0 },
	[BTF_KIND_ENUM64] = { 0, 12 },
};


/* Since 7.0: what comes after the header's known part (struct btf_header). */
struct layout_header {
	uint32_t off, len;
};

/*
 * The whole size of the type at @at, of which at least struct btf_type must lie
 * before @end; 0 where it does not, -1 where the kind is not known.
 */
static int64_t type_size(const struct btf *btf, const char *at, const char *end)
{
	const struct btf_type *type = (const void *)at;
	struct extent extent;
	uint64_t size;
	uint32_t kind;

	if ((size_t)(end - at) < sizeof(*type))
		return 0;
	kind = KIND(type->info);
	if (kind == BTF_KIND_UNKN)
		return 0;
	if (kind <= BTF_KIND_ENUM64) {
		extent = known[kind];
	} else {
		/* btf_layout: info_sz, elem_sz and 16 bits of flags a kind */
		if (kind >= btf->layout_size / 4)
			return -1;
		extent.once = (uint8_t)btf->layout[kind * 4];
		extent.each = (uint8_t)btf->layout[kind * 4 + 1];
	}
	size = sizeof(*type) + extent.once +
		(uint64_t)extent.each * VLEN(type->info);
	if (size > (size_t)(end - at) || size % 4)
		return 0;
	return (int64_t)size;
}

/* 64 bits: no sum of a malformed header's numbers may wrap around. */
static bool section_fits(uint64_t size, uint64_t header, uint64_t off,
			 uint64_t len)
{
	return header + off + len <= size && off % 4 == 0;
}

/* Check every type's extent once, and note where every step-th one lies. */
static int index_types(struct btf *btf)
{
	const char *at = btf->types, *end = at + btf->types_size;
	uint32_t n = 1, i;	/* type 0 is void and is not stored */

	btf->step = 256;
	for (; at < end; n++) {
		int64_t size = type_size(btf, at, end);

		if (size <= 0)
			return size ? -ENOTSUP : -EINVAL;
		if (n % btf->step == 0) {
			if (n / btf->step == BTF_INDEX) {
				/* full: keep every other entry */
				btf->step *= 2;
				for (i = 0; i < BTF_INDEX / 2; i++)
					btf->index[i] = btf->index[i * 2];
			}
			if (n % btf->step == 0)
				btf->index[n / btf->step] =
					(uint32_t)(at - btf->types);
		}
		at += size;
	}
	btf->type_count = n;
	return 0;
}

int btf_open(struct btf *btf, const void *data, size_t size)
{
	const struct btf_header *header = data;
	const char *sections;

	memset(btf, 0, sizeof(*btf));
	if (size < sizeof(uint32_t) * 6 || size > UINT32_MAX ||
	    header->magic != BTF_MAGIC || header->version != BTF_VERSION ||
	    header->hdr_len < sizeof(uint32_t) * 6 || header->hdr_len % 4 ||
	    !section_fits(size, header->hdr_len, header->type_off,
			  header->type_len) ||
	    /* strings have no alignment of their own */
	    !section_fits(size, header->hdr_len, header->str_off & ~3U,
			  (uint64_t)header->str_len + (header->str_off & 3)) ||
	    !header->str_len || !header->type_len)
		return -EINVAL;
	sections = (const char *)data + header->hdr_len;
	btf->types = sections + header->type_off;
	btf->types_size = header->type_len;
	btf->strings = sections + header->str_off;
	btf->strings_size = header->str_len;
	if (btf->strings[0] || btf->strings[btf->strings_size - 1])
		return -EINVAL;
	if (header->hdr_len >= sizeof(uint32_t) * 8) {
		struct layout_header layout;

		memcpy(&layout, (const char *)data + sizeof(uint32_t) * 6,
		       sizeof(layout));
		if (!section_fits(size, header->hdr_len, layout.off,
				  layout.len))
			return -EINVAL;
		btf->layout = sections + layout.off;
		btf->layout_size = layout.len;
	}
	return index_types(btf);
}

static const char *name_at(const struct btf *btf, uint32_t offset)
{
	return offset < btf->strings_size ? btf->strings + offset : "";
}

static const struct btf_type *next_type(const struct btf *btf,
					const struct btf_type *type)
{
	const char *at = (const char *)type;

	return (const void *)(at + type_size(btf, at,
					     btf->types + btf->types_size));
}

/* NULL for void and for an id that there is not. */
static const struct btf_type *type_by_id(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = (const void *)btf->types;
	uint32_t at = 1;

	if (!id || id >= btf->type_count)
		return NULL;
	if (id >= btf->step) {
		at = id - id % btf->step;
		type = (const void *)(btf->types + btf->index[at / btf->step]);
	}
	for (; at < id; at++)
		type = next_type(btf, type);
	return type;
}

static bool is_enum(const struct btf_type *type)
{
	return KIND(type->info) == BTF_KIND_ENUM ||
		KIND(type->info) == BTF_KIND_ENUM64;
}

static bool answers(const struct btf *btf, const struct btf_type *type,
		    const struct btf_query *query)
{
	int64_t value;

	switch (query->what) {
	case BTF_NOTHING:
		break;
	case BTF_STRUCT:
		return KIND(type->info) == BTF_KIND_STRUCT;
	case BTF_ENUM:
		return is_enum(type);
	case BTF_FUNC:
		return KIND(type->info) == BTF_KIND_FUNC;
	case BTF_ENUMERATOR:
		return is_enum(type) &&
			!btf_enumerator(btf, type, query->name, &value);
	}
	return false;
}

void btf_find(const struct btf *btf, struct btf_query *queries, size_t count)
{
	const struct btf_type *type = (const void *)btf->types;
	uint8_t first[256] = { 0 }, next[256];	/* queries + 1 by first byte */
	uint32_t id;
	size_t i;

	for (i = count; i-- > 0;) {
		/* an unnamed enum's enumerators: under the empty name */
		uint8_t head = queries[i].what == BTF_ENUMERATOR ? 0 :
			(uint8_t)queries[i].name[0];

		queries[i].type = NULL;
		next[i] = first[head];
		first[head] = (uint8_t)(i + 1);
	}
	for (id = 1; id < btf->type_count; id++, type = next_type(btf, type)) {
		const char *name;
		uint8_t at;

		if (KIND(type->info) != BTF_KIND_FUNC &&
		    KIND(type->info) != BTF_KIND_STRUCT && !is_enum(type))
			continue;
		name = name_at(btf, type->name_off);
		for (at = first[(uint8_t)*name]; at; at = next[at - 1]) {
			struct btf_query *query = &queries[at - 1];

			if (query->type || (*name && strcmp(name, query->name)))
				continue;
			if (answers(btf, type, query)) {
				query->type = type;
				query->id = id;
			}
		}
	}
}

static int size_of(const struct btf *btf, uint32_t id, uint32_t *size)
{
	uint64_t elements = 1;
	int depth;

	for (depth = 0; depth < NEST_MAX; depth++) {
		const struct btf_type *type = type_by_id(btf, id);
		const struct btf_array *array;
		uint64_t bytes;

		if (!type)
			return -EINVAL;
		switch (KIND(type->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			continue;
		case BTF_KIND_ARRAY:
			array = (const void *)(type + 1);
			elements *= array->nelems;
			if (elements > UINT32_MAX)
				return -EINVAL;
			id = array->type;
			continue;
		case BTF_KIND_PTR:
			bytes = elements * sizeof(uint64_t);
			break;
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
			bytes = elements * type->size;
			break;
		default:
			return -EINVAL;
		}
		if (bytes > UINT32_MAX)
			return -EINVAL;
		*size = (uint32_t)bytes;
		return 0;
	}
	return -EINVAL;
}

/* Looking for a member; a malformed type may nest itself without end. */
struct search {
	const struct btf *btf;
	const char *name;
	uint32_t offset, size;		/* the answer */
	uint32_t budget;		/* members left to look at */
};

static int find_member(struct search *search, const struct btf_type *type,
		       uint32_t base, int depth)
{
	const struct btf_member *member = (const void *)(type + 1);
	uint32_t i, count = VLEN(type->info);

	for (i = 0; i < count; i++, member++) {
		const char *found = name_at(search->btf, member->name_off);
		uint32_t bits = member->offset, bitfield = 0;
		const struct btf_type *nested;
		int err;

		if (!search->budget--)
			return -EINVAL;
		if (type->info >> 31) {		/* kind_flag */
			bitfield = bits >> 24;
			bits &= 0xffffff;
		}
		if (*found) {
			if (strcmp(found, search->name))
				continue;
			if (bitfield) {
				search->offset = base * 8 + bits;
				search->size = bitfield;
				return 1;
			}
			if (bits % 8)
				return -EINVAL;
			search->offset = base + bits / 8;
			return size_of(search->btf, member->type,
				       &search->size);
		}
		nested = type_by_id(search->btf, member->type);
		if (!nested || depth == NEST_MAX ||
		    (KIND(nested->info) != BTF_KIND_STRUCT &&
		     KIND(nested->info) != BTF_KIND_UNION))
			continue;
		err = find_member(search, nested, base + bits / 8, depth + 1);
		if (err != -ENOENT)
			return err;
	}
	return -ENOENT;
}

int btf_member(const struct btf *btf, const struct btf_type *type,
	       const char *name, uint32_t *offset, uint32_t *size)
{
	struct search search = {
		.btf = btf, .name = name, .budget = MEMBERS_MAX,
	};
	int err = find_member(&search, type, 0, 0);

	*offset = search.offset;
	*size = search.size;
	return err;
}

uint32_t btf_size(const struct btf_type *type)
{
	return type->size;
}

const char *btf_enumerator_at(const struct btf *btf,
			      const struct btf_type *type, uint32_t n,
			      int64_t *value)
{
	const uint32_t *words = (const void *)(type + 1);

	if (n >= VLEN(type->info))
		return NULL;
	if (KIND(type->info) == BTF_KIND_ENUM64) {
		words += (size_t)n * 3;
		*value = (int64_t)((uint64_t)words[2] << 32 | words[1]);
	} else {
		words += (size_t)n * 2;
		/* kind_flag tells signedness, but not in older BTF */
		*value = (int32_t)words[1];
	}
	return name_at(btf, words[0]);
}

int btf_enumerator(const struct btf *btf, const struct btf_type *type,
		   const char *name, int64_t *value)
{
	const char *found;
	uint32_t n;

	for (n = 0; (found = btf_enumerator_at(btf, type, n, value)); n++)
		if (!strcmp(found, name))
			return 0;
	return -ENOENT;
}

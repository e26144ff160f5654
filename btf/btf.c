// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "types.h"

#define NEST_MAX	16	/* nested anonymous members, typedef chains */
#define MEMBERS_MAX	10000	/* members looked at for one name */

/*
 * Bytes behind struct btf_type, once and for each element: multiples of 4 where
 * they are known. As struct btf_layout begins, which a BTF has for each kind.
 */
static const uint8_t known[][2] = {
	[BTF_KIND_UNKN] = { 1, 1 },
	[BTF_KIND_INT] = { 4, 0 },
	[BTF_KIND_ARRAY] = { sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { 0, sizeof(struct btf_enum) },
	[BTF_KIND_FUNC_PROTO] = { 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_DECL_TAG] = { sizeof(struct btf_decl_tag), 0 },
	[BTF_KIND_ENUM64] = { 0, 12 },	/* the last; others have nothing */
};

#define KNOWN	(sizeof(known) / sizeof(known[0]))
#define LAYOUT	4	/* bytes of struct btf_layout: with flags */

/* Since 7.0: what comes after the header's known part (struct btf_header). */
struct layout_header {
	uint32_t off, len;
};

/* What each kind takes: as we know it, or as the BTF describes newer ones. */
static void set_extents(struct btf *btf, const char *layout, uint32_t size)
{
	uint32_t kind;

	for (kind = 0; kind < BTF_KINDS; kind++) {
		struct btf_extent *extent = &btf->extents[kind];
		const uint8_t *bytes = known[BTF_KIND_UNKN];

		if (kind < KNOWN)
			bytes = known[kind];
		else if (kind < size / LAYOUT)
			bytes = (const void *)(layout + kind * LAYOUT);
		extent->once = (uint32_t)sizeof(struct btf_type) + bytes[0];
		extent->each = bytes[1];
		if ((bytes[0] | bytes[1]) % 4) {
			extent->once = EXTENT_UNKNOWN;
			extent->each = 0;
		}
	}
}

/* 64 bits: no sum of a malformed header's numbers may wrap around. */
static bool section_fits(uint64_t size, uint64_t header, uint64_t off,
			 uint64_t len)
{
	return header + off + len <= size && off % 4 == 0;
}

int btf_open(struct btf *btf, const void *data, size_t size)
{
	const struct btf_header *header = data;
	struct layout_header layout = { 0, 0 };
	const char *sections;

	btf->unnamed_count = 0;
	btf->index[0] = 0;
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
		memcpy(&layout, (const char *)data + sizeof(uint32_t) * 6,
		       sizeof(layout));
		if (!section_fits(size, header->hdr_len, layout.off,
				  layout.len))
			return -EINVAL;
	}
	set_extents(btf, sections + layout.off, layout.len);
	return btf_index_types(btf);
}

/* The type of an entry of the index, and its id. */
static const struct btf_type *type_by_entry(const struct btf *btf,
					    uint32_t entry, uint32_t *id)
{
	*id = entry ? entry * btf->step : 1;
	return (const void *)(btf->types + btf->index[entry]);
}

/* NULL for void and for an id that there is not. */
static const struct btf_type *type_by_id(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type;
	uint32_t at;

	if (!id || id >= btf->type_count)
		return NULL;
	type = type_by_entry(btf, id / btf->step, &at);
	for (; at < id; at++)
		type = next_type(btf, type);
	return type;
}

/* By halving: the first entry of the index that is not before a name. */
static uint32_t find_entry(const struct btf *btf, const char *name)
{
	uint32_t low = 0, high = (btf->type_count - 1) / btf->step + 1, id;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct btf_type *type = type_by_entry(btf, middle, &id);

		if (strcmp(name_at(btf, type->name_off), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void find_sorted(const struct btf *btf, struct btf_query *query)
{
	uint32_t entry = find_entry(btf, query->name), id;
	const struct btf_type *type = type_by_entry(btf, entry ? entry - 1 : 0,
						    &id);

	for (; id < btf->type_count; id++, type = next_type(btf, type)) {
		int order = strcmp(name_at(btf, type->name_off), query->name);

		if (order > 0 || query->type)
			break;
		if (!order)
			btf_try_answer(type, id, query);
	}
}

/* The unnamed enum that has an enumerator of that name. */
static void find_unnamed(const struct btf *btf, struct btf_query *query)
{
	uint32_t count = btf->unnamed_count, i;
	int64_t value;

	for (i = 0; i < count && i < BTF_UNNAMED && !query->type; i++) {
		const struct btf_type *type =
			(const void *)(btf->types + btf->unnamed[i]);

		if (!btf_enumerator(btf, type, query->name, &value))
			query->type = type;
	}
}

void btf_find(const struct btf *btf, struct btf_query *queries, size_t count)
{
	bool by_name = false;
	size_t i;

	for (i = 0; i < count; i++) {
		queries[i].type = NULL;
		queries[i].id = 0;
		if (queries[i].what == BTF_ENUMERATOR)
			find_unnamed(btf, &queries[i]);
		else if (queries[i].what == BTF_NOTHING)
			continue;
		else if (btf->sorted)
			find_sorted(btf, &queries[i]);
		else
			by_name = true;
	}
	if (by_name)
		btf_find_each(btf, queries, count);
}

/* Return: 0; or -EINVAL, also for what is larger than 4 GiB. */
static int size_of(const struct btf *btf, uint32_t id, uint32_t *size)
{
	uint64_t bytes = 1;	/* or elements, till their size is known */
	int depth;

	for (depth = 0; depth < NEST_MAX && bytes <= UINT32_MAX; depth++) {
		const struct btf_type *type = type_by_id(btf, id);
		const struct btf_array *array;

		switch (type ? KIND(type->info) : BTF_KIND_UNKN) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			continue;
		case BTF_KIND_ARRAY:
			array = (const void *)(type + 1);
			bytes *= array->nelems;
			id = array->type;
			continue;
		case BTF_KIND_PTR:
			bytes *= sizeof(uint64_t);
			break;
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
			bytes *= type->size;
			break;
		default:
			return -EINVAL;
		}
		*size = (uint32_t)bytes;
		return bytes <= UINT32_MAX ? 0 : -EINVAL;
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

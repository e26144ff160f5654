// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What goes through all types, or all enumerators: most of what a BTF costs at a
 * start.
 */
#include <errno.h>
#include <string.h>

#include "types.h"

#define SORTED_MIN	1024	/* types; the kernel has 100 times as many */

/*
 * Note where the @n-th type lies, n being a multiple of the step. Of all types
 * these tell whether they are sorted: by chance that many are not in order.
 */
static void index_type(struct btf *btf, uint32_t n, const char *at,
		       const char **last)
{
	const char *name = name_at(btf, ((const struct btf_type *)
					 (const void *)at)->name_off);
	uint32_t i;

	btf->sorted = btf->sorted && strcmp(*last, name) <= 0;
	*last = name;
	if (n / btf->step == BTF_INDEX) {	/* full: keep every other */
		btf->step *= 2;
		for (i = 0; i < BTF_INDEX / 2; i++)
			btf->index[i] = btf->index[i * 2];
		if (n % btf->step)
			return;
	}
	btf->index[n / btf->step] = (uint32_t)(at - btf->types);
}

static void note_unnamed(struct btf *btf, uint32_t at)
{
	if (btf->unnamed_count < BTF_UNNAMED)
		btf->unnamed[btf->unnamed_count] = at;
	btf->unnamed_count++;
}

/*
 * Pass over at most @count types, of which the last may begin at @last. Return:
 * how many; @at is behind them, and @info the last one's. This loop is what a
 * start takes longest for.
 */
static uint32_t pass_over(struct btf *btf, uint64_t *at, uint64_t last,
			  uint32_t count, uint32_t *info)
{
	const uint32_t enums = 1U << BTF_KIND_ENUM | 1U << BTF_KIND_ENUM64;
	const char *types = btf->types;
	uint32_t left = count;
	uint64_t offset = *at;

	for (; left && offset <= last; left--) {
		const struct btf_type *type = (const void *)(types + offset);
		uint32_t kind;

		*info = type->info;
		kind = KIND(*info);
		/* some other kinds look like one at first */
		if (enums >> kind % 32 & 1 && is_enum(type) && !type->name_off)
			note_unnamed(btf, (uint32_t)offset);
		offset += type_size(btf, *info);
	}
	*at = offset;
	return count - left;
}

int btf_index_types(struct btf *btf)
{
	uint64_t at = 0, size = btf->types_size;
	uint64_t last = size - sizeof(struct btf_type);
	uint32_t n = 1, info = 0;	/* type 0 is void and is not stored */
	const char *name = "";

	btf->sorted = true;
	btf->step = 32;
	while (size >= sizeof(struct btf_type) && at <= last) {
		if (n % btf->step == 0)
			index_type(btf, n, btf->types + at, &name);
		n += pass_over(btf, &at, last, btf->step - n % btf->step,
			       &info);
	}
	btf->type_count = n;
	/* of few types a sample tells nothing */
	btf->sorted = btf->sorted && n >= SORTED_MIN;
	if (at == size)
		return 0;
	return btf->extents[KIND(info)].once == EXTENT_UNKNOWN &&
		KIND(info) != BTF_KIND_UNKN ? -ENOTSUP : -EINVAL;
}

static bool answers(const struct btf_type *type, enum btf_what what)
{
	switch (what) {
	case BTF_STRUCT:
		return KIND(type->info) == BTF_KIND_STRUCT;
	case BTF_ENUM:
		return is_enum(type);
	case BTF_FUNC:
		return KIND(type->info) == BTF_KIND_FUNC;
	default:
		return false;
	}
}

void btf_try_answer(const struct btf_type *type, uint32_t id,
		    struct btf_query *query)
{
	if (!query->type && answers(type, query->what)) {
		query->type = type;
		query->id = id;
	}
}

static uint8_t hash_name(const char *name)
{
	return (uint8_t)(*name ? name[0] * 31 + name[1] : 0);
}

void btf_find_each(const struct btf *btf, struct btf_query *queries,
		   size_t count)
{
	const struct btf_type *type = (const void *)btf->types;
	uint8_t first[256] = { 0 }, next[256];	/* queries + 1, by hash */
	uint32_t id;
	size_t i;

	for (i = count; i-- > 0;) {
		uint8_t hash = hash_name(queries[i].name);

		next[i] = first[hash];
		first[hash] = (uint8_t)(i + 1);
	}
	for (id = 1; id < btf->type_count; id++, type = next_type(btf, type)) {
		const char *name;
		uint8_t at;

		if (KIND(type->info) != BTF_KIND_FUNC &&
		    KIND(type->info) != BTF_KIND_STRUCT && !is_enum(type))
			continue;
		name = name_at(btf, type->name_off);
		for (at = first[hash_name(name)]; at; at = next[at - 1])
			if (!strcmp(name, queries[at - 1].name))
				btf_try_answer(type, id, &queries[at - 1]);
	}
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

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For btf/ alone: how types lie in a BTF, and what goes through all of them. */
#ifndef MEMCGSTAT_TYPES_H
#define MEMCGSTAT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/btf.h>

#include "btf.h"

/* Since 7.0 kinds have 7 bits and lengths 24; both read 0 there before. */
#define KIND(info)	((info) >> 24 & 0x7f)
#define VLEN(info)	((info) & 0xffffff)

#ifndef BTF_KIND_ENUM64
#define BTF_KIND_ENUM64	19
#endif

/* More than any BTF has: of a kind that is not known. */
#define EXTENT_UNKNOWN	(1U << 30)

static inline uint64_t type_size(const struct btf *btf, uint32_t info)
{
	const struct btf_extent *extent = &btf->extents[KIND(info)];

	return extent->once + (uint64_t)extent->each * VLEN(info);
}

static inline const char *name_at(const struct btf *btf, uint32_t offset)
{
	return offset < btf->strings_size ? btf->strings + offset : "";
}

static inline bool is_enum(const struct btf_type *type)
{
	return KIND(type->info) == BTF_KIND_ENUM ||
		KIND(type->info) == BTF_KIND_ENUM64;
}

static inline const struct btf_type *next_type(const struct btf *btf,
					       const struct btf_type *type)
{
	return (const void *)((const char *)type +
			      type_size(btf, type->info));
}

/*
 * btf_index_types - does each type end where the next begins, and the last where
 * all do? Fill in index, sorted and unnamed.
 *
 * Return: as btf_open().
 */
int btf_index_types(struct btf *btf);

/* Let a type answer a query, if it has no answer and this is one. */
void btf_try_answer(const struct btf_type *type, uint32_t id,
		    struct btf_query *query);

/* Answer all queries for names of types, where the types are not sorted. */
void btf_find_each(const struct btf *btf, struct btf_query *queries,
		   size_t count);

#endif

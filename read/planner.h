/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the parts of making a plan share: plan.c plans members of structs, which
 * any walk copies; plan_stat.c the statistics of memory.stat.
 */
#ifndef MEMCGSTAT_PLANNER_H
#define MEMCGSTAT_PLANNER_H

#include <errno.h>

#include "plan.h"

#define HUGETLB_FLAG	"CGRP_ROOT_MEMORY_HUGETLB_ACCOUNTING"
#define WANTS_MAX	192

/* Enums, those of page state first; structs; enumerators of unnamed enums. */
enum { NODE_STAT, MEMCG_STAT, VM_EVENT, MEMORY_EVENT, SUBSYS_ID,
	MEM_CGROUP, PAGE_COUNTER, CGROUP, ROOT_FLAG, VISIBLE, QUERIES };

/* A piece of memory that one column wants. */
struct want {
	uint16_t base, from, size, column;
};

/* What a plan is made from. */
struct planner {
	struct walk_plan *out;
	struct snapshot *snapshot;
	const struct btf *btf;
	const struct selection *selection;
	const struct tables *tables;	/* NULL: kfuncs are asked */
	size_t want_count;
	struct btf_query queries[QUERIES];
	struct want wants[WANTS_MAX];
	/* whose items these are */
	uint16_t item_columns[ITEM_KINDS][WALK_ITEMS];
};

/* Return: what it is worth, which is not below 0; or -ENOENT. */
static inline int64_t planner_enumerator(const struct planner *planner,
					 int query, const char *name)
{
	const struct btf_type *type = planner->queries[query].type;
	int64_t value;

	return type && !btf_enumerator(planner->btf, type, name, &value) ?
		value : -ENOENT;
}

static inline bool planner_member(const struct planner *planner, int query,
				  const char *name, uint32_t *offset,
				  uint32_t *size)
{
	const struct btf_type *type = planner->queries[query].type;

	return type && !btf_member(planner->btf, type, name, offset, size);
}

/* A column for a key, @field or not. Return: its index, or -ENOSPC. */
int planner_add(struct planner *planner, const char *file, const char *key,
		const struct field *field);

/* A column for a field, with a slot. Return: as planner_add(). */
int planner_column(struct planner *planner, const struct field *field,
		   enum slot_kind kind);

/*
 * Have memory copied for a column; its slot's offset follows. Return: 0 or
 * -ENOSPC.
 */
int planner_want(struct planner *planner, int column, enum chunk_base base,
		 uint32_t from, uint32_t size);

/*
 * plan_stat - plan a field that is FROM_STAT, as far as this kernel has it
 * plan_items - after all of these: where what kfuncs answer goes
 * plan_unknown - keys of memory.stat that the kernel's tables have and the list of
 *	fields has not
 *
 * Return: 0 or -ENOSPC.
 */
int plan_stat(struct planner *planner, const struct field *field);
void plan_items(struct planner *planner);
int plan_unknown(struct planner *planner);

#endif

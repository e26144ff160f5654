/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the parts of making a plan share: plan.c plans members of structs, which
 * any walk copies; plan_stat.c the statistics of memory.stat.
 */
#ifndef MEMCGSTAT_PLANNER_H
#define MEMCGSTAT_PLANNER_H

#include "plan.h"

#define HUGETLB_FLAG	"CGRP_ROOT_MEMORY_HUGETLB_ACCOUNTING"
#define WANTS_MAX	192

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
	const struct tables *tables;	/* NULL: kfuncs are asked */
	size_t want_count;
	struct btf_query queries[QUERIES];
	struct want wants[WANTS_MAX];
	/* whose items these are */
	uint16_t state_columns[WALK_ITEMS], event_columns[WALK_ITEMS];
};

static inline bool planner_enumerator(const struct planner *planner, int query,
				      const char *name, int64_t *value)
{
	const struct btf_type *type = planner->queries[query].type;

	return type && !btf_enumerator(planner->btf, type, name, value);
}

static inline bool planner_member(const struct planner *planner, int query,
				  const char *name, uint32_t *offset,
				  uint32_t *size)
{
	const struct btf_type *type = planner->queries[query].type;

	return type && !btf_member(planner->btf, type, name, offset, size);
}

/* A column for a field. Return: its index, or -ENOSPC. */
int planner_column(struct planner *planner, const struct field *field,
		   const struct selection *selection, enum slot_kind kind);

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
int plan_stat(struct planner *planner, const struct field *field,
	      const struct selection *selection);
void plan_items(struct planner *planner);
int plan_unknown(struct planner *planner, const struct selection *selection);

#endif

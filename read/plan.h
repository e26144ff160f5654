/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a walk is to put into each record, worked out from the fields that are
 * asked for and the running kernel's BTF. Pure: it loads nothing.
 */
#ifndef MEMCGSTAT_PLAN_H
#define MEMCGSTAT_PLAN_H

#include "../btf/btf.h"
#include "../prog/record.h"
#include "selection.h"
#include "snapshot.h"
#include "tables.h"

#define PLAN_EVENTS	16

struct walk_plan {
	uint32_t chunk_count;
	/* for the program's constants of such names */
	uint32_t data_length, item_counts[ITEM_KINDS];
	uint32_t subsys_count, subsys_to, css_visible;
	uint32_t memory_id;		/* memory_cgrp_id */
	int flag_column;		/* shown only if the hierarchy has flag */
	uint32_t flag;
	uint8_t flag_kind;		/* of its slot, if shown */
	uint32_t event_key_count;
	struct chunk chunks[WALK_CHUNKS];
	/* nr_subsys_NAME, nr_dying_subsys_NAME: columns plus 1, by id */
	int subsys_columns[2][WALK_SUBSYS];
	int32_t items[ITEM_KINDS][WALK_ITEMS];	/* for the map */
	char subsys_keys[2][WALK_SUBSYS][48];
	/* events that the list of fields does not know */
	char event_keys[PLAN_EVENTS][TABLE_NAME];
};

/*
 * plan_make - fill in a plan, and the snapshot's columns to match
 * @tables: for raw; NULL for kfunc. Must stay: columns that the list
 *	of fields does not know point into it
 *
 * Return: 0, or -ENOSPC where a record or the snapshot cannot hold it all.
 */
int plan_make(struct walk_plan *plan, struct snapshot *snapshot,
	      const struct btf *btf, const struct tables *tables,
	      const struct selection *selection);

/*
 * Show only the columns that this hierarchy has, since a walk has seen which; and
 * prepare.
 */
void plan_show(const struct walk_plan *plan, struct snapshot *snapshot,
	       const struct walk_map *walk);

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../write/format.h"
#include "limit.h"
#include "planner.h"
#include "sort.h"

#define CHUNK_GAP	48	/* bytes not wanted that still join a chunk:
				   a call costs time, a gap a record's memory */
static void find_types(struct planner *planner)
{
	static const struct {
		const char *name;
		enum btf_what what;
	} wanted[QUERIES] = {
		[NODE_STAT] = { "node_stat_item", BTF_ENUM },
		[MEMCG_STAT] = { "memcg_stat_item", BTF_ENUM },
		[VM_EVENT] = { "vm_event_item", BTF_ENUM },
		[MEMORY_EVENT] = { "memcg_memory_event", BTF_ENUM },
		[SUBSYS_ID] = { "cgroup_subsys_id", BTF_ENUM },
		[MEM_CGROUP] = { "mem_cgroup", BTF_STRUCT },
		[PAGE_COUNTER] = { "page_counter", BTF_STRUCT },
		[CGROUP] = { "cgroup", BTF_STRUCT },
		[VISIBLE] = { "CSS_VISIBLE", BTF_ENUMERATOR },
		[ROOT_FLAG] = { HUGETLB_FLAG, BTF_ENUMERATOR },
	};
	size_t i;

	for (i = 0; i < QUERIES; i++) {
		planner->queries[i].name = wanted[i].name;
		planner->queries[i].what = wanted[i].what;
	}
	btf_find(planner->btf, planner->queries, QUERIES);
}

/* Is the configuration there that a field needs? Its other traces tell. */
static bool is_configured(const struct planner *planner, enum field_needs needs)
{
	uint32_t offset, size;
	int64_t value;

	switch (needs) {
	case NEEDS_NOTHING:
		break;
	case NEEDS_ZSWAP:
		return planner_member(planner, MEM_CGROUP, "zswap_max", &offset,
				   &size);
	case NEEDS_SWAP:
		return planner_enumerator(planner, NODE_STAT, "NR_SWAPCACHE",
				       &value);
	case NEEDS_THP:
		return planner_enumerator(planner, VM_EVENT, "THP_FAULT_ALLOC",
				       &value);
	case NEEDS_HUGETLB:
		return planner_enumerator(planner, ROOT_FLAG, HUGETLB_FLAG,
				       &value);
	}
	return true;
}

int planner_column(struct planner *planner, const struct field *field,
		   const struct selection *selection, enum slot_kind kind)
{
	const char *file = field_file(field), *key = field_key(field);
	int column = snapshot_column(planner->snapshot, file, key, field,
				     selection_has(selection, file, key));
	struct slot *slot;

	if (column < 0)
		return column;
	slot = &planner->snapshot->columns[column].slot;
	slot->kind = (uint8_t)kind;
	slot->unit = (uint32_t)planner->snapshot->page_size;
	slot->not_on_root = strcmp(file, "memory.stat") &&
		strcmp(file, "cgroup.stat");	/* CFTYPE_NOT_ON_ROOT */
	return column;
}

int planner_want(struct planner *planner, int column, enum chunk_base base,
		 uint32_t from, uint32_t size)
{
	struct want *want;

	if (planner->want_count == WANTS_MAX || from + size > UINT16_MAX)
		return -ENOSPC;
	want = &planner->wants[planner->want_count++];
	want->base = (uint16_t)base;
	want->from = (uint16_t)from;
	want->size = (uint16_t)size;
	want->column = (uint16_t)column;
	return 0;
}

static int add_want(struct planner *planner, const struct field *field,
		    const struct selection *selection, enum slot_kind kind,
		    enum chunk_base base, uint32_t from, uint32_t size)
{
	int column = planner_column(planner, field, selection, kind);

	return column < 0 ? column :
		planner_want(planner, column, base, from, size);
}

/* A member of struct mem_cgroup, or of one of its page counters. */
static bool find_counter(const struct planner *planner, const char *symbol,
			 uint32_t *offset, uint32_t *size)
{
	const char *dot = strchr(symbol, '.');
	char name[32];
	uint32_t base;

	if (!dot)
		return planner_member(planner, MEM_CGROUP, symbol, offset, size);
	if ((size_t)(dot - symbol) >= sizeof(name))
		return false;
	memcpy(name, symbol, (size_t)(dot - symbol));
	name[dot - symbol] = '\0';
	if (!planner_member(planner, MEM_CGROUP, name, &base, size) ||
	    !planner_member(planner, PAGE_COUNTER, dot + 1, offset, size))
		return false;
	*offset += base;
	return true;
}

static int plan_field(struct planner *planner, const struct field *field,
		      const struct selection *selection)
{
	const char *array = field->from == FROM_EVENT ? "memory_events" :
		"memory_events_local";
	const char *symbol = field_symbol(field);
	uint32_t offset, size;
	int64_t value;

	/* the kernel's own tables tell; else the traces of its configuration */
	if (planner->tables ?
	    !tables_has_file(planner->tables, field_file(field)) :
	    !is_configured(planner, field->needs))
		return 0;
	switch (field->from) {
	case FROM_STAT:
		return plan_stat(planner, field, selection);
	case FROM_EVENT:
	case FROM_EVENT_LOCAL:
		if (!planner_enumerator(planner, MEMORY_EVENT, symbol,
					&value) ||
		    !planner_member(planner, MEM_CGROUP, array, &offset, &size) ||
		    value < 0 || (uint64_t)value >= size / 8)
			return 0;
		return add_want(planner, field, selection, SLOT_VALUE,
				CHUNK_MEMCG, offset + (uint32_t)value * 8, 8);
	case FROM_PAGES:
	case FROM_LIMIT:
		if (!find_counter(planner, symbol, &offset, &size) ||
		    size != 8)
			return 0;
		return add_want(planner, field, selection,
				field->from == FROM_PAGES ? SLOT_STATE :
				SLOT_LIMIT, CHUNK_MEMCG, offset, size);
	case FROM_BOOL:
		if (!find_counter(planner, symbol, &offset, &size) ||
		    size != 1)
			return 0;
		return add_want(planner, field, selection, SLOT_BYTE,
				CHUNK_MEMCG, offset, size);
	case FROM_CGROUP:
		if (!planner_member(planner, CGROUP, symbol, &offset, &size) ||
		    size != 4)
			return 0;
		return add_want(planner, field, selection, SLOT_INT,
				CHUNK_CGROUP, offset, size);
	}
	return 0;
}

static int compare_wants(const void *a, const void *b)
{
	const struct want *x = a, *y = b;

	if (x->base != y->base)
		return x->base - y->base;
	return x->from - y->from;
}

/*
 * Number the columns anew: those that are copied come first, in the order in
 * which their values will lie, so that these can be picked out many at a time
 * (struct run). What the list of fields does not know stays in order: that of
 * the columns is all that tells how it is printed (snapshot_sort()).
 */
static void order_columns(struct planner *planner)
{
	struct snapshot *snapshot = planner->snapshot;
	struct walk_plan *out = planner->out;
	struct column old[COLUMNS_MAX];
	uint16_t moved[COLUMNS_MAX], next = 0;	/* the new number plus 1 */
	size_t i;
	int n;

	memcpy(old, snapshot->columns, snapshot->column_count * sizeof(old[0]));
	memset(moved, 0, sizeof(moved));
	for (i = 0; i < planner->want_count; i++) {
		uint16_t column = planner->wants[i].column;

		if (!moved[column] && old[column].field)
			moved[column] = ++next;
	}
	for (i = 0; i < snapshot->column_count; i++) {
		if (!moved[i])
			moved[i] = ++next;
		snapshot->columns[moved[i] - 1] = old[i];
	}
	for (i = 0; i < planner->want_count; i++)
		planner->wants[i].column =
			(uint16_t)(moved[planner->wants[i].column] - 1);
	if (out->flag_column >= 0)
		out->flag_column = moved[out->flag_column] - 1;
	for (n = 0; n < 2; n++)
		for (i = 0; i < WALK_SUBSYS; i++)
			if (out->subsys_columns[n][i])
				out->subsys_columns[n][i] =
					moved[out->subsys_columns[n][i] - 1];
}

/* Join what lies near each other: each chunk is one call in the kernel. */
static int plan_chunks(struct planner *planner)
{
	struct chunk *chunks = planner->out->chunks, *chunk = NULL;
	uint32_t to = planner->out->data_length;
	size_t i;

	sort_items(planner->wants, planner->want_count,
		   sizeof(planner->wants[0]), compare_wants);
	order_columns(planner);
	for (i = 0; i < planner->want_count; i++) {
		const struct want *want = &planner->wants[i];
		uint32_t end = (uint32_t)want->from + want->size;

		if (!chunk || chunk->base != want->base ||
		    want->from > chunk->from + chunk->size + CHUNK_GAP ||
		    end - chunk->from > WALK_CHUNK_MAX) {
			if (planner->out->chunk_count == WALK_CHUNKS)
				return -ENOSPC;
			if (chunk)
				to += chunk->size;
			chunk = &chunks[planner->out->chunk_count++];
			chunk->base = want->base;
			chunk->from = want->from;
			chunk->to = (uint16_t)to;
			chunk->size = 0;
		}
		if (end - chunk->from > chunk->size)
			chunk->size = (uint16_t)(end - chunk->from);
		planner->snapshot->columns[want->column].slot.offset =
			(uint16_t)(chunk->to + want->from - chunk->from);
	}
	if (chunk)
		to += chunk->size;
	planner->out->data_length = (to + 3) & ~3U;
	return 0;
}

/*
 * A column for one subsystem's nr_subsys_NAME or, @dying, nr_dying_subsys_NAME,
 * whose numbers lie at offset @from in struct cgroup. Return: 0 or -errno.
 */
static int add_subsys(struct planner *planner,
		      const struct selection *selection, int id, bool dying,
		      uint32_t from)
{
	static const char suffix[] = "_cgrp_id";
	struct walk_plan *out = planner->out;
	char *key = out->subsys_keys[dying][id];
	int64_t value;
	const char *name = btf_enumerator_at(planner->btf,
					     planner->queries[SUBSYS_ID].type,
					     (uint32_t)id, &value);
	size_t length = name ? strlen(name) : 0;
	struct slot *slot;
	int column;

	if (length < sizeof(suffix) || value != id)
		return 0;
	format_text(key, sizeof(out->subsys_keys[dying][id]), "nr_%ssubsys_%.*s",
		    dying ? "dying_" : "", (int)(length - sizeof(suffix) + 1),
		    name);
	if (!selection_wants(selection, "cgroup.stat", key))
		return 0;
	column = snapshot_column(planner->snapshot, "cgroup.stat", key, NULL,
				 selection_has(selection, "cgroup.stat", key));
	if (column < 0)
		return column;
	out->subsys_columns[dying][id] = column + 1;
	slot = &planner->snapshot->columns[column].slot;
	slot->kind = SLOT_INT;
	slot->offset = (uint16_t)(out->subsys_to + (uint32_t)id * 4);
	return dying ? planner_want(planner, column, CHUNK_CGROUP,
				    from + (uint32_t)id * 4, 4) : 0;
}

/* cgroup.stat's keys that name subsystems, since 6.14. */
static int plan_subsys(struct planner *planner,
		       const struct selection *selection)
{
	const struct btf_type *ids = planner->queries[SUBSYS_ID].type;
	struct walk_plan *out = planner->out;
	uint32_t size, dying;
	int64_t count;
	int id, err;

	if (!ids || btf_enumerator(planner->btf, ids, "CGROUP_SUBSYS_COUNT",
				   &count) || count <= 0 || count > WALK_SUBSYS ||
	    !selection_needs_file(selection, "cgroup.stat") ||
	    !planner_member(planner, CGROUP, "nr_dying_subsys", &dying, &size))
		return 0;
	out->subsys_to = out->data_length;
	out->subsys_count = (uint32_t)count;
	out->data_length += out->subsys_count * 4;
	for (id = 0; id < count * 2; id++) {
		bool is_dying = id >= count;

		err = add_subsys(planner, selection,
				 (int)(is_dying ? id - count : id), is_dying,
				 dying);
		if (err)
			return err;
	}
	return 0;
}

static int make_plan(struct planner *planner,
		     const struct selection *selection)
{
	struct walk_plan *out = planner->out;
	struct snapshot *snapshot = planner->snapshot;
	size_t i;
	int err;

	for (i = 0; i < field_count; i++) {
		if (!(fields[i].version & FIELD_V2) ||
		    !selection_needs(selection, field_file(&fields[i]),
				     field_key(&fields[i])))
			continue;
		err = plan_field(planner, &fields[i], selection);
		if (err < 0)
			return err;
	}
	plan_items(planner);
	err = plan_subsys(planner, selection);
	if (!err && planner->tables)
		err = plan_unknown(planner, selection);
	if (!err)
		err = plan_chunks(planner);
	if (err)
		return err;
	err = limit_column(snapshot, selection, FIELD_V2, out->data_length);
	if (err < 0)
		return err;
	if (err)
		out->data_length += sizeof(uint64_t);
	if (out->data_length > WALK_DATA_MAX)
		return -ENOSPC;
	err = snapshot_derive(snapshot, selection, FROM_SUM, FIELD_V2);
	if (!err)
		err = snapshot_derive(snapshot, selection, FROM_DIFFERENCE,
				      FIELD_V2);
	snapshot_sort(snapshot);
	return err;
}

int plan_make(struct walk_plan *plan, struct snapshot *snapshot,
	      const struct btf *btf, const struct tables *tables,
	      const struct selection *selection)
{
	struct planner planner = {
		.out = plan, .snapshot = snapshot, .btf = btf,
		.tables = tables,
	};
	int64_t id, visible;

	memset(plan, 0, sizeof(*plan));
	plan->flag_column = -1;
	find_types(&planner);
	if (planner_enumerator(&planner, SUBSYS_ID, "memory_cgrp_id", &id))
		plan->memory_id = (uint32_t)id;
	if (planner_enumerator(&planner, VISIBLE, "CSS_VISIBLE", &visible))
		plan->css_visible = (uint32_t)visible;
	return make_plan(&planner, selection);
}

static bool show(struct column *column, uint8_t kind)
{
	bool changed = column->slot.kind != kind;

	column->slot.kind = kind;
	return changed;
}

void plan_show(const struct walk_plan *plan, struct snapshot *snapshot,
	       const struct walk_map *walk)
{
	struct column *columns = snapshot->columns;
	bool changed = false;
	int n, i;

	if (plan->flag_column >= 0)
		changed = show(&columns[plan->flag_column],
			       walk->hierarchy_flags & plan->flag ?
			       plan->flag_kind : SLOT_NONE);
	for (n = 0; n < 2; n++)
		for (i = 0; i < WALK_SUBSYS; i++)
			if (plan->subsys_columns[n][i])
				changed |= show(&columns[plan->subsys_columns
							 [n][i] - 1],
						walk->subsys_mask & 1U << i ?
						SLOT_INT : SLOT_NONE);
	if (changed)	/* mostly it is the first walk that tells */
		snapshot_prepare(snapshot);
}

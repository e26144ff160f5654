// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../text.h"
#include "../write/format.h"
#include "limit.h"
#include "planner.h"
#include "sort.h"

#define CHUNK_GAP	48	/* bytes not wanted that still join a chunk:
				   a call costs time, a gap a record's memory */
static void find_types(struct planner *planner)
{
	static const char *const names[QUERIES] = {
		[NODE_STAT] = "node_stat_item",
		[MEMCG_STAT] = "memcg_stat_item",
		[VM_EVENT] = "vm_event_item",
		[MEMORY_EVENT] = "memcg_memory_event",
		[SUBSYS_ID] = "cgroup_subsys_id",
		[MEM_CGROUP] = "mem_cgroup",
		[PAGE_COUNTER] = "page_counter",
		[CGROUP] = "cgroup",
		[ROOT_FLAG] = HUGETLB_FLAG,
		[VISIBLE] = "CSS_VISIBLE",
	};
	int i;

	for (i = 0; i < QUERIES; i++) {
		planner->queries[i].name = names[i];
		planner->queries[i].what = i < MEM_CGROUP ? BTF_ENUM :
			i < ROOT_FLAG ? BTF_STRUCT : BTF_ENUMERATOR;
	}
	btf_find(planner->btf, planner->queries, QUERIES);
}

/* Is the configuration there that a field needs? Its other traces tell. */
static bool is_configured(const struct planner *planner, enum field_needs needs)
{
	const char *name = HUGETLB_FLAG;
	int query = ROOT_FLAG;
	uint32_t offset, size;

	switch (needs) {
	case NEEDS_NOTHING:
		return true;
	case NEEDS_ZSWAP:
		return planner_member(planner, MEM_CGROUP, "zswap_max", &offset,
				      &size);
	case NEEDS_SWAP:
		query = NODE_STAT;
		name = "NR_SWAPCACHE";
		break;
	case NEEDS_THP:
		query = VM_EVENT;
		name = "THP_FAULT_ALLOC";
		break;
	case NEEDS_HUGETLB:
		break;
	}
	return planner_enumerator(planner, query, name) >= 0;
}

int planner_add(struct planner *planner, const char *file, const char *key,
		const struct field *field)
{
	return snapshot_column(planner->snapshot, file, key, field,
			       selection_has(planner->selection, file, key));
}

int planner_column(struct planner *planner, const struct field *field,
		   enum slot_kind kind)
{
	const char *file = field_file(field);
	int column = planner_add(planner, file, field_key(field), field);
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

/* A member of struct mem_cgroup, or of one of its page counters. */
static bool find_counter(const struct planner *planner, const char *symbol,
			 uint32_t *offset, uint32_t *size)
{
	const char *dot = symbol + text_until(symbol, ".");
	char name[32];
	uint32_t base;

	if (!*dot)
		return planner_member(planner, MEM_CGROUP, symbol, offset, size);
	format_text(name, sizeof(name), "%.*s", (int)(dot - symbol), symbol);
	if (!planner_member(planner, MEM_CGROUP, name, &base, size) ||
	    !planner_member(planner, PAGE_COUNTER, dot + 1, offset, size))
		return false;
	*offset += base;
	return true;
}

/* A field that is a member of a struct. */
static int plan_member(struct planner *planner, const struct field *field)
{
	static const struct {
		uint8_t size, slot;
	} kinds[] = {
		[FROM_EVENT] = { 8, SLOT_VALUE },
		[FROM_EVENT_LOCAL] = { 8, SLOT_VALUE },
		[FROM_PAGES] = { 8, SLOT_STATE },
		[FROM_LIMIT] = { 8, SLOT_LIMIT },
		[FROM_BOOL] = { 1, SLOT_BYTE },
		[FROM_CGROUP] = { 4, SLOT_INT },
	};
	enum chunk_base base = CHUNK_MEMCG;
	const char *symbol = field_symbol(field);
	uint32_t offset = 0, size;
	int64_t event;
	bool found;
	int column;

	if (field->from <= FROM_EVENT_LOCAL) {
		event = planner_enumerator(planner, MEMORY_EVENT, symbol);
		found = planner_member(planner, MEM_CGROUP,
				       field->from == FROM_EVENT ?
				       "memory_events" : "memory_events_local",
				       &offset, &size) &&
			(uint64_t)event < size / 8;
		offset += (uint32_t)event * 8;
		size = 8;
	} else if (field->from == FROM_CGROUP) {
		base = CHUNK_CGROUP;
		found = planner_member(planner, CGROUP, symbol, &offset, &size);
	} else {
		found = find_counter(planner, symbol, &offset, &size);
	}
	if (!found || size != kinds[field->from].size)
		return 0;
	column = planner_column(planner, field, kinds[field->from].slot);
	return column < 0 ? column :
		planner_want(planner, column, base, offset, size);
}

static int plan_field(struct planner *planner, const struct field *field)
{
	/* the kernel's own tables tell; else the traces of its configuration */
	if (planner->tables ?
	    !tables_has_file(planner->tables, field_file(field)) :
	    !is_configured(planner, field->needs))
		return 0;
	if (field->from == FROM_STAT)
		return plan_stat(planner, field);
	return field->from == FROM_FILE || field->from >= FROM_SUM ? 0 :
		plan_member(planner, field);
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
	/* too large for a stack, as is the planner */
	static struct column old[COLUMNS_MAX];
	static uint16_t moved[COLUMNS_MAX];	/* the new number plus 1 */
	uint16_t next = 0;
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
static int add_subsys(struct planner *planner, int id, bool dying,
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
	if (!selection_wants(planner->selection, "cgroup.stat", key))
		return 0;
	column = planner_add(planner, "cgroup.stat", key, NULL);
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
static int plan_subsys(struct planner *planner)
{
	struct walk_plan *out = planner->out;
	uint32_t size, dying;
	int64_t count = planner_enumerator(planner, SUBSYS_ID,
					   "CGROUP_SUBSYS_COUNT");
	int id, err;

	if (count <= 0 || count > WALK_SUBSYS ||
	    !selection_needs_file(planner->selection, "cgroup.stat") ||
	    !planner_member(planner, CGROUP, "nr_dying_subsys", &dying, &size))
		return 0;
	out->subsys_to = out->data_length;
	out->subsys_count = (uint32_t)count;
	out->data_length += out->subsys_count * 4;
	for (id = 0; id < count * 2; id++) {
		bool is_dying = id >= count;

		err = add_subsys(planner, (int)(is_dying ? id - count : id),
				 is_dying, dying);
		if (err)
			return err;
	}
	return 0;
}

static int make_plan(struct planner *planner)
{
	const struct selection *selection = planner->selection;
	struct walk_plan *out = planner->out;
	struct snapshot *snapshot = planner->snapshot;
	size_t i;
	int err;

	for (i = 0; i < field_count; i++) {
		if (!(fields[i].version & FIELD_V2) ||
		    !selection_needs(selection, field_file(&fields[i]),
				     field_key(&fields[i])))
			continue;
		err = plan_field(planner, &fields[i]);
		if (err < 0)
			return err;
	}
	plan_items(planner);
	err = plan_subsys(planner);
	if (!err && planner->tables)
		err = plan_unknown(planner);
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
	static struct planner planner;
	int64_t id, visible;

	memset(&planner, 0, sizeof(planner));
	planner.out = plan;
	planner.snapshot = snapshot;
	planner.btf = btf;
	planner.tables = tables;
	planner.selection = selection;
	memset(plan, 0, sizeof(*plan));
	plan->flag_column = -1;
	find_types(&planner);
	id = planner_enumerator(&planner, SUBSYS_ID, "memory_cgrp_id");
	plan->memory_id = id < 0 ? 0 : (uint32_t)id;
	visible = planner_enumerator(&planner, VISIBLE, "CSS_VISIBLE");
	plan->css_visible = visible < 0 ? 0 : (uint32_t)visible;
	return make_plan(&planner);
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

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../write/format.h"
#include "planner.h"

static const char file[] = "memory.stat";

/* Only if the hierarchy has the flag is this field's column shown. */
static void note_flag(struct planner *planner, const struct field *field,
		      int column)
{
	int64_t value;

	if (field->needs == NEEDS_HUGETLB &&
	    planner_enumerator(planner, ROOT_FLAG, HUGETLB_FLAG, &value)) {
		planner->out->flag_column = column;
		planner->out->flag_kind =
			planner->snapshot->columns[column].slot.kind;
		planner->out->flag = (uint32_t)value;
	}
}

/* An item that a kfunc is asked for. */
static int plan_item(struct planner *planner, const struct field *field,
		     const struct selection *selection, bool state,
		     int64_t item)
{
	struct walk_plan *out = planner->out;
	int column;

	if ((state ? out->state_count : out->event_count) == WALK_ITEMS)
		return -ENOSPC;
	column = planner_column(planner, field, selection, SLOT_VALUE);
	if (column < 0)
		return column;
	if (state) {
		planner->state_columns[out->state_count] = (uint16_t)column;
		out->states[out->state_count++] = (int32_t)item;
	} else {
		planner->event_columns[out->event_count] = (uint16_t)column;
		out->events[out->event_count++] = (int32_t)item;
	}
	note_flag(planner, field, column);
	return 0;
}

void plan_items(struct planner *planner)
{
	struct column *columns = planner->snapshot->columns;
	struct walk_plan *out = planner->out;
	uint32_t i;

	for (i = 0; i < out->state_count; i++)
		columns[planner->state_columns[i]].slot.offset =
			(uint16_t)(i * 8);
	for (i = 0; i < out->event_count; i++)
		columns[planner->event_columns[i]].slot.offset =
			(uint16_t)((out->state_count + i) * 8);
	out->data_length = (out->state_count + out->event_count) * 8;
}

/* The enumerator of that value in either enum of page state. */
static const char *state_name(const struct planner *planner, int64_t item)
{
	/* the second begins where the first ends, NR_VM_NODE_STAT_ITEMS */
	static const int enums[] = { MEMCG_STAT, NODE_STAT };
	const char *name;
	int64_t value;
	uint32_t i, n;

	for (i = 0; i < 2; i++) {
		const struct btf_type *type = planner->queries[enums[i]].type;

		for (n = 0; type && (name = btf_enumerator_at(planner->btf,
						type, n, &value)); n++)
			if (value == item)
				return name;
	}
	return "";
}

/*
 * Bytes that one of an item of page state is worth in memory.stat:
 * memcg_page_state_unit() and memcg_page_state_output_unit(), by the suffix
 * that the kernel's names have. What is no amount of memory counts events.
 */
static uint32_t state_unit(const struct planner *planner, int64_t item)
{
	const char *name = state_name(planner, item);
	size_t length = strlen(name);

	if (strncmp(name, "NR_", 3) && strncmp(name, "MEMCG_", 6))
		return 1;
	if (length > 2 && !strcmp(name + length - 2, "_B"))
		return 1;
	if (length > 3 && !strcmp(name + length - 3, "_KB"))
		return 1024;
	return (uint32_t)planner->snapshot->page_size;
}

/* The item's place in struct memcg_vmstats, or SLOT_MISSING. */
static uint8_t place_of(const struct tables *tables, bool state, int64_t item)
{
	if (item < 0 || item >= TABLE_ITEMS)
		return SLOT_MISSING;
	return state ? tables->state_slots[item] : tables->event_slots[item];
}

/* Have a column's value copied from struct memcg_vmstats. */
static int want_item(struct planner *planner, int column, bool state,
		     int64_t item)
{
	const struct tables *tables = planner->tables;
	struct slot *slot = &planner->snapshot->columns[column].slot;

	slot->kind = SLOT_STATE;
	slot->unit = state ? state_unit(planner, item) : 1;
	return planner_want(planner, column, CHUNK_VMSTATS, (state ?
			    tables->state_offset : tables->event_offset) +
			    place_of(tables, state, item) * 8U, 8);
}

static int plan_slot(struct planner *planner, const struct field *field,
		     const struct selection *selection, bool state,
		     int64_t item)
{
	int column;

	if (place_of(planner->tables, state, item) == SLOT_MISSING)
		return 0;
	column = planner_column(planner, field, selection, SLOT_STATE);
	if (column < 0)
		return column;
	if (want_item(planner, column, state, item))
		return -ENOSPC;
	note_flag(planner, field, column);
	return 0;
}

/*
 * Find an item by the names that it has had, in whichever enum has it: pgscan
 * and its kin moved from one to another in 7.1.
 */
static bool find_item(const struct planner *planner, const char *symbol,
		      bool *state, int64_t *item)
{
	char name[64];
	size_t length, i;

	for (; *symbol; symbol += length + (symbol[length] == ' ')) {
		length = strcspn(symbol, " ");
		format_text(name, sizeof(name), "%.*s", (int)length, symbol);
		for (i = 0; name[i]; i++)
			if (name[i] >= 'a' && name[i] <= 'z')
				name[i] = (char)(name[i] - 'a' + 'A');
		*state = planner_enumerator(planner, NODE_STAT, name, item) ||
			planner_enumerator(planner, MEMCG_STAT, name, item);
		if (*state ||
		    planner_enumerator(planner, VM_EVENT, name, item))
			return true;
	}
	return false;
}

int plan_stat(struct planner *planner, const struct field *field,
	      const struct selection *selection)
{
	const struct tables *tables = planner->tables;
	bool state = true;
	int64_t item = -ENOENT;

	/* memory.stat's own table tells what a key is */
	if (tables && field_key(field))
		item = tables_stat_item(tables, field_name(field));
	if (item < 0) {
		if (!find_item(planner, field_symbol(field), &state, &item))
			return 0;
		if (tables && field_key(field) && state)
			return 0;	/* counted, but not shown */
	}
	return tables ? plan_slot(planner, field, selection, state, item) :
		plan_item(planner, field, selection, state, item);
}

static int add_unknown(struct planner *planner,
		       const struct selection *selection, const char *key,
		       bool state, int64_t item)
{
	int column = snapshot_column(planner->snapshot, file, key, NULL,
				     selection_has(selection, file, key));

	return column < 0 ? column : want_item(planner, column, state, item);
}

static int plan_unknown_states(struct planner *planner,
			       const struct selection *selection)
{
	const struct tables *tables = planner->tables;
	uint32_t i;

	for (i = 0; i < tables->stat_count; i++) {
		const char *key = tables->stats[i].name;
		const struct field *field = field_find(file, key, strlen(key));

		/* v1 has some of the same name */
		if ((field && field->version & FIELD_V2) ||
		    !selection_wants(selection, file, key))
			continue;
		if (add_unknown(planner, selection, key, true,
				tables->stats[i].item))
			return -ENOSPC;
	}
	return 0;
}

/* Is an event one of the field's that are known, or not shown in v2? */
static bool is_known_event(const char *name)
{
	size_t i;

	for (i = 0; i < field_count; i++)
		if (fields[i].from == FROM_STAT &&
		    !strcasecmp(field_symbol(&fields[i]), name))
			return true;
	return !strcmp(name, "PGPGIN") || !strcmp(name, "PGPGOUT");
}

/* The same for events: memory.stat has their enumerators in lower case. */
static int plan_unknown_events(struct planner *planner,
			       const struct selection *selection)
{
	const struct btf_type *type = planner->queries[VM_EVENT].type;
	struct walk_plan *out = planner->out;
	const char *name;
	int64_t item;
	uint32_t n, i;

	for (n = 0; type && (name = btf_enumerator_at(planner->btf, type, n,
						      &item)); n++) {
		char *key = out->event_keys[out->event_key_count];

		if (place_of(planner->tables, false, item) == SLOT_MISSING ||
		    is_known_event(name) || strlen(name) >= TABLE_NAME)
			continue;
		if (out->event_key_count == PLAN_EVENTS)
			return -ENOSPC;
		for (i = 0; name[i]; i++)
			key[i] = name[i] >= 'A' && name[i] <= 'Z' ?
				(char)(name[i] - 'A' + 'a') : name[i];
		key[i] = '\0';
		if (!selection_wants(selection, file, key))
			continue;
		out->event_key_count++;
		if (add_unknown(planner, selection, key, false, item))
			return -ENOSPC;
	}
	return 0;
}

int plan_unknown(struct planner *planner, const struct selection *selection)
{
	int err = plan_unknown_states(planner, selection);

	return err ? err : plan_unknown_events(planner, selection);
}

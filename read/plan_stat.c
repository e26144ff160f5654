// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../text.h"
#include "../write/format.h"
#include "planner.h"

static const char file[] = "memory.stat";

/* Only if the hierarchy has the flag is this field's column shown. */
static void note_flag(struct planner *planner, const struct field *field,
		      int column)
{
	int64_t flag;

	if (field->needs != NEEDS_HUGETLB)
		return;
	flag = planner_enumerator(planner, ROOT_FLAG, HUGETLB_FLAG);
	if (flag < 0)
		return;
	planner->out->flag_column = column;
	planner->out->flag_kind =
		planner->snapshot->columns[column].slot.kind;
	planner->out->flag = (uint32_t)flag;
}

/* An item that a kfunc is asked for. */
static int ask_item(struct planner *planner, int column, enum item_kind kind,
		    int64_t item)
{
	uint32_t *count = &planner->out->item_counts[kind];

	if (*count == WALK_ITEMS)
		return -ENOSPC;
	planner->item_columns[kind][*count] = (uint16_t)column;
	planner->out->items[kind][(*count)++] = (int32_t)item;
	return 0;
}

void plan_items(struct planner *planner)
{
	struct column *columns = planner->snapshot->columns;
	struct walk_plan *out = planner->out;
	int kind;
	uint32_t i;

	for (kind = 0; kind < ITEM_KINDS; kind++) {
		for (i = 0; i < out->item_counts[kind]; i++) {
			columns[planner->item_columns[kind][i]].slot.offset =
				(uint16_t)out->data_length;
			out->data_length += 8;
		}
	}
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
static uint8_t place_of(const struct tables *tables, enum item_kind kind,
			int64_t item)
{
	return item < 0 || item >= TABLE_ITEMS ? SLOT_MISSING :
		tables->slots[kind][item];
}

/* Have a column's value copied from struct memcg_vmstats. */
static int want_item(struct planner *planner, int column, enum item_kind kind,
		     int64_t item)
{
	const struct tables *tables = planner->tables;
	struct slot *slot = &planner->snapshot->columns[column].slot;

	slot->kind = SLOT_STATE;
	slot->unit = kind == ITEM_STATE ? state_unit(planner, item) : 1;
	return planner_want(planner, column, CHUNK_VMSTATS,
			    tables->offsets[kind] +
			    place_of(tables, kind, item) * 8U, 8);
}

static char to_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/*
 * Find an item by the names that it has had, in whichever enum has it: pgscan
 * and its kin moved from one to another in 7.1. Return: it, or -ENOENT.
 */
static int64_t find_item(const struct planner *planner, const char *symbol,
			 enum item_kind *kind)
{
	char name[64];
	size_t length, i;
	int query;

	for (; *symbol; symbol += length + (symbol[length] == ' ')) {
		length = text_until(symbol, " ");
		format_text(name, sizeof(name), "%.*s", (int)length, symbol);
		for (i = 0; name[i]; i++)
			name[i] = to_upper(name[i]);
		for (query = NODE_STAT; query <= VM_EVENT; query++) {
			int64_t item = planner_enumerator(planner, query, name);

			*kind = query == VM_EVENT ? ITEM_EVENT : ITEM_STATE;
			if (item >= 0)
				return item;
		}
	}
	return -ENOENT;
}

int plan_stat(struct planner *planner, const struct field *field)
{
	const struct tables *tables = planner->tables;
	/* memory.stat's own table tells what a key is */
	bool told = tables && field_key(field);
	enum item_kind kind = ITEM_STATE;
	int64_t item = told ? tables_stat_item(tables, field_name(field)) : -ENOENT;
	int column, err;

	if (item < 0) {
		item = find_item(planner, field_symbol(field), &kind);
		/* page state that is not told of is counted, but not shown */
		if (item < 0 || (told && kind == ITEM_STATE))
			return 0;
	}
	if (tables && place_of(tables, kind, item) == SLOT_MISSING)
		return 0;
	column = planner_column(planner, field, SLOT_VALUE);
	if (column < 0)
		return column;
	err = tables ? want_item(planner, column, kind, item) :
		ask_item(planner, column, kind, item);
	note_flag(planner, field, column);
	return err;
}

static int add_unknown(struct planner *planner, const char *key,
		       enum item_kind kind, int64_t item)
{
	int column = planner_add(planner, file, key, NULL);

	return column < 0 ? column : want_item(planner, column, kind, item);
}

static int plan_unknown_states(struct planner *planner)
{
	const struct tables *tables = planner->tables;
	uint32_t i;

	for (i = 0; i < tables->stat_count; i++) {
		const char *key = tables->stats[i].name;
		const struct field *field = field_find(file, key, strlen(key));

		/* v1 has some of the same name */
		if ((field && field->version & FIELD_V2) ||
		    !selection_wants(planner->selection, file, key))
			continue;
		if (add_unknown(planner, key, ITEM_STATE,
				tables->stats[i].item))
			return -ENOSPC;
	}
	return 0;
}

/* Is @name what a symbol is in capitals? */
static bool is_symbol(const char *symbol, const char *name)
{
	while (*name && to_upper(*symbol) == *name) {
		symbol++;
		name++;
	}
	return to_upper(*symbol) == *name;
}

/* Is an event one of the field's that are known, or not shown in v2? */
static bool is_known_event(const char *name)
{
	size_t i;

	for (i = 0; i < field_count; i++)
		if (fields[i].from == FROM_STAT &&
		    is_symbol(field_symbol(&fields[i]), name))
			return true;
	return !strcmp(name, "PGPGIN") || !strcmp(name, "PGPGOUT");
}

/* The same for events: memory.stat has their enumerators in lower case. */
static int plan_unknown_events(struct planner *planner)
{
	const struct btf_type *type = planner->queries[VM_EVENT].type;
	struct walk_plan *out = planner->out;
	const char *name;
	int64_t item;
	uint32_t n, i;

	for (n = 0; type && (name = btf_enumerator_at(planner->btf, type, n,
						      &item)); n++) {
		char *key = out->event_keys[out->event_key_count];

		if (place_of(planner->tables, ITEM_EVENT, item) == SLOT_MISSING ||
		    is_known_event(name) || strlen(name) >= TABLE_NAME)
			continue;
		if (out->event_key_count == PLAN_EVENTS)
			return -ENOSPC;
		for (i = 0; name[i]; i++)
			key[i] = name[i] >= 'A' && name[i] <= 'Z' ?
				(char)(name[i] - 'A' + 'a') : name[i];
		key[i] = '\0';
		if (!selection_wants(planner->selection, file, key))
			continue;
		out->event_key_count++;
		if (add_unknown(planner, key, ITEM_EVENT, item))
			return -ENOSPC;
	}
	return 0;
}

int plan_unknown(struct planner *planner)
{
	int err = plan_unknown_states(planner);

	return err ? err : plan_unknown_events(planner);
}

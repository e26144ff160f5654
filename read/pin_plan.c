// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "pin_plan.h"

static const char damaged[] = "is damaged, its plan or its map";

const char *pin_text(const struct pin_head *head, uint32_t at)
{
	return at < head->size - head->texts ?
		(const char *)head + head->texts + at : "";
}

/* Is what plan_show() is to change there, and does it become what it may? */
static bool plan_fits(const struct pin_head *head)
{
	const struct walk_plan *plan = &head->plan;
	const int *columns = plan->subsys_columns[0];
	int count = (int)head->column_count, i;

	for (i = 0; i < 2 * WALK_SUBSYS; i++)
		if (columns[i] < 0 || columns[i] > count)
			return false;
	return plan->flag_column < count && plan->flag_kind < SLOT_SUM &&
		plan->data_length <= WALK_DATA_MAX;
}

/* What cannot be read is to be pinned anew. */
static int refuse(const struct pin *pin, const char *why,
		  struct reason *reason)
{
	return reason_set(reason, -EBADF, "%s %s: memcgstat --unpin %s, then"
			  " --pin it anew", pin->directory, why,
			  pin->directory);
}

/* Is a plan one of its map? */
static bool head_fits(const struct pin *pin)
{
	const struct pin_head *head = pin->plan;

	return head->size == pin->plan_size && head->map == pin->value.id &&
		head->column_count <= COLUMNS_MAX && plan_fits(head) &&
		head->texts == sizeof(*head) + head->column_count *
			       sizeof(struct pin_column) &&
		head->texts < head->size &&
		!((const char *)head)[head->size - 1] &&
		pin->value.size > sizeof(struct walk_map);
}

/* Can values be got by a slot of column @i? Its parts are simpler, and before. */
static bool slot_fits(const struct snapshot *snapshot, const struct slot *slot,
		      uint32_t i)
{
	int part;

	if (slot->kind >= SLOT_KINDS)
		return false;
	for (part = 0; part < PARTS_MAX; part++) {
		uint32_t of = slot->parts[part];

		if (of > i || (of && snapshot->columns[of - 1].slot.kind >=
			       slot->kind))
			return false;
	}
	return slot->kind != SLOT_DIFFERENCE ||
		(slot->parts[0] && slot->parts[1]);
}

/* Return: false where a column cannot be. */
static bool take_columns(const struct pin_head *head, struct snapshot *snapshot,
			 const struct selection *selection)
{
	const struct pin_column *pinned = (const void *)(head + 1);
	uint32_t i;

	for (i = 0; i < head->column_count; i++, pinned++) {
		const struct field *field = pinned->field < field_count ?
			&fields[pinned->field] : NULL;
		const char *file = field ? field_file(field) :
			pin_text(head, pinned->file);
		const char *key = field ? field_key(field) : pinned->key ?
			pin_text(head, pinned->key) : NULL;
		int column = snapshot_column(snapshot, file, key, field,
					     selection_has(selection, file,
							   key));

		/* what is new is a key in a known file */
		if (column < 0 ||
		    !(field ? field->version & FIELD_V2 : key != NULL) ||
		    !slot_fits(snapshot, &pinned->slot, i))
			return false;
		/* limit_fill() writes there */
		if (field && field->from == FROM_LEAST &&
		    pinned->slot.offset + sizeof(uint64_t) >
		    head->plan.data_length)
			return false;
		snapshot->columns[column].slot = pinned->slot;
	}
	snapshot_sort(snapshot);
	return true;
}

/* Was all pinned that is asked for? What is on cgroup v1 alone nobody pins. */
static int check_selection(const struct pin *pin,
			   const struct selection *pinned,
			   const struct selection *selection,
			   struct reason *reason)
{
	size_t i;

	if (pinned->all)
		return 0;
	if (selection->all)
		return reason_set(reason, -ENODATA, "%s has not all fields:"
				  " name some by --fields", pin->directory);
	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];
		const char *key = item->key;
		const struct field *field = field_find(item->file, key, key ?
						       strlen(key) : 0);

		if (selection_has(pinned, item->file, key) ||
		    (field && !(field->version & FIELD_V2)))
			continue;
		return reason_set(reason, -ENODATA, "%s lacks %s%s%s: --pin"
				  " it with these --fields", pin->directory,
				  item->file, key ? "." : "", key ? key : "");
	}
	return 0;
}

int pin_take_plan(const struct pin *pin, struct snapshot *snapshot,
		  const struct selection *selection, struct reason *reason)
{
	static struct selection pinned;	/* large */
	const struct pin_head *head = pin->plan;
	const char *list;
	int err;

	if (strcmp(head->version, PIN_PROGRAM VERSION) ||
	    head->layout != pin_layout())
		return refuse(pin, "was pinned by another version of memcgstat",
			      reason);
	snapshot->source = "pinned";
	if (!head_fits(pin) || !take_columns(head, snapshot, selection))
		return refuse(pin, damaged, reason);
	list = pin_text(head, head->fields);
	if (!strcmp(list, "all"))
		return 0;
	err = selection_parse(&pinned, list, false, reason);
	if (!err)
		err = check_selection(pin, &pinned, selection, reason);
	selection_free(&pinned);
	return err;
}

/*
 * Is each record as long as the plan says, in the map, and at most one level
 * below the one before it; and is only the first so high?
 */
static bool is_whole(const struct pin *pin, const struct walk_map *found)
{
	const struct pin_head *head = pin->plan;
	uint32_t first = 0, last = 0, below;
	uint64_t at = 0;

	if (found->used > pin->value.size - sizeof(*found))
		return false;
	while (at + sizeof(struct record) <= found->used) {
		const struct record *record = (const void *)(found->log + at);

		if (!at)
			first = record->level;
		below = record->level - first;
		if (record->data_length != head->plan.data_length ||
		    (at && (!below || below > last + 1)))
			return false;
		last = below;
		at += record_size(record);
	}
	return at == found->used;
}

int pin_take_walk(const struct pin *pin, struct snapshot *snapshot,
		  const struct walk_map *found,
		  const struct walk_options *walk, struct reason *reason)
{
	const struct pin_head *head = pin->plan;
	const char *top = pin_text(head, head->top);
	struct walk_options options = *walk;

	if (found->missed)
		return reason_set(reason, -EOVERFLOW, "the tree has outgrown"
				  " %s, which has room for %u cgroups: --unpin"
				  " it, then --pin it with more --capacity",
				  pin->directory, found->count);
	if (!is_whole(pin, found))
		return refuse(pin, damaged, reason);
	snapshot->depth = walk->depth;
	options.search = strcmp(top, walk->path);
	/* what is above a part of the tree only its directory tells */
	if (walk->cgroup < 0 && strcmp(top, "/"))
		options.above = VALUE_ABSENT;
	return walk_take(&head->plan, snapshot, found, top, &options, reason);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "selection.h"
#include "snapshot.h"

int snapshot_column(struct snapshot *snapshot, const char *file,
		    const char *key, const struct field *field, bool shown)
{
	struct column *column;

	if (snapshot->column_count == COLUMNS_MAX)
		return -ENOSPC;
	column = &snapshot->columns[snapshot->column_count];
	memset(column, 0, sizeof(*column));
	column->file = file;
	column->key = key;
	column->field = field;
	column->shown = shown;
	return (int)snapshot->column_count++;
}

int snapshot_find(const struct snapshot *snapshot, const char *file,
		  const char *key, size_t key_length)
{
	size_t i;

	for (i = 0; i < snapshot->column_count; i++) {
		const struct column *column = &snapshot->columns[i];

		if (!key != !column->key || (key && *column->key != *key))
			continue;
		if ((!key || (!strncmp(column->key, key, key_length) &&
			      !column->key[key_length])) &&
		    !strcmp(column->file, file))
			return (int)i;
	}
	return -ENOENT;
}

/* The column of a full name, "file" or "file.key". */
static int find_name(const struct snapshot *snapshot, const char *name,
		     size_t length)
{
	size_t i;

	for (i = 0; i < snapshot->column_count; i++) {
		const struct column *column = &snapshot->columns[i];
		size_t file = strlen(column->file);

		if (file > length || memcmp(column->file, name, file))
			continue;
		if (column->key ? file < length && name[file] == '.' &&
		    strlen(column->key) == length - file - 1 &&
		    !memcmp(column->key, name + file + 1, length - file - 1) :
		    file == length)
			return (int)i;
	}
	return -ENOENT;
}

int snapshot_derive(struct snapshot *snapshot,
		    const struct selection *selection, enum field_from from,
		    unsigned int version)
{
	size_t i;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];
		const char *file = field_file(field), *key = field_key(field);
		const char *part = field->symbol;
		struct slot slot = { 0 };
		size_t found = 0, wanted = 0, length;
		int column;

		if (field->from != from || !(field->version & version) ||
		    !selection_has(selection, file, key) ||
		    snapshot_find(snapshot, file, key, key ? strlen(key) :
				  0) >= 0)
			continue;
		slot.kind = from == FROM_SUM ? SLOT_SUM : SLOT_DIFFERENCE;
		for (; *part; part += length + (part[length] == ' ')) {
			length = strcspn(part, " ");
			column = find_name(snapshot, part, length);
			if (column >= 0)
				slot.parts[found++] = (uint16_t)(column + 1);
			wanted++;
		}
		/* a sum may lack parts that this kernel does not have */
		if (!found || (from == FROM_DIFFERENCE && found < wanted))
			continue;
		column = snapshot_column(snapshot, file, key, field, true);
		if (column < 0)
			return column;
		snapshot->columns[column].slot = slot;
	}
	return 0;
}

/*
 * Where a column is printed: by the list of fields; a key that it does not know
 * behind the last that it knows of that file, since a file's keys go together.
 */
static size_t print_rank(const struct column *column)
{
	size_t i;

	if (column->field)
		return (size_t)(column->field - fields) * 2;
	for (i = field_count; i > 0; i--)
		if (!strcmp(field_file(&fields[i - 1]), column->file))
			break;
	return i * 2 - 1;
}

void snapshot_sort(struct snapshot *snapshot)
{
	size_t ranks[COLUMNS_MAX], i, j;
	uint16_t *order = snapshot->order;

	/* columns mostly come in order: insertion is quick */
	for (i = 0; i < snapshot->column_count; i++) {
		ranks[i] = print_rank(&snapshot->columns[i]);
		for (j = i; j > 0 && ranks[order[j - 1]] > ranks[i]; j--)
			order[j] = order[j - 1];
		order[j] = (uint16_t)i;
	}
}

void snapshot_stamp(struct snapshot *snapshot)
{
	/* once a sample: the libc's way by the vDSO is not worth its size */
	if (sizeof(long) == sizeof(snapshot->time.tv_sec))
		syscall(SYS_clock_gettime, CLOCK_REALTIME, &snapshot->time);
	else
		clock_gettime(CLOCK_REALTIME, &snapshot->time);
}

bool column_is_unknown(const struct column *column)
{
	return column->key && !column->field &&
		strncmp(column->key, "nr_subsys_", 10) &&
		strncmp(column->key, "nr_dying_subsys_", 16);
}

size_t record_size(const struct record *record)
{
	size_t size = sizeof(*record) + record->data_length +
		record->name_length;

	return (size + 7) & ~(size_t)7;
}

static uint64_t load(const struct record *record, uint16_t offset,
		     size_t size)
{
	uint64_t value = 0;	/* less than 64 bits: little-endian, walk.c */

	if (offset + size > record->data_length)
		return VALUE_ABSENT;
	memcpy(&value, record->data + offset, size);
	return value;
}

static uint64_t add_parts(const struct slot *slot, const uint64_t *values)
{
	uint64_t sum = 0;
	bool any = false;
	int i;

	for (i = 0; i < PARTS_MAX && slot->parts[i]; i++) {
		uint64_t value = values[slot->parts[i] - 1];

		if (value < VALUE_NO_LIMIT) {
			sum += value;
			any = true;
		}
	}
	return any ? sum : VALUE_ABSENT;
}

uint64_t snapshot_negative(const struct snapshot *snapshot)
{
	const char *log = snapshot->log;
	uint64_t count = 0;
	size_t offset = 0, i;

	while (offset < snapshot->log_used) {
		const struct record *record = (const void *)(log + offset);

		for (i = 0; i < snapshot->column_count; i++) {
			const struct slot *slot = &snapshot->columns[i].slot;

			if (slot->kind == SLOT_STATE ||
			    slot->kind == SLOT_PAGES)
				count += load(record, slot->offset, 8) >
					INT64_MAX;
		}
		offset += record_size(record);
	}
	return count;
}

void snapshot_values(const struct snapshot *snapshot,
		     const struct record *record, uint64_t *values)
{
	size_t i;

	for (i = 0; i < snapshot->column_count; i++) {
		const struct slot *slot = &snapshot->columns[i].slot;
		uint64_t value = VALUE_ABSENT, minus;

		if (slot->kind == SLOT_NONE ||
		    (slot->not_on_root && !record->level)) {
			values[i] = VALUE_ABSENT;
			continue;
		}
		switch (slot->kind) {
		case SLOT_VALUE:
			value = load(record, slot->offset, sizeof(uint64_t));
			break;
		case SLOT_PAGES:
		case SLOT_LIMIT:
			value = load(record, slot->offset, sizeof(uint64_t));
			if (value == VALUE_ABSENT)
				break;
			/* PAGE_COUNTER_MAX, include/linux/page_counter.h */
			if (slot->kind == SLOT_LIMIT && value > INT64_MAX)
				value = VALUE_ABSENT;	/* it is none */
			else if (slot->kind == SLOT_LIMIT &&
				 value >= INT64_MAX / snapshot->page_size)
				value = VALUE_NO_LIMIT;
			else	/* an accounting fault may go below 0 */
				value = (int64_t)value < 0 ? 0 :
					value * snapshot->page_size;
			break;
		case SLOT_STATE:	/* memcg_page_state() */
			value = load(record, slot->offset, sizeof(uint64_t));
			if (value != VALUE_ABSENT || slot->offset + 8 <=
			    record->data_length)
				value = (int64_t)value < 0 ? 0 :
					value * slot->unit;
			break;
		case SLOT_INT:
			value = load(record, slot->offset, sizeof(uint32_t));
			break;
		case SLOT_BYTE:
			value = load(record, slot->offset, 1);
			break;
		case SLOT_SUM:
			value = add_parts(slot, values);
			break;
		case SLOT_DIFFERENCE:
			value = values[slot->parts[0] - 1];
			minus = values[slot->parts[1] - 1];
			if (value >= VALUE_NO_LIMIT || minus >= VALUE_NO_LIMIT)
				value = VALUE_ABSENT;
			else
				value = value > minus ? value - minus : 0;
			break;
		}
		values[i] = value;
	}
}

void rows_begin(struct rows *rows, const struct snapshot *snapshot)
{
	memset(rows, 0, sizeof(*rows));
	rows->snapshot = snapshot;
}

/* The path of the present record: its parent's, "/", its name. */
static int build_path(struct rows *rows, uint32_t below)
{
	const struct record *record = rows->record;
	const char *name = (const char *)record->data + record->data_length;
	size_t length, at = 0, *ends = (void *)rows->ends.data;
	char *path;

	if (below) {
		at = ends[below - 1];
		if (at == 1)	/* the parent is "/" */
			at = 0;
		length = strnlen(name, record->name_length);
	} else {
		name = rows->snapshot->path;
		length = strlen(name);
	}
	rows->path.used = at;
	rows->ends.used = below * sizeof(*ends);
	path = buffer_reserve(&rows->path, length + 1);
	ends = buffer_reserve(&rows->ends, sizeof(*ends));
	if (!path || !ends)
		return -ENOMEM;
	if (below)
		*path++ = '/';
	memcpy(path, name, length);
	rows->path.used += (below != 0) + length;
	*ends = rows->path.used;
	rows->ends.used += sizeof(*ends);
	return 1;
}

int rows_next(struct rows *rows)
{
	const struct snapshot *snapshot = rows->snapshot;
	uint32_t below;

	do {
		if (rows->offset >= snapshot->log_used)
			return 0;
		rows->record = (const void *)((const char *)snapshot->log +
					       rows->offset);
		if (!rows->offset)
			rows->first_level = rows->record->level;
		rows->offset += record_size(rows->record);
		below = rows->record->level - rows->first_level;
	} while (below > snapshot->depth);
	return build_path(rows, below);
}

void rows_end(struct rows *rows)
{
	buffer_free(&rows->path);
	buffer_free(&rows->ends);
}

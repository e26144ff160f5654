// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../clock.h"
#include "../text.h"
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

int snapshot_find_name(const struct snapshot *snapshot, const char *name,
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
		const char *part = field_symbol(field);
		struct slot slot = { 0 };
		size_t found = 0, wanted = 0, length;
		int column, at;

		if (field->from != from || !(field->version & version) ||
		    !selection_wants(selection, file, key))
			continue;
		/* an earlier picture may have it without its parts */
		column = snapshot_find(snapshot, file, key, key ? strlen(key) :
				       0);
		if (column >= 0 &&
		    snapshot->columns[column].slot.kind != SLOT_NONE)
			continue;
		slot.kind = from == FROM_SUM ? SLOT_SUM : SLOT_DIFFERENCE;
		for (; *part; part += length + (part[length] == ' ')) {
			length = text_until(part, " ");
			at = snapshot_find_name(snapshot, part, length);
			if (at >= 0)
				slot.parts[found++] = (uint16_t)(at + 1);
			wanted++;
		}
		/* a sum may lack parts that this kernel does not have */
		if (!found || (from == FROM_DIFFERENCE && found < wanted))
			continue;
		if (column < 0)
			column = snapshot_column(snapshot, file, key, field,
				selection_has(selection, file, key));
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
		const struct column *column = &snapshot->columns[i];

		ranks[i] = i && !column->field && !column[-1].field &&
			!strcmp(column->file, column[-1].file) ?
			ranks[i - 1] : print_rank(column);
		for (j = i; j > 0 && ranks[order[j - 1]] > ranks[i]; j--)
			order[j] = order[j - 1];
		order[j] = (uint16_t)i;
	}
	snapshot_prepare(snapshot);
}

void snapshot_stamp(struct snapshot *snapshot)
{
	struct timespec clock;

	clock_read(CLOCK_REALTIME, &snapshot->time);
	clock_read(CLOCK_MONOTONIC, &clock);
	snapshot->clock = (uint64_t)clock.tv_sec * 1000000000 +
		(uint64_t)clock.tv_nsec;
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

void rows_begin(struct rows *rows, const struct snapshot *snapshot)
{
	memset(rows, 0, sizeof(*rows));
	rows->snapshot = snapshot;
}

/* The path of the present record, where the snapshot has it as a whole. */
static int copy_path(struct rows *rows)
{
	const struct record *record = rows->record;
	struct path_span span;

	memcpy(&span, record->data + record->data_length, sizeof(span));
	rows->path.used = 0;
	return buffer_add(&rows->path, rows->snapshot->paths + span.offset,
			  span.length) ? 1 : -ENOMEM;
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
		length = (size_t)(text_find(name, name + record->name_length,
					  '\0') - name);
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
	} while (below > snapshot->depth && !snapshot->paths);
	return snapshot->paths ? copy_path(rows) : build_path(rows, below);
}

void rows_end(struct rows *rows)
{
	buffer_free(&rows->path);
	buffer_free(&rows->ends);
}

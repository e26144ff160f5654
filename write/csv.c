// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "csv.h"

/* The columns that there are, in their order. Return: how many. */
static size_t list_columns(uint16_t *list, const struct snapshot *snapshot)
{
	size_t count = 0, i;

	for (i = 0; i < snapshot->column_count; i++) {
		uint16_t index = snapshot->order[i];

		if (column_is_printed(&snapshot->columns[index]))
			list[count++] = index;
	}
	return count;
}

/* What comes from a file or a directory could hold any byte. */
static void write_escaped(struct out *out, const char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (bytes[i] == '"')
			out_char(out, '"');
		out_char(out, bytes[i]);
	}
}

static void write_header(struct out *out, const struct snapshot *snapshot,
			 const uint16_t *list, size_t count)
{
	size_t i;

	out_text(out, "path,id");
	for (i = 0; i < count; i++) {
		const struct column *column = &snapshot->columns[list[i]];

		out_text(out, column->field ? "," : ",\"");
		out_text(out, column->file);
		if (column->key) {
			out_char(out, '.');
			write_escaped(out, column->key, strlen(column->key));
		}
		out_text(out, column->field ? "" : "\"");
	}
	out_text(out, "\r\n");
}

int csv_write(struct out *out, const struct snapshot *snapshot)
{
	uint64_t values[COLUMNS_MAX];
	uint16_t list[COLUMNS_MAX];
	size_t count = list_columns(list, snapshot), i;
	struct rows rows;
	int err;

	write_header(out, snapshot, list, count);
	rows_begin(&rows, snapshot);
	while ((err = rows_next(&rows)) > 0) {
		snapshot_values(snapshot, rows.record, values);
		out_char(out, '"');
		write_escaped(out, rows.path.data, rows.path.used);
		out_text(out, "\",");
		out_number(out, rows.record->id);
		for (i = 0; i < count; i++) {
			uint64_t value = values[list[i]];

			out_char(out, ',');
			if (value == VALUE_NO_LIMIT)
				out_text(out, "max");
			else if (value != VALUE_ABSENT)
				out_number(out, value);
		}
		out_text(out, "\r\n");
	}
	rows_end(&rows);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "csv.h"
#include "time.h"

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

void csv_text(struct out *out, const char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (bytes[i] == '"')
			out_char(out, '"');
		out_char(out, bytes[i]);
	}
}

static void write_header(struct out *out, const struct snapshot *snapshot,
			 const uint16_t *list, size_t count, bool time)
{
	size_t i;

	out_text(out, time ? "time,path,id" : "path,id");
	for (i = 0; i < count; i++) {
		const struct column *column = &snapshot->columns[list[i]];

		out_text(out, column->field ? "," : ",\"");
		out_text(out, column->file);
		if (column->key) {
			out_char(out, '.');
			csv_text(out, column->key, strlen(column->key));
		}
		out_text(out, column->field ? "" : "\"");
	}
	out_text(out, "\r\n");
}

static void write_value(struct out *out, uint64_t value, bool is_rate)
{
	if (value == VALUE_ABSENT)
		return;
	if (value == VALUE_NO_LIMIT)
		out_text(out, "max");
	else if (is_rate)
		out_thousandths(out, value);
	else
		out_number(out, value);
}

int csv_write(struct out *out, const struct snapshot *snapshot, bool head,
	      bool time)
{
	uint64_t values[COLUMNS_MAX];
	uint16_t list[COLUMNS_MAX];
	size_t count = list_columns(list, snapshot), i;
	struct rows rows;
	int err;

	if (head)
		write_header(out, snapshot, list, count, time);
	rows_begin(&rows, snapshot);
	while ((err = rows_next(&rows)) > 0) {
		snapshot_values(snapshot, rows.record, values);
		if (time) {
			time_write(out, &snapshot->time);
			out_char(out, ',');
		}
		out_char(out, '"');
		csv_text(out, rows.path.data, rows.path.used);
		out_text(out, "\",");
		out_number(out, rows.record->id);
		for (i = 0; i < count; i++) {
			out_char(out, ',');
			write_value(out, values[list[i]],
				    snapshot->columns[list[i]].is_rate);
		}
		out_text(out, "\r\n");
	}
	rows_end(&rows);
	return err;
}

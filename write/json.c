// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>
#include <time.h>

#include "json.h"
#include "utf8.h"
#include "format.h"

void json_string(struct out *out, const char *bytes, size_t size)
{
	const char *end = bytes + size;
	char escape[8];

	out_char(out, '"');
	while (bytes < end) {
		size_t length = utf8_length(bytes, (size_t)(end - bytes));
		unsigned char c = (unsigned char)*bytes;

		if (c == '"' || c == '\\') {
			out_char(out, '\\');
			out_char(out, *bytes);
		} else if (c < 0x20 || c == 0x7f) {
			format_text(escape, sizeof(escape), "\\u%04x", c);
			out_text(out, escape);
		} else if (length) {
			out_bytes(out, bytes, length);
		} else {
			format_text(escape, sizeof(escape), "\\udc%02x", c);
			out_text(out, escape);
		}
		bytes += length ? length : 1;
	}
	out_char(out, '"');
}

static void write_value(struct out *out, uint64_t value)
{
	if (value == VALUE_NO_LIMIT)
		out_text(out, "null");
	else
		out_number(out, value);
}

/* ,"NAME": with the comma only behind something */
static void write_key(struct out *out, const char *name, const char **separator)
{
	out_text(out, *separator);
	out_char(out, '"');
	out_text(out, name);
	out_text(out, "\": ");
	*separator = ", ";
}

static void write_cgroup(struct out *out, const struct snapshot *snapshot,
			 const struct rows *rows)
{
	uint64_t values[COLUMNS_MAX];
	const char *file = NULL, *separator = ", ";
	size_t i;

	snapshot_values(snapshot, rows->record, values);
	out_text(out, "{\"path\": ");
	json_string(out, rows->path.data, rows->path.used);
	out_text(out, ", \"id\": ");
	out_number(out, rows->record->id);
	for (i = 0; i < snapshot->column_count; i++) {
		uint16_t index = snapshot->order[i];
		const struct column *column = &snapshot->columns[index];

		if (!column->shown || values[index] == VALUE_ABSENT)
			continue;
		if (file && (!column->key || strcmp(file, column->file))) {
			out_char(out, '}');
			file = NULL;
			separator = ", ";
		}
		if (!column->key) {
			write_key(out, column->file, &separator);
		} else {
			if (!file) {
				file = column->file;
				write_key(out, file, &separator);
				out_char(out, '{');
				separator = "";
			}
			/* a key comes from a file: it could hold any byte */
			out_text(out, separator);
			json_string(out, column->key, strlen(column->key));
			out_text(out, ": ");
			separator = ", ";
		}
		write_value(out, values[index]);
	}
	if (file)
		out_char(out, '}');
	out_char(out, '}');
}

/* The date of a day counted from 1970-01-01, by the proleptic Gregorian one. */
static void write_date(struct out *out, uint64_t day)
{
	/* years begin in March here, so that a leap day is the last one */
	uint64_t era_day = day + 719468, era = era_day / 146097;
	uint64_t of_era = era_day % 146097;
	uint64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 -
				of_era / 146096) / 365;
	uint64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 -
				     year_of_era / 100);
	uint64_t month = (5 * of_year + 2) / 153;
	uint64_t of_month = of_year - (153 * month + 2) / 5 + 1;
	char text[40];

	month = month < 10 ? month + 3 : month - 9;
	format_text(text, sizeof(text), "%04u-%02u-%02u", (unsigned int)
		    (era * 400 + year_of_era + (month <= 2)),
		    (unsigned int)month, (unsigned int)of_month);
	out_text(out, text);
}

static void write_time(struct out *out, const struct timespec *time)
{
	uint64_t seconds = (uint64_t)time->tv_sec;
	unsigned int of_day = (unsigned int)(seconds % 86400);
	char text[40];

	write_date(out, seconds / 86400);
	format_text(text, sizeof(text), "T%02u:%02u:%02u.%06uZ", of_day / 3600,
		    of_day / 60 % 60, of_day % 60,
		    (unsigned int)(time->tv_nsec / 1000));
	out_text(out, text);
}

int json_write(struct out *out, const struct snapshot *snapshot,
	       const char *version, const char *kernel)
{
	const char *separator = "";
	struct rows rows;
	int err;

	out_text(out, "{\"memcgstat\": ");
	json_string(out, version, strlen(version));
	out_text(out, ", \"kernel\": ");
	json_string(out, kernel, strlen(kernel));
	out_text(out, ", \"time\": \"");
	write_time(out, &snapshot->time);
	out_text(out, "\", \"source\": \"");
	out_text(out, snapshot->source);
	out_text(out, "\", \"cgroups\": [");
	rows_begin(&rows, snapshot);
	while ((err = rows_next(&rows)) > 0) {
		out_text(out, separator);
		out_text(out, "\n");
		write_cgroup(out, snapshot, &rows);
		separator = ",";
	}
	rows_end(&rows);
	out_text(out, "\n]}\n");
	return err;
}

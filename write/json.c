// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>
#include <time.h>

#include "json.h"
#include "utf8.h"
#include "format.h"

static bool is_plain(char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* One character that is not plain; @length bytes of UTF-8, or 0. */
static void write_other(struct out *out, const char *bytes, size_t length)
{
	unsigned char c = (unsigned char)*bytes;
	char escape[8];

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
}

void json_string(struct out *out, const char *bytes, size_t size)
{
	const char *end = bytes + size;

	out_char(out, '"');
	while (bytes < end) {
		size_t length = 0;

		while (bytes + length < end && is_plain(bytes[length]))
			length++;
		out_bytes(out, bytes, length);
		bytes += length;
		if (bytes < end) {
			length = utf8_length(bytes, (size_t)(end - bytes));
			write_other(out, bytes, length);
			bytes += length ? length : 1;
		}
	}
	out_char(out, '"');
}

/*
 * What comes before a value is the same for every cgroup: it is written once,
 * and copied from then on.
 */
struct key {
	uint16_t column;
	uint16_t group;		/* of keys in one file; 0: a file's number */
	/* length 0: too long to be kept */
	uint8_t length, first_length;
	char text[OUT_SHORT];	/* , "KEY": */
	char first[OUT_SHORT];	/* , "FILE": {"KEY": of the first of a group */
};

struct keys {
	size_t count;
	struct key keys[COLUMNS_MAX];
};

/* Where a name comes from a file it could hold any byte. */
static void write_key(struct out *out, const struct column *column)
{
	const char *name = column->key ? column->key : column->file;

	out_text(out, ", ");
	json_string(out, name, strlen(name));
	out_text(out, ": ");
}

static void write_first(struct out *out, const struct column *column)
{
	out_text(out, ", ");
	json_string(out, column->file, strlen(column->file));
	out_text(out, ": {");
	json_string(out, column->key, strlen(column->key));
	out_text(out, ": ");
}

static uint8_t keep(char kept[OUT_SHORT], struct out *text)
{
	size_t length = text->used <= OUT_SHORT ? text->used : 0;

	memcpy(kept, text->buffer, length);
	text->used = 0;
	return (uint8_t)length;
}

static void make_keys(struct keys *keys, const struct snapshot *snapshot)
{
	static struct out text;
	const char *file = "";
	uint16_t group = 0;
	size_t i;

	out_open(&text, -1);
	keys->count = 0;
	for (i = 0; i < snapshot->column_count; i++) {
		const struct column *column =
			&snapshot->columns[snapshot->order[i]];
		struct key *key = &keys->keys[keys->count];

		if (!column->shown || column->slot.kind == SLOT_NONE)
			continue;
		if (column->key && strcmp(file, column->file)) {
			file = column->file;
			group++;
		}
		key->first_length = 0;
		write_key(&text, column);
		key->length = keep(key->text, &text);
		if (column->key) {
			write_first(&text, column);
			key->first_length = keep(key->first, &text);
		}
		key->column = snapshot->order[i];
		key->group = column->key ? group : 0;
		keys->count++;
	}
}

static void write_cgroup(struct out *out, const struct snapshot *snapshot,
			 const struct rows *rows, const struct keys *keys)
{
	uint64_t values[COLUMNS_MAX];
	uint16_t group = 0;	/* that is open */
	size_t i;

	snapshot_values(snapshot, rows->record, values);
	out_text(out, "{\"path\": ");
	json_string(out, rows->path.data, rows->path.used);
	out_text(out, ", \"id\": ");
	out_number(out, rows->record->id);
	for (i = 0; i < keys->count; i++) {
		const struct key *key = &keys->keys[i];
		const struct column *column = &snapshot->columns[key->column];
		uint64_t value = values[key->column];

		if (value == VALUE_ABSENT)
			continue;
		if (group && key->group != group)
			out_char(out, '}');
		if (key->group && key->group != group && key->first_length)
			out_short(out, key->first, key->first_length);
		else if (key->group && key->group != group)
			write_first(out, column);
		else if (key->length)
			out_short(out, key->text, key->length);
		else
			write_key(out, column);
		group = key->group;
		if (value == VALUE_NO_LIMIT)
			out_text(out, "null");
		else
			out_number(out, value);
	}
	if (group)
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
	static struct keys keys;
	const char *separator = "";
	struct rows rows;
	int err;

	make_keys(&keys, snapshot);
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
		write_cgroup(out, snapshot, &rows, &keys);
		separator = ",";
	}
	rows_end(&rows);
	out_text(out, "\n]}\n");
	return err;
}

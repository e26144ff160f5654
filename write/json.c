// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "json.h"
#include "time.h"
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

	if (c == '"' || c == '\\')
		out_char(out, '\\');
	if (c < 0x20 || c == 0x7f || !length)
		out_format(out, "\\u%04x", length ? c : 0xdc00U + c);
	else
		out_bytes(out, bytes, length);
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

void json_text(struct out *out, const char *text)
{
	if (text)
		json_string(out, text, strlen(text));
	else
		out_text(out, "null");
}

/*
 * What comes before a value is the same for every cgroup: it is written once,
 * and copied from then on.
 */
struct key {
	uint16_t column;
	bool is_rate;
	uint16_t group;		/* of keys in one file; 0: a file's number */
	uint16_t length, first_length;
	/* where they lie in texts */
	uint32_t text;		/* , "KEY": */
	uint32_t first;		/* , "FILE": {"KEY": for the first of a group */
};

struct keys {
	struct buffer texts;
	size_t row_size;	/* bytes that all values of a cgroup may take */
	size_t count;
	struct key keys[COLUMNS_MAX];
};

#define STEP	16		/* bytes that are copied at once */

/* Where a name comes from a file it could hold any byte. */
static void write_name(struct out *out, const char *name, const char *behind)
{
	json_text(out, name);
	out_text(out, behind);
}

/* Return: where the text lies in keys->texts; or -ENOMEM. */
static int64_t keep(struct keys *keys, struct out *text, uint16_t *length)
{
	size_t at = keys->texts.used;

	if (!buffer_add(&keys->texts, text->buffer, (text->used + STEP - 1) /
			STEP * STEP))
		return -ENOMEM;
	*length = (uint16_t)text->used;
	text->used = 0;
	return (int64_t)at;
}

static int add_key(struct keys *keys, const struct column *column)
{
	static struct out text;		/* large; it never flushes */
	struct key *key = &keys->keys[keys->count];
	int64_t at;

	out_open(&text, -1);
	out_text(&text, ", ");
	write_name(&text, column->key ? column->key : column->file, ": ");
	at = keep(keys, &text, &key->length);
	if (at < 0)
		return -ENOMEM;
	key->text = key->first = (uint32_t)at;
	key->first_length = key->length;
	if (key->group) {
		out_text(&text, ", ");
		write_name(&text, column->file, ": {");
		write_name(&text, column->key, ": ");
		at = keep(keys, &text, &key->first_length);
		if (at < 0)
			return -ENOMEM;
		key->first = (uint32_t)at;
	}
	keys->row_size += (size_t)key->first_length + FORMAT_NUMBER + STEP;
	keys->count++;
	return 0;
}

static int make_keys(struct keys *keys, const struct snapshot *snapshot)
{
	const char *file = "";
	uint16_t group = 0;
	size_t i;
	int err = 0;

	memset(&keys->texts, 0, sizeof(keys->texts));
	keys->count = 0;
	keys->row_size = STEP;
	for (i = 0; i < snapshot->column_count && !err; i++) {
		const struct column *column =
			&snapshot->columns[snapshot->order[i]];
		struct key *key = &keys->keys[keys->count];

		if (!column_is_printed(column))
			continue;
		if (column->key && strcmp(file, column->file)) {
			file = column->file;
			group++;
		}
		key->column = snapshot->order[i];
		key->is_rate = column->is_rate;
		key->group = column->key ? group : 0;
		err = add_key(keys, column);
	}
	return err;
}

static char *put_text(char *to, const char *text, size_t length)
{
	size_t at;

	for (at = 0; at < length; at += STEP)
		memcpy(to + at, text + at, STEP);
	return to + length;
}

/* All values of a cgroup, to where there is room for keys->row_size bytes. */
static char *put_values(char *to, const uint64_t *values,
			const struct keys *keys)
{
	const struct key *key = keys->keys, *end = key + keys->count;
	const char *texts = keys->texts.data;
	uint16_t group = 0;	/* that is open */

	for (; key < end; key++) {
		uint64_t value = values[key->column];

		if (value == VALUE_ABSENT)
			continue;
		if (key->group == group) {
			to = put_text(to, texts + key->text, key->length);
		} else {
			if (group)
				*to++ = '}';
			group = key->group;
			to = put_text(to, texts + key->first,
				      key->first_length);
		}
		if (key->is_rate) {
			to += format_thousandths(to, value);
		} else if (value < 10) {	/* most are 0 */
			*to++ = (char)('0' + value);
		} else if (value == VALUE_NO_LIMIT) {
			memcpy(to, "null", 4);
			to += 4;
		} else {
			to += format_number(to, value);
		}
	}
	if (group)
		*to++ = '}';
	return to;
}

static int write_cgroup(struct out *out, const struct snapshot *snapshot,
			const struct rows *rows, struct keys *keys)
{
	uint64_t values[COLUMNS_MAX];
	char *to;

	snapshot_values(snapshot, rows->record, values);
	out_text(out, "\"path\": ");
	json_string(out, rows->path.data, rows->path.used);
	out_text(out, ", \"id\": ");
	out_number(out, rows->record->id);
	to = out_reserve(out, keys->row_size);
	if (to) {
		out->used += (size_t)(put_values(to, values, keys) - to);
	} else {	/* keys of a size that no kernel has */
		to = buffer_reserve(&keys->texts, keys->row_size);
		if (!to)
			return -ENOMEM;
		out_bytes(out, to, (size_t)(put_values(to, values, keys) - to));
	}
	out_char(out, '}');
	return 0;
}

void json_program(struct out *out, const char *version, const char *kernel)
{
	out_text(out, "{\"memcgstat\": ");
	json_text(out, version);
	out_text(out, ", \"kernel\": ");
	json_text(out, kernel);
}

void json_origin(struct out *out, const char *before,
		 const struct timespec *time, const char *source)
{
	out_format(out, "%s\"time\": \"", before);
	time_write(out, time);
	out_format(out, "\", \"source\": \"%s\"", source);
}

static void write_origin(struct out *out, const char *before,
			 const struct snapshot *snapshot)
{
	json_origin(out, before, &snapshot->time, snapshot->source);
	if (snapshot->rate_time) {
		out_text(out, ", \"seconds\": ");
		out_thousandths(out, snapshot->rate_time / 1000000);
	}
}

/* All cgroups: elements of an array, or lines that stand alone. */
static int write_cgroups(struct out *out, const struct snapshot *snapshot,
			 bool lines)
{
	static struct keys keys;
	const char *before = "\n{";
	struct rows rows;
	int more = 0, err = make_keys(&keys, snapshot);

	rows_begin(&rows, snapshot);
	while (!err && (more = rows_next(&rows)) > 0) {
		if (lines)
			write_origin(out, "{", snapshot);
		out_text(out, lines ? ", " : before);
		before = ",\n{";
		err = write_cgroup(out, snapshot, &rows, &keys);
		if (lines)
			out_char(out, '\n');
	}
	rows_end(&rows);
	buffer_free(&keys.texts);
	return err ? err : more;
}

int json_write(struct out *out, const struct snapshot *snapshot,
	       const char *version, const char *kernel)
{
	int err;

	json_program(out, version, kernel);
	write_origin(out, ", ", snapshot);
	out_text(out, ", \"cgroups\": [");
	err = write_cgroups(out, snapshot, false);
	out_text(out, "\n]}\n");
	return err;
}

int json_write_lines(struct out *out, const struct snapshot *snapshot)
{
	return write_cgroups(out, snapshot, true);
}

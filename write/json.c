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
struct span {
	uint32_t at, length;	/* in texts */
};

struct key {
	struct span text;	/* , "KEY": */
	struct span file;	/* , "FILE": { */
	uint16_t column;
	uint16_t group;		/* of keys in one file; 0: a file's number */
	bool is_rate;
};

struct keys {
	struct buffer texts;
	size_t row_size;	/* bytes that all values of a cgroup may take */
	size_t count;
	struct key keys[COLUMNS_MAX];
};

#define STEP	16		/* bytes that are copied at once */

/*
 * Write a name, which comes from a file and could hold any byte, to where the
 * output goes on, and take it back: it is kept in texts.
 */
static int keep(struct keys *keys, struct out *out, const char *name,
		const char *behind, struct span *span)
{
	size_t length;

	out_flush(out);		/* the whole buffer is free */
	out_text(out, ", ");
	json_text(out, name);
	out_text(out, behind);
	length = out->used;
	out->used = 0;
	*span = (struct span){ (uint32_t)keys->texts.used, (uint32_t)length };
	keys->row_size += length + FORMAT_NUMBER + STEP;
	return buffer_add(&keys->texts, out->buffer, (length + STEP - 1) /
			  STEP * STEP) ? 0 : -ENOMEM;
}

static int make_keys(struct keys *keys, struct out *out,
		     const struct snapshot *snapshot)
{
	const char *file = "";
	struct span span = { 0, 0 };
	uint16_t group = 0;
	size_t i;
	int err = 0;

	keys->texts.used = keys->count = 0;
	keys->row_size = STEP;
	for (i = 0; i < snapshot->column_count && !err; i++) {
		const struct column *column =
			&snapshot->columns[snapshot->order[i]];
		struct key *key = &keys->keys[keys->count];

		if (!column_is_printed(column))
			continue;
		keys->count++;
		if (column->key && strcmp(file, column->file)) {
			file = column->file;
			group++;
			err = keep(keys, out, file, ": {", &span);
		}
		key->column = snapshot->order[i];
		key->is_rate = column->is_rate;
		key->group = column->key ? group : 0;
		key->file = span;
		if (!err)
			err = keep(keys, out, column->key ? column->key :
				   column->file, ": ", &key->text);
	}
	return err;
}

static char *put_text(char *to, const char *texts, struct span span)
{
	size_t at;

	for (at = 0; at < span.length; at += STEP)
		memcpy(to + at, texts + span.at + at, STEP);
	return to + span.length;
}

/* All values of a cgroup, to where there is room for keys->row_size bytes. */
static char *put_values(char *to, const uint64_t *values,
			const struct keys *keys)
{
	const struct key *key = keys->keys, *end = key + keys->count;
	const char *texts = keys->texts.data;
	uint16_t group = 0;	/* that is open */
	struct span text;

	for (; key < end; key++) {
		uint64_t value = values[key->column];

		if (value == VALUE_ABSENT)
			continue;
		text = key->text;
		if (key->group != group) {
			if (group)
				*to++ = '}';
			group = key->group;
			if (group) {
				to = put_text(to, texts, key->file);
				text.at += 2;	/* no comma */
				text.length -= 2;
			}
		}
		to = put_text(to, texts, text);
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

/* One object; or, where @version is NULL, a line for each cgroup. */
static int write_all(struct out *out, const struct snapshot *snapshot,
		     const char *version, const char *kernel)
{
	static struct keys keys;
	const char *before = "\n{";
	struct rows rows;
	int more = 0, err = make_keys(&keys, out, snapshot);

	if (version) {
		json_program(out, version, kernel);
		write_origin(out, ", ", snapshot);
		out_text(out, ", \"cgroups\": [");
	}
	rows_begin(&rows, snapshot);
	while (!err && (more = rows_next(&rows)) > 0) {
		if (!version)
			write_origin(out, "{", snapshot);
		out_text(out, version ? before : ", ");
		before = ",\n{";
		err = write_cgroup(out, snapshot, &rows, &keys);
		out_text(out, version ? "}" : "}\n");
	}
	rows_end(&rows);
	buffer_free(&keys.texts);
	if (version)
		out_text(out, "\n]}\n");
	return err ? err : more;
}

int json_write(struct out *out, const struct snapshot *snapshot,
	       const char *version, const char *kernel)
{
	return write_all(out, snapshot, version, kernel);
}

int json_write_lines(struct out *out, const struct snapshot *snapshot)
{
	return write_all(out, snapshot, NULL, NULL);
}

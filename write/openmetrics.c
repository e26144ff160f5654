// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "format.h"
#include "openmetrics.h"
#include "utf8.h"

#define NAME_SIZE	256	/* of a metric, and its NUL */

/* A cgroup's labels; the text follows. */
struct label {
	const struct record *record;
	size_t length;
};

char *openmetrics_label(char *to, const char *at, size_t size, bool *is_text)
{
	static const char unknown[] = "\xef\xbf\xbd";	/* U+FFFD */
	const char *end = at + size;

	while (at < end) {
		size_t length = utf8_length(at, (size_t)(end - at));

		if (*at == '\\' || *at == '"' || *at == '\n')
			*to++ = '\\';
		if (length) {
			memcpy(to, at, length);
			if (*at == '\n')
				*to = 'n';
			to += length;
		} else {
			memcpy(to, unknown, sizeof(unknown) - 1);
			to += sizeof(unknown) - 1;
			*is_text = false;
		}
		at += length ? length : 1;
	}
	return to;
}

static int add_label(struct buffer *labels, const struct rows *rows)
{
	size_t room = rows->path.used * 3 + 64;	/* of the longest text */
	struct label label = { .record = rows->record };
	char *at = buffer_reserve(labels, sizeof(label) + room), *text, *to;
	bool is_text = true;

	if (!at)
		return -ENOMEM;
	to = text = at + sizeof(label);
	to += format_text(to, room, "{cgroup=\"");
	to = openmetrics_label(to, rows->path.data, rows->path.used, &is_text);
	*to++ = '"';
	if (!is_text)
		to += format_text(to, 40, ",id=\"%llu\"",
				  (unsigned long long)rows->record->id);
	*to++ = '}';
	*to++ = ' ';
	label.length = (size_t)(to - text);
	memcpy(at, &label, sizeof(label));
	labels->used += sizeof(label) + label.length;
	return 0;
}

static int make_labels(struct buffer *labels, const struct snapshot *snapshot)
{
	struct rows rows;
	int err = 0, more = 0;

	rows_begin(&rows, snapshot);
	while (!err && (more = rows_next(&rows)) > 0)
		err = add_label(labels, &rows);
	rows_end(&rows);
	return err ? err : more;
}

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), wanted = strlen(end);

	return length >= wanted && !strcmp(name + length - wanted, end);
}

/* The name of a metric, without _total. */
static void make_name(char *name, const struct column *column)
{
	char *at;

	format_text(name, NAME_SIZE - sizeof("_bytes"), "memcg_%s%s%s",
		    column->file, column->key ? "." : "",
		    column->key ? column->key : "");
	for (at = name; *at; at++)
		if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
		      (*at >= '0' && *at <= '9')))
			*at = '_';
	if (column->field && column->field->unit == UNIT_BYTES &&
	    !ends_with(name, "_bytes"))
		memcpy(at, "_bytes", sizeof("_bytes"));
	else if (ends_with(name, "_total"))	/* it means a counter's sample */
		at[-6] = '\0';
}

static void write_head(struct out *out, const char *name,
		       const struct column *column)
{
	/*
	 * Without a TYPE it is unknown; said by that word, the text format of
	 * Prometheus refuses the whole file.
	 */
	if (column->field)
		out_format(out, "# TYPE %s %s\n", name,
			   column->field->type == TYPE_COUNTER ? "counter" :
			   "gauge");
	if (ends_with(name, "_bytes"))
		out_format(out, "# UNIT %s bytes\n", name);
	/* the kernel's own documentation tells what these are */
	out_format(out, "# HELP %s ", name);
	if (column->key)
		out_format(out, "%s in ", column->field ? column->key : "A key");
	out_format(out, "the cgroup's %s\n", column->file);
}

/* One metric: a sample for each cgroup that has it. */
static void write_metric(struct out *out, const struct snapshot *snapshot,
			 size_t index, const struct buffer *labels)
{
	const struct column *column = &snapshot->columns[index];
	bool is_counter = column->field &&
		column->field->type == TYPE_COUNTER, begun = false;
	char name[NAME_SIZE];
	struct label label;
	size_t at;

	make_name(name, column);
	for (at = 0; at < labels->used; at += sizeof(label) + label.length) {
		uint64_t value;

		memcpy(&label, labels->data + at, sizeof(label));
		value = snapshot_value(snapshot, label.record, index);
		if (value == VALUE_ABSENT)
			continue;
		if (!begun)
			write_head(out, name, column);
		begun = true;
		out_text(out, name);
		if (is_counter)
			out_text(out, "_total");
		out_bytes(out, labels->data + at + sizeof(label), label.length);
		if (value == VALUE_NO_LIMIT)
			out_text(out, "+Inf");
		else
			out_number(out, value);
		out_char(out, '\n');
	}
}

int openmetrics_write(struct out *out, const struct snapshot *snapshot)
{
	struct buffer labels = { 0 };
	int err = make_labels(&labels, snapshot);
	size_t i;

	for (i = 0; i < snapshot->column_count && !err; i++)
		if (column_is_printed(&snapshot->columns[snapshot->order[i]]))
			write_metric(out, snapshot, snapshot->order[i],
				     &labels);
	out_text(out, "# EOF\n");
	buffer_free(&labels);
	return err;
}

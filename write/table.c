// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "table.h"
#include "utf8.h"
#include "format.h"

#define VALUE_SIZE	24	/* the widest value, and its NUL */
#define PER_SECOND	"/s"
#define ESCAPE_SIZE	8	/* of a character, UTF-8 or \\xNN, and its NUL */
#define PATH_ROOM	20	/* characters that a path is to have at least */
#define HEAD_SIZE	(FIELD_NAME_SIZE + sizeof(PER_SECOND))

size_t table_value(char *to, uint64_t value, enum field_unit unit, bool bytes)
{
	static const char units[] = "KMGTPE";
	size_t length, power = 0, shift;
	uint64_t tenths;

	if (value >= VALUE_NO_LIMIT)
		return format_text(to, VALUE_SIZE,
				   value == VALUE_ABSENT ? "-" : "max");
	if (bytes || unit != UNIT_BYTES || value < 1024)
		return format_number(to, value);
	/* two digits or more: "9.9K", "10K", "1023K" */
	while (value >> 10 * (power + 1) >= 1024)
		power++;
	shift = 10 * (power + 1);
	tenths = (value >> shift) * 10 +
		((value & (((uint64_t)1 << shift) - 1)) * 10 >> shift);
	if (tenths < 100) {
		length = format_number(to, tenths / 10);
		to[length++] = '.';
		to[length++] = (char)('0' + tenths % 10);
	} else {
		length = format_number(to, tenths / 10);
	}
	to[length++] = units[power];
	to[length] = '\0';
	return length;
}

void table_pad(struct out *out, size_t width, size_t used)
{
	for (; used < width; used++)
		out_char(out, ' ');
}

/* Does a character move the cursor? C0, DEL, and C1 (U+0080 to U+009F). */
static bool is_control(const char *at, size_t length)
{
	unsigned char c = (unsigned char)at[0];

	return c < 0x20 || c == 0x7f ||
		(length == 2 && c == 0xc2 && (unsigned char)at[1] < 0xa0);
}

/*
 * One character: bytes of UTF-8, or an escape. Return: how many characters it
 * is shown as; @length: its bytes in @from.
 */
static size_t put_character(char *to, const char *from, size_t size, char also,
			    size_t *length)
{
	*length = utf8_length(from, size);
	if (*length && !is_control(from, *length) && *from != also) {
		memcpy(to, from, *length);
		to[*length] = '\0';
		return 1;
	}
	*length = 1;
	return format_text(to, ESCAPE_SIZE, "\\x%02x", (unsigned char)*from);
}

void table_text(struct out *out, const char *text, size_t size, char also)
{
	const char *end = text + size;
	char character[ESCAPE_SIZE];
	size_t length;

	for (; text < end; text += length) {
		put_character(character, text, (size_t)(end - text), also,
			      &length);
		out_text(out, character);
	}
}

/* A path, of which the end is shown where there is no room for all. */
static void write_path(struct out *out, const char *path, size_t size,
		       size_t room)
{
	static const char more[] = "..";
	const char *end = path + size, *at;
	char character[ESCAPE_SIZE];
	size_t width = 0, length;

	for (at = path; room != SIZE_MAX && at < end; at += length)
		width += put_character(character, at, (size_t)(end - at), '\0',
				       &length);
	if (width > room) {
		for (; width > room - (sizeof(more) - 1); path += length)
			width -= put_character(character, path,
					       (size_t)(end - path), '\0',
					       &length);
		out_text(out, more);
	}
	table_text(out, path, (size_t)(end - path), '\0');
}

/*
 * The columns to print, in the order that was asked for; those of a file of
 * many keys in the list's.
 */
static size_t choose(const struct snapshot *snapshot,
		     const struct selection *selection, uint16_t *chosen)
{
	bool taken[COLUMNS_MAX] = { false };
	size_t count = 0, i, item;

	for (item = 0; item < selection->count + selection->all; item++) {
		const struct selected *wanted = item < selection->count ?
			&selection->items[item] : NULL;

		for (i = 0; i < snapshot->column_count; i++) {
			uint16_t index = snapshot->order[i];
			const struct column *column =
				&snapshot->columns[index];

			if (taken[index] || !column->shown ||
			    (wanted && (strcmp(wanted->file, column->file) ||
			     (wanted->key && strcmp(wanted->key,
						    column->key)))))
				continue;
			taken[index] = true;
			chosen[count++] = index;
		}
	}
	return count;
}

static size_t column_head(const struct column *column, char *head)
{
	size_t length;

	field_short_name(head, FIELD_NAME_SIZE, column->file, column->key);
	length = strlen(head);
	return length + format_text(head + length, sizeof(PER_SECOND), "%s",
				    column->is_rate ? PER_SECOND : "");
}

static size_t column_value(char *to, const struct column *column,
			   uint64_t value, bool bytes)
{
	enum field_unit unit = column->field ?
		(enum field_unit)column->field->unit : UNIT_NUMBER;

	return column->is_rate && value < VALUE_NO_LIMIT ?
		format_thousandths(to, value) :
		table_value(to, value, unit, bytes);
}

/*
 * Leave out columns that do not fit. Return: what is left for a path, at least
 * PATH_ROOM.
 */
static size_t fit(const size_t *widths, size_t *count, size_t width)
{
	size_t used = 0, i;

	if (width == SIZE_MAX)
		return width;
	for (i = 0; i < *count && used + widths[i] + 2 + PATH_ROOM <= width;
	     i++)
		used += widths[i] + 2;
	*count = i;
	return width > used + PATH_ROOM ? width - used : PATH_ROOM;
}

static void write_cell(struct out *out, const char *text, size_t width,
		       size_t used)
{
	table_pad(out, width, used);
	out_text(out, text);
	out_text(out, "  ");
}

int table_write(struct out *out, const struct snapshot *snapshot,
		const struct table_style *style)
{
	const struct column *columns = snapshot->columns;
	size_t all, count, room = SIZE_MAX, width, print, row, i;
	uint16_t chosen[COLUMNS_MAX];
	size_t widths[COLUMNS_MAX];
	uint64_t values[COLUMNS_MAX];
	char text[HEAD_SIZE];
	struct rows rows;
	int err = 0;

	all = count = choose(snapshot, style->selection, chosen);
	for (i = 0; i < count; i++)
		widths[i] = column_head(&columns[chosen[i]], text);
	/* first how wide the columns are; the heads come before the rows */
	for (print = 0; print < 2 && err >= 0; print++) {
		if (print) {
			room = fit(widths, &count, style->width);
			for (i = 0; i < count; i++) {
				width = column_head(&columns[chosen[i]], text);
				write_cell(out, text, widths[i], width);
			}
			out_text(out, "cgroup");
			if (count < all)
				out_format(out, " (+%u columns)",
					   (unsigned int)(all - count));
			out_text(out, style->end);
		}
		rows_begin(&rows, snapshot);
		for (row = 0; row < style->rows && (err = rows_next(&rows)) > 0;
		     row++) {
			snapshot_values(snapshot, rows.record, values);
			for (i = 0; i < count; i++) {
				width = column_value(text, &columns[chosen[i]],
						     values[chosen[i]],
						     style->bytes);
				if (width > widths[i])
					widths[i] = width;
				if (print)
					write_cell(out, text, widths[i], width);
			}
			if (!print)
				continue;
			write_path(out, rows.path.data, rows.path.used, room);
			out_text(out, style->end);
		}
		rows_end(&rows);
	}
	return err < 0 ? err : 0;
}

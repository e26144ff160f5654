// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "allocinfo.h"
#include "csv.h"
#include "format.h"
#include "json.h"
#include "openmetrics.h"
#include "table.h"
#include "time.h"

#define CELL_SIZE	32

const char *const alloc_by_names[] = {
	[ALLOC_FILE] = "file", [ALLOC_FUNCTION] = "function",
	[ALLOC_MODULE] = "module", [ALLOC_SITE] = "site",
};

/* What a row has, in the order in which programs get it. */
enum member {
	BYTES, CALLS, BYTES_GROWTH, CALLS_GROWTH, FILE_NAME, LINE,
	FUNCTION_NAME, MODULE_NAME, ACCURATE, MEMBERS
};

static const struct {
	char name[13];
	uint8_t by;	/* enum alloc_by: rows by this have it, and by site */
} members[MEMBERS] = {
	[BYTES] = { "bytes", 0 }, [CALLS] = { "calls", 0 },
	[BYTES_GROWTH] = { "bytes_growth", 0 },
	[CALLS_GROWTH] = { "calls_growth", 0 },
	[FILE_NAME] = { "file", ALLOC_FILE }, [LINE] = { "line", ALLOC_SITE },
	[FUNCTION_NAME] = { "function", ALLOC_FUNCTION },
	[MODULE_NAME] = { "module", ALLOC_MODULE },
	[ACCURATE] = { "accurate", 0 },
};

static bool is_growth(size_t member)
{
	return member == BYTES_GROWTH || member == CALLS_GROWTH;
}

static bool has_member(const struct alloc_table *table, size_t member)
{
	enum alloc_by by = table->query->by;

	if (is_growth(member))
		return table->has_growth;
	return member < FILE_NAME || member > MODULE_NAME ||
		by == ALLOC_SITE || by == members[member].by;
}

static int64_t number_of(const struct alloc_row *row, size_t member)
{
	return member == LINE ? row->line : row->numbers[member];
}

static uint64_t magnitude(int64_t number)
{
	return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* What is no name: a number, or true or false. */
static void write_plain(struct out *out, const struct alloc_row *row,
			size_t member)
{
	int64_t number;

	if (member == ACCURATE) {
		out_text(out, row->accurate ? "true" : "false");
		return;
	}
	number = number_of(row, member);
	if (number < 0)
		out_char(out, '-');
	out_number(out, magnitude(number));
}

/* Is it a name, which may be empty? */
static bool is_name(const struct alloc_table *table,
		    const struct alloc_row *row, size_t member,
		    struct alloc_name *name)
{
	if (member < FILE_NAME || member == LINE || member == ACCURATE)
		return false;
	*name = alloc_table_name(table, row,
				 (enum alloc_by)members[member].by);
	return true;
}

/* A column's head where @row is NULL, or a number as a table shows it. */
static size_t put_cell(char *to, const struct alloc_row *row, size_t member,
		       bool exact)
{
	bool growth = is_growth(member), sign;
	int64_t number;

	if (!row)
		return format_text(to, CELL_SIZE, "%s%s", growth ? "+" : "",
				   members[member % 2].name);
	number = number_of(row, member);
	sign = number < 0 || (number && growth);
	*to = number < 0 ? '-' : '+';
	return sign + table_value(to + sign, magnitude(number), member % 2 ?
				  UNIT_NUMBER : UNIT_BYTES, exact);
}

/* A row's name and what comes behind it, or the heading. */
static int write_name(struct out *out, const struct alloc_table *table,
		      const struct alloc_row *row, struct buffer *name)
{
	name->used = 0;
	if (!row)
		out_text(out, alloc_by_names[table->query->by]);
	else if (alloc_table_text(table, row, name))
		return -ENOMEM;
	table_text(out, name->data, name->used, '\0');
	out_text(out, row && !row->accurate ? " accurate:no\n" : "\n");
	return 0;
}

int alloc_write_table(struct out *out, const struct alloc_report *report)
{
	static const uint8_t order[] = {
		BYTES, BYTES_GROWTH, CALLS, CALLS_GROWTH
	};
	const struct alloc_table *table = report->table;
	size_t widths[sizeof(order)] = { 0 }, width, place, print, i;
	struct buffer name = { 0 };
	const struct alloc_row *row;
	char cell[CELL_SIZE];
	int err = 0;

	/* first how wide the columns are; the heads come before the rows */
	for (print = 0; print < 2; print++) {
		for (place = 0; place <= table->shown && !err; place++) {
			row = place ? alloc_table_row(table, place - 1) : NULL;
			for (i = 0; i < sizeof(order); i++) {
				if (!has_member(table, order[i]))
					continue;
				width = put_cell(cell, row, order[i],
						 report->bytes);
				if (width > widths[i])
					widths[i] = width;
				if (!print)
					continue;
				table_pad(out, widths[i], width);
				out_format(out, "%s  ", cell);
			}
			if (print)
				err = write_name(out, table, row, &name);
		}
	}
	buffer_free(&name);
	return err;
}

static void write_json_row(struct out *out, const struct alloc_table *table,
			   const struct alloc_row *row)
{
	struct alloc_name name;
	size_t member;

	for (member = 0; member < MEMBERS; member++) {
		if (!has_member(table, member))
			continue;
		out_text(out, member ? ", \"" : "\"");
		out_text(out, members[member].name);
		out_text(out, "\": ");
		if (!is_name(table, row, member, &name))
			write_plain(out, row, member);
		else if (name.length)
			json_string(out, name.text, name.length);
		else
			out_text(out, "null");
	}
	out_char(out, '}');
}

static void write_json(struct out *out, const struct alloc_report *report,
		       bool lines)
{
	const struct alloc_table *table = report->table;
	size_t place;

	for (place = 0; place < table->shown; place++) {
		if (lines)
			json_origin(out, "{", &report->time, report->source);
		out_text(out, lines ? ", " : place ? ",\n{" : "\n{");
		write_json_row(out, table, alloc_table_row(table, place));
		if (lines)
			out_char(out, '\n');
	}
}

void alloc_write_json(struct out *out, const struct alloc_report *report,
		      const char *version, const char *kernel)
{
	json_program(out, version, kernel);
	json_origin(out, ", ", &report->time, report->source);
	out_text(out, ", \"allocinfo\": [");
	write_json(out, report, false);
	out_text(out, "\n]}\n");
}

void alloc_write_json_lines(struct out *out,
			    const struct alloc_report *report)
{
	write_json(out, report, true);
}

/* The header where @row is NULL. */
static void write_csv_row(struct out *out, const struct alloc_report *report,
			  const struct alloc_row *row)
{
	const struct alloc_table *table = report->table;
	struct alloc_name name;
	size_t member;

	if (report->series && row)
		time_write(out, &report->time);
	else if (report->series)
		out_text(out, "time");
	for (member = 0; member < MEMBERS; member++) {
		bool has = has_member(table, member);

		/* a series has the same columns in each sample */
		if (is_growth(member) ? !report->series : !has)
			continue;
		if (member || report->series)
			out_char(out, ',');
		if (!row) {
			out_text(out, members[member].name);
		} else if (!is_name(table, row, member, &name)) {
			if (has)
				write_plain(out, row, member);
		} else if (name.length) {
			out_char(out, '"');
			csv_text(out, name.text, name.length);
			out_char(out, '"');
		}
	}
	out_text(out, "\r\n");
}

void alloc_write_csv(struct out *out, const struct alloc_report *report)
{
	size_t place;

	if (report->head)
		write_csv_row(out, report, NULL);
	for (place = 0; place < report->table->shown; place++)
		write_csv_row(out, report,
			      alloc_table_row(report->table, place));
}

/* "{file="mm/slub.c",...}", or nothing. Return: 0 or -ENOMEM. */
static int write_labels(struct out *out, struct buffer *text,
			const struct alloc_table *table,
			const struct alloc_row *row)
{
	const char *before = "{";
	struct alloc_name name;
	bool is_text;
	size_t member;
	char *to;

	for (member = FILE_NAME; member <= MODULE_NAME; member++) {
		if (!has_member(table, member) ||
		    (is_name(table, row, member, &name) && !name.length))
			continue;
		out_format(out, "%s%s=\"", before, members[member].name);
		before = ",";
		if (member == LINE) {
			write_plain(out, row, member);
		} else {
			to = buffer_reserve(text, name.length * 3);
			if (!to)
				return -ENOMEM;
			out_bytes(out, to, (size_t)(openmetrics_label(to,
				name.text, name.length, &is_text) - to));
		}
		out_char(out, '"');
	}
	out_text(out, *before == ',' ? "} " : " ");
	return 0;
}

static int write_metric(struct out *out, struct buffer *text,
			const struct alloc_table *table, size_t member)
{
	size_t place;

	out_text(out, member == CALLS ? "# TYPE kernel_alloc_calls gauge\n"
		 "# HELP kernel_alloc_calls allocations not yet freed\n" :
		 "# TYPE kernel_alloc_bytes gauge\n"
		 "# UNIT kernel_alloc_bytes bytes\n"
		 "# HELP kernel_alloc_bytes memory not yet freed\n");
	for (place = 0; place < table->shown; place++) {
		const struct alloc_row *row = alloc_table_row(table, place);

		out_format(out, "kernel_alloc_%s", members[member].name);
		if (write_labels(out, text, table, row))
			return -ENOMEM;
		write_plain(out, row, member);
		out_char(out, '\n');
	}
	return 0;
}

int alloc_write_openmetrics(struct out *out,
			    const struct alloc_report *report)
{
	struct buffer text = { 0 };
	int err = write_metric(out, &text, report->table, BYTES);

	if (!err)
		err = write_metric(out, &text, report->table, CALLS);
	out_text(out, "# EOF\n");
	buffer_free(&text);
	return err;
}

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
#define NUMBERS		4	/* of a row: bytes, calls, growth of both */

const char *const alloc_by_names[] = {
	[ALLOC_FILE] = "file", [ALLOC_FUNCTION] = "function",
	[ALLOC_MODULE] = "module", [ALLOC_SITE] = "site",
};

static uint64_t magnitude(int64_t number)
{
	return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

static void write_signed(struct out *out, int64_t number)
{
	if (number < 0)
		out_char(out, '-');
	out_number(out, magnitude(number));
}

/* One of a row's numbers as a table shows it. Return: its length. */
static size_t put_cell(char *to, const struct alloc_row *row, size_t column,
		       bool exact)
{
	const int64_t numbers[NUMBERS] = {
		row->bytes, row->bytes_growth, row->calls, row->calls_growth,
	};
	int64_t number = numbers[column];
	bool sign = number < 0 || (number && column % 2);

	if (sign)
		*to = number < 0 ? '-' : '+';
	return sign + table_value(to + sign, magnitude(number), column < 2 ?
				  UNIT_BYTES : UNIT_NUMBER, exact);
}

static bool put(struct buffer *text, const char *bytes, size_t length)
{
	return !length || buffer_add(text, bytes, length);
}

bool alloc_row_text(struct buffer *text, const struct alloc_table *table,
		    const struct alloc_row *row)
{
	struct alloc_name file = alloc_table_name(table, row, ALLOC_FILE);
	struct alloc_name function = alloc_table_name(table, row,
						      ALLOC_FUNCTION);
	struct alloc_name module = alloc_table_name(table, row, ALLOC_MODULE);
	char line[FORMAT_NUMBER] = ":";

	if (table->query->by == ALLOC_MODULE && !module.length)
		return put(text, "-", 1);
	if (table->query->by != ALLOC_SITE)
		return put(text, file.text, file.length) &&
			put(text, module.text, module.length) &&
			put(text, function.text, function.length);
	return put(text, file.text, file.length) &&
		put(text, line, 1 + format_number(line + 1, row->line)) &&
		put(text, " [", module.length ? 2 : 0) &&
		put(text, module.text, module.length) &&
		put(text, "]", module.length ? 1 : 0) &&
		put(text, " func:", 6) &&
		put(text, function.text, function.length);
}

int alloc_write_table(struct out *out, const struct alloc_report *report)
{
	static const char heads[NUMBERS][8] = {
		"bytes", "+bytes", "calls", "+calls",
	};
	const struct alloc_table *table = report->table;
	size_t widths[NUMBERS], place, i, step = table->has_growth ? 1 : 2;
	struct buffer name = { 0 };
	char cell[CELL_SIZE];
	int err = 0;

	for (i = 0; i < NUMBERS; i++)
		widths[i] = strlen(heads[i]);
	for (place = 0; place < table->shown; place++) {
		for (i = 0; i < NUMBERS; i += step) {
			size_t width = put_cell(cell,
				alloc_table_row(table, place), i,
				report->bytes);

			if (width > widths[i])
				widths[i] = width;
		}
	}
	for (i = 0; i < NUMBERS; i += step) {
		table_pad(out, widths[i], strlen(heads[i]));
		out_text(out, heads[i]);
		out_text(out, "  ");
	}
	out_text(out, alloc_by_names[table->query->by]);
	out_char(out, '\n');
	for (place = 0; place < table->shown && !err; place++) {
		const struct alloc_row *row = alloc_table_row(table, place);

		for (i = 0; i < NUMBERS; i += step) {
			table_pad(out, widths[i], put_cell(cell, row, i,
							   report->bytes));
			out_text(out, cell);
			out_text(out, "  ");
		}
		name.used = 0;
		err = alloc_row_text(&name, table, row) ? 0 : -ENOMEM;
		table_text(out, name.data, name.used, '\0');
		out_text(out, row->accurate ? "\n" : " accurate:no\n");
	}
	buffer_free(&name);
	return err;
}

/* The members of a row. */
static void write_json_row(struct out *out, const struct alloc_table *table,
			   const struct alloc_row *row)
{
	size_t i;

	out_text(out, "\"bytes\": ");
	write_signed(out, row->bytes);
	out_text(out, ", \"calls\": ");
	write_signed(out, row->calls);
	if (table->has_growth) {
		out_text(out, ", \"bytes_growth\": ");
		write_signed(out, row->bytes_growth);
		out_text(out, ", \"calls_growth\": ");
		write_signed(out, row->calls_growth);
	}
	for (i = 0; i < ALLOC_NAMES; i++) {
		struct alloc_name name = alloc_table_name(table, row,
							  (enum alloc_by)i);

		if (!name.text)
			continue;
		out_text(out, ", \"");
		out_text(out, alloc_by_names[i]);
		out_text(out, "\": ");
		if (name.length)
			json_string(out, name.text, name.length);
		else
			out_text(out, "null");
		if (i == ALLOC_FILE && table->query->by == ALLOC_SITE) {
			out_text(out, ", \"line\": ");
			out_number(out, row->line);
		}
	}
	out_text(out, row->accurate ? ", \"accurate\": true}" :
		 ", \"accurate\": false}");
}

void alloc_write_json(struct out *out, const struct alloc_report *report,
		      const char *version, const char *kernel)
{
	size_t place;

	out_char(out, '{');
	json_program(out, version, kernel);
	json_origin(out, &report->time, report->source);
	out_text(out, "\"allocinfo\": [");
	for (place = 0; place < report->table->shown; place++) {
		out_text(out, place ? ",\n{" : "\n{");
		write_json_row(out, report->table,
			       alloc_table_row(report->table, place));
	}
	out_text(out, "\n]}\n");
}

void alloc_write_json_lines(struct out *out,
			    const struct alloc_report *report)
{
	size_t place;

	for (place = 0; place < report->table->shown; place++) {
		out_char(out, '{');
		json_origin(out, &report->time, report->source);
		write_json_row(out, report->table,
			       alloc_table_row(report->table, place));
		out_char(out, '\n');
	}
}

static void write_csv_head(struct out *out, const struct alloc_report *report)
{
	enum alloc_by by = report->table->query->by;

	out_text(out, report->series ?
		 "time,bytes,calls,bytes_growth,calls_growth," :
		 "bytes,calls,");
	out_text(out, by == ALLOC_SITE ? "file,line,function,module" :
		 alloc_by_names[by]);
	out_text(out, ",accurate\r\n");
}

static void write_csv_row(struct out *out, const struct alloc_report *report,
			  const struct alloc_row *row)
{
	const struct alloc_table *table = report->table;
	size_t i;

	if (report->series) {
		time_write(out, &report->time);
		out_char(out, ',');
	}
	write_signed(out, row->bytes);
	out_char(out, ',');
	write_signed(out, row->calls);
	if (report->series) {
		out_char(out, ',');
		if (table->has_growth)
			write_signed(out, row->bytes_growth);
		out_char(out, ',');
		if (table->has_growth)
			write_signed(out, row->calls_growth);
	}
	for (i = 0; i < ALLOC_NAMES; i++) {
		struct alloc_name name = alloc_table_name(table, row,
							  (enum alloc_by)i);

		if (!name.text)
			continue;
		out_text(out, name.length ? ",\"" : ",");
		csv_text(out, name.text, name.length);
		out_text(out, name.length ? "\"" : "");
		if (i == ALLOC_FILE && table->query->by == ALLOC_SITE) {
			out_char(out, ',');
			out_number(out, row->line);
		}
	}
	out_text(out, row->accurate ? ",true\r\n" : ",false\r\n");
}

void alloc_write_csv(struct out *out, const struct alloc_report *report)
{
	size_t place;

	if (report->head)
		write_csv_head(out, report);
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
	bool is_text;
	size_t i;

	for (i = 0; i < ALLOC_NAMES; i++) {
		struct alloc_name name = alloc_table_name(table, row,
							  (enum alloc_by)i);
		char *to = buffer_reserve(text, name.length * 3 + 1);

		if (!to)
			return -ENOMEM;
		if (!name.length)
			continue;
		out_text(out, before);
		before = ",";
		out_text(out, alloc_by_names[i]);
		out_text(out, "=\"");
		out_bytes(out, to, (size_t)(openmetrics_label(to, name.text,
			name.length, &is_text) - to));
		out_char(out, '"');
		if (i == ALLOC_FILE && table->query->by == ALLOC_SITE) {
			out_text(out, ",line=\"");
			out_number(out, row->line);
			out_char(out, '"');
		}
	}
	out_text(out, *before == ',' ? "} " : " ");
	return 0;
}

static int write_metric(struct out *out, struct buffer *text,
			const struct alloc_table *table, bool calls)
{
	static const char names[2][24] = {
		"kernel_alloc_bytes", "kernel_alloc_calls",
	};
	size_t place;

	out_text(out, calls ? "# TYPE kernel_alloc_calls gauge\n"
		 "# HELP kernel_alloc_calls allocations that are not freed,"
		 " by where they were made\n" :
		 "# TYPE kernel_alloc_bytes gauge\n"
		 "# UNIT kernel_alloc_bytes bytes\n"
		 "# HELP kernel_alloc_bytes memory that is allocated, by where"
		 " that was done\n");
	for (place = 0; place < table->shown; place++) {
		const struct alloc_row *row = alloc_table_row(table, place);

		out_text(out, names[calls]);
		if (write_labels(out, text, table, row))
			return -ENOMEM;
		write_signed(out, calls ? row->calls : row->bytes);
		out_char(out, '\n');
	}
	return 0;
}

int alloc_write_openmetrics(struct out *out,
			    const struct alloc_report *report)
{
	struct buffer text = { 0 };
	int err = write_metric(out, &text, report->table, false);

	if (!err)
		err = write_metric(out, &text, report->table, true);
	out_text(out, "# EOF\n");
	buffer_free(&text);
	return err;
}

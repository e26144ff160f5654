// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "../read/expression.h"
#include "../read/snapshot.h"
#include "../text.h"
#include "json.h"
#include "table.h"
#include "verdict.h"

static const char states[][9] = {
	[VERDICT_OK] = "OK", [VERDICT_WARNING] = "WARNING",
	[VERDICT_CRITICAL] = "CRITICAL", [VERDICT_UNKNOWN] = "UNKNOWN",
};

static const char units[][2] = {
	[VERDICT_NUMBER] = "", [VERDICT_BYTES] = "B", [VERDICT_PERCENT] = "%",
};

/* A text that anyone may have written. */
static void write_text(struct out *out, const char *text, size_t length)
{
	table_text(out, text, length, '|');
}

/* Millionths as a percentage: "93.2145", "80". */
static void write_percentage(struct out *out, uint64_t millionths)
{
	uint64_t scale = RATIO_ONE / 100, rest = millionths % scale;

	out_number(out, millionths / scale);
	if (rest)
		out_char(out, '.');
	for (; rest; rest %= scale) {
		scale /= 10;
		out_number(out, rest / scale);
	}
}

/* A number for a program; @none: what is none. */
static void write_exact(struct out *out, enum verdict_unit unit, uint64_t value,
			const char *none)
{
	if (value >= VALUE_NO_LIMIT)
		out_text(out, none);
	else if (unit == VERDICT_PERCENT)
		write_percentage(out, value);
	else
		out_number(out, value);
}

/* A number for a person. */
static void write_value(struct out *out, enum verdict_unit unit, uint64_t value)
{
	char text[24];

	if (value == VALUE_ABSENT) {
		out_text(out, "without a limit");
	} else if (unit != VERDICT_PERCENT) {
		table_value(text, value, unit == VERDICT_BYTES ? UNIT_BYTES :
			    UNIT_NUMBER, false);
		out_text(out, text);
	} else if (value == VALUE_NO_LIMIT) {
		out_text(out, "infinite");
	} else {
		write_percentage(out, value - value % (RATIO_ONE / 1000));
		out_char(out, '%');
	}
}

/* A threshold as a range that is good: "90", or "90:" for 90 and more. */
static void write_range(struct out *out, const struct verdict *verdict,
			uint64_t threshold)
{
	out_char(out, ';');
	write_exact(out, verdict->unit, threshold, "");
	if (verdict->is_below && threshold != VALUE_ABSENT)
		out_char(out, ':');
}

/* " | 'LABEL'=VALUE[UNIT];WARN;CRIT;MIN": U is what is no number. */
static void write_performance(struct out *out, const struct verdict *verdict)
{
	out_text(out, " | '");
	write_text(out, verdict->condition, verdict->left);
	out_text(out, "'=");
	write_exact(out, verdict->unit, verdict->value, "U");
	if (verdict->value < VALUE_NO_LIMIT)
		out_text(out, units[verdict->unit]);
	write_range(out, verdict, verdict->warn);
	write_range(out, verdict, verdict->crit);
	out_text(out, ";0");
}

/* "/a: current is 2.0M (> 1M), 1 of 9 cgroups exceed" */
static void write_worst(struct out *out, const struct verdict *verdict)
{
	const char *right = verdict->condition + verdict->left;

	if (verdict->subject) {
		write_text(out, verdict->subject, verdict->subject_size);
		out_text(out, ": ");
	}
	write_text(out, verdict->condition, verdict->left);
	out_text(out, " is ");
	write_value(out, verdict->unit, verdict->value);
	out_text(out, verdict->exceeding ? " (" : " (not ");
	right += text_span(right, " \t");
	write_text(out, right, strlen(right));
	out_char(out, ')');
	if (verdict->count)
		out_format(out, ", %llu of %llu %ss exceed",
			   (unsigned long long)verdict->exceeding,
			   (unsigned long long)verdict->count, verdict->kind);
}

static void write_line(struct out *out, const struct verdict *verdict)
{
	const char *condition = verdict->condition, *separator = ": ";

	out_text(out, states[verdict->state]);
	if (condition) {
		out_text(out, separator);
		write_worst(out, verdict);
		separator = "; ";
	}
	if (verdict->note) {
		out_text(out, separator);
		write_text(out, verdict->note, strlen(verdict->note));
	}
	if (condition)
		write_performance(out, verdict);
	out_char(out, '\n');
}

static void write_object(struct out *out, const struct verdict *verdict)
{
	enum verdict_unit unit = verdict->unit;

	out_format(out, "{\"state\": \"%s\", \"status\": %d",
		   states[verdict->state], verdict->state);
	if (verdict->condition) {
		if (verdict->subject) {
			out_format(out, ", \"%s\": ", verdict->kind);
			json_string(out, verdict->subject,
				    verdict->subject_size);
		}
		out_text(out, ", \"condition\": ");
		json_text(out, verdict->condition);
		out_text(out, ", \"value\": ");
		write_exact(out, unit, verdict->value, "null");
		out_format(out, ", \"unit\": \"%s\", \"warn\": ", units[unit]);
		write_exact(out, unit, verdict->warn, "null");
		out_text(out, ", \"crit\": ");
		write_exact(out, unit, verdict->crit, "null");
		if (verdict->count)
			out_format(out, ", \"exceeding\": %llu, \"of\": %llu",
				   (unsigned long long)verdict->exceeding,
				   (unsigned long long)verdict->count);
	}
	if (verdict->note) {
		out_text(out, ", \"note\": ");
		json_text(out, verdict->note);
	}
	out_text(out, "}\n");
}

void verdict_write(struct out *out, const struct verdict *verdict, bool json)
{
	if (json)
		write_object(out, verdict);
	else
		write_line(out, verdict);
}

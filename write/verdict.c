// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "../read/expression.h"
#include "../read/snapshot.h"
#include "json.h"
#include "table.h"
#include "verdict.h"

static const char *const states[] = {
	[VERDICT_OK] = "OK", [VERDICT_WARNING] = "WARNING",
	[VERDICT_CRITICAL] = "CRITICAL", [VERDICT_UNKNOWN] = "UNKNOWN",
};

/* A text that anyone may have written. */
static void write_text(struct out *out, const char *text)
{
	table_text(out, text, strlen(text), '|');
}

/* Millionths as a percentage: "93.2145", "80". */
static void write_percentage(struct out *out, uint64_t millionths)
{
	uint64_t rest = millionths % (RATIO_ONE / 100), scale;

	out_number(out, millionths / (RATIO_ONE / 100));
	if (rest)
		out_char(out, '.');
	for (scale = RATIO_ONE / 1000; rest; scale /= 10) {
		out_number(out, rest / scale);
		rest %= scale;
	}
}

/* A number for a program; @none: what is none. */
static void write_exact(struct out *out, const struct verdict *verdict,
			uint64_t value, const char *none)
{
	if (value >= VALUE_NO_LIMIT)
		out_text(out, none);
	else if (verdict->unit == VERDICT_PERCENT)
		write_percentage(out, value);
	else
		out_number(out, value);
}

/* A number for a person. */
static void write_value(struct out *out, const struct verdict *verdict)
{
	uint64_t value = verdict->value;
	char text[24];

	if (value == VALUE_ABSENT) {
		out_text(out, "without a limit");
	} else if (verdict->unit == VERDICT_PERCENT) {
		if (value == VALUE_NO_LIMIT) {
			out_text(out, "infinite");
			return;
		}
		write_percentage(out, value - value % (RATIO_ONE / 1000));
		out_char(out, '%');
	} else {
		table_value(text, value, verdict->unit == VERDICT_BYTES ?
			    UNIT_BYTES : UNIT_NUMBER, false);
		out_text(out, text);
	}
}

/* The length of a condition's left side, which begins at @condition. */
static size_t left_length(const char *condition)
{
	size_t length = strcspn(condition, "<>");

	while (length && strchr(" \t", condition[length - 1]))
		length--;
	return length;
}

/* A threshold as a range that is good: "90", or "90:" for 90 and more. */
static void write_range(struct out *out, const struct verdict *verdict,
			uint64_t threshold)
{
	out_char(out, ';');
	write_exact(out, verdict, threshold, "");
	if (verdict->is_below && threshold != VALUE_ABSENT)
		out_char(out, ':');
}

static const char *unit_of(const struct verdict *verdict)
{
	return verdict->unit == VERDICT_PERCENT ? "%" :
		verdict->unit == VERDICT_BYTES ? "B" : "";
}

/* " | 'LABEL'=VALUE[UNIT];WARN;CRIT;MIN": U is what is no number. */
static void write_performance(struct out *out, const struct verdict *verdict)
{
	out_text(out, " | '");
	table_text(out, verdict->condition, left_length(verdict->condition),
		   '\'');
	out_text(out, "'=");
	write_exact(out, verdict, verdict->value, "U");
	if (verdict->value < VALUE_NO_LIMIT)
		out_text(out, unit_of(verdict));
	write_range(out, verdict, verdict->warn);
	write_range(out, verdict, verdict->crit);
	out_text(out, ";0");
}

static void write_line(struct out *out, const struct verdict *verdict)
{
	const char *condition = verdict->condition;
	size_t length = condition ? left_length(condition) : 0;

	out_text(out, states[verdict->state]);
	if (condition) {
		out_text(out, ": ");
		if (verdict->subject) {
			table_text(out, verdict->subject, verdict->subject_size,
				   '|');
			out_text(out, ": ");
		}
		table_text(out, condition, length, '|');
		out_text(out, " is ");
		write_value(out, verdict);
		out_text(out, verdict->exceeding ? " (" : " (not ");
		condition += length + strspn(condition + length, " \t");
		write_text(out, condition);
		out_text(out, "), ");
		out_number(out, verdict->exceeding);
		out_text(out, " of ");
		out_number(out, verdict->count);
		out_char(out, ' ');
		out_text(out, verdict->kind);
		out_text(out, "s exceed");
	}
	if (verdict->note) {
		out_text(out, condition ? "; " : ": ");
		write_text(out, verdict->note);
	}
	if (condition)
		write_performance(out, verdict);
	out_char(out, '\n');
}

static void write_member(struct out *out, const char *name, const char *text,
			 size_t size)
{
	out_text(out, ", \"");
	out_text(out, name);
	out_text(out, "\": ");
	json_string(out, text, size);
}

static void write_number(struct out *out, const struct verdict *verdict,
			 const char *name, uint64_t number)
{
	out_text(out, ", \"");
	out_text(out, name);
	out_text(out, "\": ");
	write_exact(out, verdict, number, "null");
}

static void write_object(struct out *out, const struct verdict *verdict)
{
	struct verdict plain = { .unit = VERDICT_NUMBER };
	const char *condition = verdict->condition;

	out_text(out, "{\"state\": \"");
	out_text(out, states[verdict->state]);
	out_char(out, '"');
	write_number(out, &plain, "status", verdict->state);
	if (condition) {
		if (verdict->subject)
			write_member(out, verdict->kind, verdict->subject,
				     verdict->subject_size);
		write_member(out, "condition", condition, strlen(condition));
		write_number(out, verdict, "value", verdict->value);
		write_member(out, "unit", unit_of(verdict),
			     strlen(unit_of(verdict)));
		write_number(out, verdict, "warn", verdict->warn);
		write_number(out, verdict, "crit", verdict->crit);
		write_number(out, &plain, "exceeding", verdict->exceeding);
		write_number(out, &plain, "of", verdict->count);
	}
	if (verdict->note)
		write_member(out, "note", verdict->note, strlen(verdict->note));
	out_text(out, "}\n");
}

void verdict_write(struct out *out, const struct verdict *verdict, bool json)
{
	if (json)
		write_object(out, verdict);
	else
		write_line(out, verdict);
}

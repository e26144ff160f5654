/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_TABLE_H
#define MEMCGSTAT_TABLE_H

#include <stdbool.h>

#include "../read/selection.h"
#include "../read/snapshot.h"
#include "out.h"

struct table_style {
	const struct selection *selection;	/* columns, in its order */
	bool bytes;		/* exact numbers, not ones like 1.5M */
	size_t rows;		/* most that are printed; SIZE_MAX: all */
	size_t width;		/* of a line, characters: long paths lose their
				   beginning, and the last columns that do not
				   fit are left out, which the head tells;
				   SIZE_MAX: there is room */
	const char *end;	/* of a line */
};

/*
 * table_write - a snapshot as a table for people, the path last
 *
 * Return: 0 or -ENOMEM; errors of writing stay in @out.
 */
int table_write(struct out *out, const struct snapshot *snapshot,
		const struct table_style *style);

/*
 * table_value - a value as a table shows it
 * @to: at least 24 bytes
 *
 * Return: its length.
 */
size_t table_value(char *to, uint64_t value, enum field_unit unit, bool bytes);

/* Blanks, as many as @used is less than @width. */
void table_pad(struct out *out, size_t width, size_t used);

/*
 * table_text - a name, in which nothing moves the cursor
 * @also: a character that is to be \xNN, too, as controls and bytes that are no
 *	UTF-8 are; or NUL
 */
void table_text(struct out *out, const char *text, size_t size, char also);

#endif

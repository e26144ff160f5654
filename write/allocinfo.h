/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the kernel's allocation sites, in each of the formats. */
#ifndef MEMCGSTAT_ALLOCINFO_WRITE_H
#define MEMCGSTAT_ALLOCINFO_WRITE_H

#include <stdbool.h>
#include <time.h>

#include "../read/alloc_table.h"
#include "out.h"

/* By enum alloc_by, as they are printed. */
extern const char *const alloc_by_names[];

/* One sample. */
struct alloc_report {
	const struct alloc_table *table;	/* ranked */
	const char *source;
	struct timespec time;
	bool bytes;	/* in a table: exact numbers, not ones like 1.5M */
	bool head;	/* of CSV: begin with the header */
	bool series;	/* of CSV: columns for the time and growth */
};

/*
 * alloc_write_... - the rows, and how much they have grown where that is known
 *
 * In JSON a built-in site's module is null, in CSV empty, in OpenMetrics it has
 * no such label. OpenMetrics has no growth: who reads it makes that up.
 *
 * Return: 0 or -ENOMEM, or none; errors of writing stay in @out.
 */
int alloc_write_table(struct out *out, const struct alloc_report *report);
int alloc_write_openmetrics(struct out *out,
			    const struct alloc_report *report);
void alloc_write_json(struct out *out, const struct alloc_report *report,
		      const char *version, const char *kernel);
void alloc_write_json_lines(struct out *out,
			    const struct alloc_report *report);
void alloc_write_csv(struct out *out, const struct alloc_report *report);

#endif

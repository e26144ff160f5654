/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Kernel memory by the place in the source that allocated it: what the kernel's
 * code tags counted, summed up by site, file, function or module.
 */
#ifndef MEMCGSTAT_ALLOC_TABLE_H
#define MEMCGSTAT_ALLOC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

/* What rows are of. The first three are also the names that a tag has. */
enum alloc_by { ALLOC_FILE, ALLOC_FUNCTION, ALLOC_MODULE, ALLOC_SITE };

#define ALLOC_NAMES	ALLOC_SITE

/* A part of what was read; not terminated. */
struct alloc_name {
	const char *text;
	size_t length;
};

/*
 * One code tag (struct alloc_tag in include/linux/alloc_tag.h). The kernel sums
 * up its processors' counters while they move, so both may be below 0.
 */
struct alloc_tag {
	int64_t bytes, calls;
	struct alloc_name names[ALLOC_NAMES];	/* no module: it is built in */
	uint32_t line;
	bool accurate;		/* no allocation was left out */
};

/* What to keep, and in which order. */
struct alloc_query {
	enum alloc_by by;
	const char *parts[ALLOC_NAMES];	/* of names; NULL: any */
	uint64_t min_size;	/* of a row, bytes; 0: any, also below 0 */
	uint64_t top;		/* most rows */
	bool by_calls;		/* else by bytes, the largest first */
};

struct alloc_row {
	int64_t bytes, calls;
	int64_t bytes_growth, calls_growth;	/* since the table before */
	size_t names;		/* where they begin in table->names */
	uint32_t lengths[ALLOC_NAMES];
	uint32_t line;
	uint32_t chain, next;	/* by hash, and the number of the next in it */
	bool accurate;
};

#define ALLOC_CHAINS	4096	/* a kernel with all modules has 10,000 sites */

struct alloc_table {
	const struct alloc_query *query;
	struct buffer rows;	/* struct alloc_row */
	struct buffer names;
	struct buffer order;	/* of rows */
	size_t count, shown;	/* rows; those of them to print */
	bool has_growth;
	uint32_t chains[ALLOC_CHAINS];	/* numbers of rows, from 1; 0: none */
};

/* Begin anew, with the memory that there is. @table is all zeroes at first. */
void alloc_table_begin(struct alloc_table *table,
		       const struct alloc_query *query);

/*
 * alloc_table_add - count a tag, if the query wants it: tags of one row, as the
 * same inline function's in many objects, are summed up
 *
 * Return: 0 or -ENOMEM.
 */
int alloc_table_add(struct alloc_table *table, const struct alloc_tag *tag);

/*
 * alloc_table_grow - what each row has more than in an earlier table
 * @before: of the same query; a row that it lacks was 0
 */
void alloc_table_grow(struct alloc_table *table,
		      const struct alloc_table *before);

/*
 * alloc_table_rank - choose and sort the rows to print: by growth where there
 * is any, then by size, then as the kernel has them
 *
 * Return: 0 or -ENOMEM.
 */
int alloc_table_rank(struct alloc_table *table);

/* The row in a place, 0 to table->shown - 1, of those ranked. */
const struct alloc_row *alloc_table_row(const struct alloc_table *table,
					size_t place);

/* A row's name, terminated; empty where the rows are not by it. */
struct alloc_name alloc_table_name(const struct alloc_table *table,
				   const struct alloc_row *row,
				   enum alloc_by name);

/*
 * alloc_table_text - a row's name as the kernel prints it: "FILE:LINE [MODULE]
 * func:NAME", or that of these which rows are by; "-": it is built in
 * @text: appended to, not terminated
 *
 * Return: 0 or -ENOMEM.
 */
int alloc_table_text(const struct alloc_table *table,
		     const struct alloc_row *row, struct buffer *text);

void alloc_table_free(struct alloc_table *table);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A snapshot made over for --sort, --top and --rate: values picked out, rows in
 * another order or only some of them, counters as what they rose by since the
 * picture before. Who prints it need not know.
 */
#ifndef MEMCGSTAT_ARRANGE_H
#define MEMCGSTAT_ARRANGE_H

#include "expression.h"
#include "snapshot.h"

/* How to make it over. */
struct arrangement {
	struct sum sort;	/* columns; the largest comes first; count 0: as
				   they come */
	uint64_t top;		/* most rows */
	bool rate;
};

/* All values of one picture, in its order. */
struct picture {
	struct buffer values;	/* columns by columns, row by row */
	struct buffer rows;	/* struct picture_row */
	size_t columns, count;
	uint64_t clock;		/* when, nanoseconds */
};

/* All zeroes before the first use. */
struct arranged {
	struct snapshot snapshot;	/* the outcome */
	struct picture now, before;
	struct buffer log, paths;
};

/*
 * arrange - make over a snapshot
 * @arranged: its snapshot is valid until the next call
 * @from: as a source filled it in
 *
 * With rate set a cgroup's counters are absent where the call before did not
 * have that cgroup (by its id), or where they fell since; rows are sorted by
 * rates where they are sorted by counters.
 *
 * Return: 0 or -ENOMEM.
 */
int arrange(struct arranged *arranged, const struct snapshot *from,
	    const struct arrangement *how);

void arranged_free(struct arranged *arranged);

#endif

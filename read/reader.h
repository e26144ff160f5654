/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads a snapshot by one of the sources, and knows which is the best for a
 * job.
 */
#ifndef MEMCGSTAT_READER_H
#define MEMCGSTAT_READER_H

#include "../command/options.h"
#include "files.h"
#include "hierarchy.h"
#include "pin.h"
#include "selection.h"
#include "walk.h"

/* One source at work on one snapshot. */
struct reader {
	struct steps *steps;		/* NULL: nobody asks */
	bool has_files;			/* hierarchy's directory is open */
	enum source source;		/* the one at work */
	uint64_t count;			/* of cgroups; 0: not known */
	uint64_t above;			/* see limit_above() */
	const struct selection *selection;
	struct walk_options walk_options;
	struct reason no_files;		/* why has_files is not set */
	struct reason no_limit;		/* why above is not known */
	struct hierarchy hierarchy;
	struct selection v1_selection;	/* selection there */
	struct snapshot snapshot;
	struct walk_source walk;
	struct files_source files;
	struct pin pin;
};

/*
 * reader_open - find the cgroup that a person names, or the top
 * @reader: all zeroes; reader_close() it in any case
 * @selection: for v2; kept
 *
 * That nothing is mounted is no error: a walk tells the paths by itself.
 *
 * Return: 0, or -errno with a @reason where no source can help.
 */
int reader_open(struct reader *reader, const struct options *options,
		const struct selection *selection, struct reason *reason);

/*
 * reader_order - what auto tries, in this order
 * @count: set: how many of them
 */
const enum source *reader_order(struct reader *reader,
				const struct options *options, size_t *count);

/*
 * reader_read - fill reader->snapshot by one source
 *
 * Return: 0 or -errno with a @reason; as files_read() does, what could be read
 * may come with a @reason that tells of the rest.
 */
int reader_read(struct reader *reader, enum source source,
		const struct options *options, struct reason *reason);

/*
 * reader_repeat - fill reader->snapshot anew, by the source of the last
 * reader_read(), which succeeded: nothing is loaded again
 *
 * Columns only get more. Return: as reader_read().
 */
int reader_repeat(struct reader *reader, struct reason *reason);

void reader_close(struct reader *reader);

#endif

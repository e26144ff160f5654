/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The main job: cgroups and their statistics. */
#ifndef MEMCGSTAT_STAT_H
#define MEMCGSTAT_STAT_H

#include "../read/reader.h"
#include "../read/selection.h"
#include "options.h"

/* Bytes: why each source does not work. */
#define WHY_SIZE	(sizeof(struct reason) * SOURCES)

/*
 * stat_read - choose a source and read by it
 * @reader: all zeroes but for steps; reader_close() it in any case
 * @why: of WHY_SIZE bytes, set where not all could be read: one sentence
 *
 * Each field that is wanted has a column then.
 *
 * Return: DONE, and reader->snapshot.unreadable tells if something could not be
 * read; FAILED; or USAGE where a field is unknown.
 */
int stat_read(struct reader *reader, const struct options *options,
	      const struct selection *selection, char *why);

/*
 * stat_run - choose a source, read, print
 * @selection: of options->fields
 *
 * Return: an exit status; what went wrong has been said.
 */
int stat_run(const struct options *options, const struct selection *selection);

#endif

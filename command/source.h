/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Chooses the source of the first sample, and tells what came of it. */
#ifndef MEMCGSTAT_COMMAND_SOURCE_H
#define MEMCGSTAT_COMMAND_SOURCE_H

#include "../read/reader.h"
#include "options.h"

/* Bytes of a sentence: why each source does not work. */
#define WHY_SIZE	(sizeof(struct reason) * SOURCES)

/*
 * source_choose - take the first source that works
 * @reader: opened
 * @why: set: why none works, or of what something could not be read
 *
 * Return: 0, also where reader->snapshot.unreadable is not 0; or -errno.
 */
int source_choose(struct reader *reader, const struct options *options,
		  char *why);

/* source_unread - the sentence about what could not be read */
void source_unread(const struct reader *reader, const struct reason *reason,
		   char *why);

/*
 * source_complete - give each field that is wanted a column
 *
 * One that this kernel does not have is absent everywhere. One that nobody knows
 * was a mistake.
 *
 * Return: DONE, or USAGE with @why.
 */
int source_complete(struct reader *reader, char *why);

/* source_explain - what a person may want to know (-v) */
void source_explain(const struct reader *reader);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Replaces a file atomically: whoever reads it finds the old content or the new
 * one whole, also after a crash or on a full disk.
 */
#ifndef MEMCGSTAT_REPLACE_H
#define MEMCGSTAT_REPLACE_H

#include "../reason.h"

#define REPLACE_PATH	4096	/* PATH_MAX */

struct replace {
	int fd;			/* to write to */
	char path[REPLACE_PATH];	/* what is replaced; links are followed */
	char temporary[REPLACE_PATH];	/* empty: written to as it is */
};

/*
 * replace_begin - make a temporary file beside the one to be replaced
 * @path: the file; what is none, as /dev/null or a pipe, is written to as it is
 *
 * The temporary file is .NAME.tmp, locked while it is written to: one that a
 * process left that was killed is removed, so that no more than one is left ever.
 * The new file has the old one's permissions, else 0666 less the umask.
 *
 * Return: 0; -EBUSY where another process is at it; or another -errno; with a
 * @reason. End it by replace_commit() or replace_abort().
 */
int replace_begin(struct replace *replace, const char *path,
		  struct reason *reason);

/* Put the file in its place. Return: 0 or -errno with a @reason. */
int replace_commit(struct replace *replace, struct reason *reason);

/* Leave the old file as it is. */
void replace_abort(struct replace *replace);

#endif

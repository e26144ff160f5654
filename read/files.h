/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The file source: reads cgroup files, v2's and v1's, with whatever keys they
 * have. It works on any kernel.
 */
#ifndef MEMCGSTAT_FILES_H
#define MEMCGSTAT_FILES_H

#include "../reason.h"
#include "buffer.h"
#include "hierarchy.h"
#include "selection.h"
#include "snapshot.h"

#define FILES_MAX	40
#define FILE_LINES	160	/* further ones are found, only slower */
#define ABSENT_SURE	8	/* cgroups that tell what a kernel lacks */
#define KEY_LENGTH	255	/* bytes, of the longest that is no nonsense */
#define KEYS_SIZE	(32 << 10)	/* bytes of keys that no field has */

/* One file name, and how the last file of that name looked. */
struct cgroup_file {
	const char *name;
	bool has_keys;
	bool seen;		/* some cgroup has it */
	uint8_t absent;		/* cgroups that lack it, up to ABSENT_SURE */
	size_t line_count;
	uint16_t lines[FILE_LINES];	/* column of each line */
};

struct files_source {
	const struct hierarchy *hierarchy;
	const struct selection *selection;
	struct snapshot *snapshot;
	struct reason *reason;	/* for the first thing that cannot be read */
	struct buffer log;	/* the snapshot's */
	struct buffer children;	/* those listed but not yet visited */
	uint64_t above;		/* see limit_fill() */
	bool has_limit;		/* its slot is the first */
	size_t file_count, value_count, keys_used;
	struct cgroup_file files[FILES_MAX];
	uint64_t values[COLUMNS_MAX];	/* of the present cgroup, by slot */
	char keys[KEYS_SIZE];	/* those that the list of fields does not know */
};

/*
 * files_open - choose the files to read
 * @hierarchy: where; must stay open
 * @above: the tightest limit above it: limit_above()
 */
void files_open(struct files_source *source, struct snapshot *snapshot,
		const struct hierarchy *hierarchy,
		const struct selection *selection, uint32_t depth,
		uint64_t above);

/*
 * files_read - read all cgroups, once
 * @snapshot: the one given to files_open(); its log is valid until the next
 *	files_read() or files_close()
 *
 * Return: 0; -ENODATA where the first cgroup has no memory controller; another
 * -errno; with a @reason. Where single files or directories could not be read
 * the rest is there, snapshot->unreadable counts them, and @reason names one.
 */
int files_read(struct files_source *source, struct reason *reason);

void files_close(struct files_source *source);

#endif

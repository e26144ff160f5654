/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's allocation profiling (CONFIG_MEM_ALLOC_PROFILING, Linux 6.10 and
 * later; mm/alloc_tag.c): /proc/allocinfo by its ioctls where the kernel has
 * them (7.3), else as text, and whether it is on.
 */
#ifndef MEMCGSTAT_ALLOCINFO_H
#define MEMCGSTAT_ALLOCINFO_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "../reason.h"
#include "alloc_table.h"

enum alloc_state {
	ALLOC_ABSENT,		/* the kernel was built without */
	ALLOC_NEVER,		/* off until the next boot */
	ALLOC_OFF,		/* off now */
	ALLOC_ON,
	ALLOC_UNSEEN,		/* it is there; the sysctl is not to be seen */
};

/* By enum alloc_state, as it is printed. */
extern const char *const alloc_state_names[];

struct allocinfo {
	const char *proc;	/* where the file system is mounted */
	const char *source;	/* how it was read last: "ioctl", "text" */
	struct timespec time;	/* when */
	uint64_t bad_lines;	/* of the text, that are no tag */
	bool long_names;	/* the ioctls would cut some off */
};

/*
 * allocinfo_state - is allocation profiling there, and on?
 * @proc: "/proc"
 * @reason: set, unless it is on or unseen: what would turn it on
 */
enum alloc_state allocinfo_state(const char *proc, struct reason *reason);

/*
 * allocinfo_read - read all tags, once
 * @allocinfo: all zeroes but for proc at first, then as the last read left it
 * @table: begun; filled
 * @all: else tags that have nothing allocated may be left out, which does not
 *	change any sum
 *
 * Return: 0 or -errno with a @reason.
 */
int allocinfo_read(struct allocinfo *allocinfo, struct alloc_table *table,
		   bool all, struct reason *reason);

#endif

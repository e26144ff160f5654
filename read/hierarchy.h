/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finds where the memory controller's cgroups are mounted, and the cgroup that
 * a person names: a path as in /proc/self/cgroup, a directory, or "self".
 */
#ifndef MEMCGSTAT_HIERARCHY_H
#define MEMCGSTAT_HIERARCHY_H

#include <stddef.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../reason.h"

#define PATH_SIZE	4096	/* PATH_MAX: the kernel shows no longer ones */

/* A cgroup's directory. */
struct hierarchy {
	int version;		/* 2 or 1: of the hierarchy with the memory
				   controller */
	int fd;			/* the directory; negative: not opened */
	uint32_t levels;	/* of it below the top of what is mounted */
	char path[PATH_SIZE];	/* of the cgroup, "/" the root */
};

/* One cgroup mount, as /proc/self/mountinfo tells it. */
struct cgroup_mount {
	int version;		/* 1: a v1 hierarchy of the memory controller */
	char *root;		/* cgroup at its top; points into the line */
	char *point;		/* directory; points into the line */
};

/*
 * mountinfo_parse - read one line of /proc/self/mountinfo
 * @line: terminated, changed in place: octal escapes are decoded
 * @mount: filled in
 *
 * Return: 0; -ENOENT where it is no mount of cgroup2 and none of v1 memory;
 * -EINVAL where it is no line of mountinfo.
 */
int mountinfo_parse(char *line, struct cgroup_mount *mount);

/*
 * hierarchy_open - find a cgroup
 * @hierarchy: filled in; hierarchy_close() closes its fd
 * @operand: what a person named; NULL: the top of what is mounted
 *
 * Return: 0; -ENODEV where no hierarchy with the memory controller is mounted,
 * -EXDEV where only a part is that does not have the cgroup: path and version
 * are set all the same; -ENOENT, -ENOTDIR where there is no such cgroup; or
 * another -errno; with a @reason.
 */
int hierarchy_open(struct hierarchy *hierarchy, const char *operand,
		   struct reason *reason);

/*
 * hierarchy_count - how many cgroups there are, as cgroup.stat tells it
 * @directory: of the topmost one
 *
 * Return: at least 1, or 0 where nothing tells.
 */
uint64_t hierarchy_count(int directory);

/* Was the cgroup removed since it was opened? */
bool hierarchy_is_gone(const struct hierarchy *hierarchy);

void hierarchy_close(struct hierarchy *hierarchy);

#endif

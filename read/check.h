/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a walk takes from kernel memory is believed only once it agreed with
 * what the kernel prints: the numbers of one cgroup, field by field.
 */
#ifndef MEMCGSTAT_CHECK_H
#define MEMCGSTAT_CHECK_H

#include "walk.h"

/*
 * check_walk - compare one cgroup of a walk with another source
 * @source, @snapshot, @options: as they were for the walk_read() just done,
 *	which is repeated where a difference wants a second look
 *
 * The other source is the cgroup's files. Where options->directory is not open
 * and the walk is raw, it is the kernel's functions for BPF (kfunc), if there
 * are any; if not, source->unchecked is set.
 *
 * Return: 0; -EUCLEAN with a @reason that names the field where they differ for
 * good; or what walk_read() returns.
 */
int check_walk(struct walk_source *source, struct snapshot *snapshot,
	       const struct walk_options *options, struct reason *reason);

#endif

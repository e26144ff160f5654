/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The field "limit": the tightest memory.max of a cgroup and all above it, as far
 * up as can be seen. A record has room for it, which is filled in after a read.
 */
#ifndef MEMCGSTAT_LIMIT_H
#define MEMCGSTAT_LIMIT_H

#include "hierarchy.h"
#include "selection.h"
#include "snapshot.h"

/*
 * limit_column - add the column, if it is wanted
 * @version: FIELD_V1 or FIELD_V2
 * @offset: in a record's data, where 8 bytes are set aside for it
 *
 * Return: 1 where it was added, 0 where nobody wants it, or -ENOSPC.
 */
int limit_column(struct snapshot *snapshot, const struct selection *selection,
		 unsigned int version, uint32_t offset);

/*
 * limit_above - the tightest limit above a cgroup, by the files up to the top of
 * what is mounted
 *
 * Return: it; VALUE_NO_LIMIT where there is none, nothing is mounted or nobody
 * wants the field; VALUE_ABSENT with a @reason where a file cannot be read.
 */
uint64_t limit_above(const struct hierarchy *hierarchy,
		     const struct selection *selection, struct reason *reason);

/*
 * limit_fill - write the column's values, if there is one
 * @snapshot: its log can be written to, and begins with its topmost cgroup
 * @above: what limit_above() told
 *
 * Return: 0 or -ENOMEM.
 */
int limit_fill(const struct snapshot *snapshot, uint64_t above);

#endif

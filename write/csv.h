/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_CSV_H
#define MEMCGSTAT_CSV_H

#include "../read/snapshot.h"
#include "out.h"

/*
 * csv_write - a snapshot as a table after RFC 4180
 *
 * @head: begin with a header: path, id and the full names of fields
 * @time: begin each row with the time, and the header with "time"
 *
 * A row a cgroup. No limit is "max", what is absent is empty. A path's bytes
 * stay as they are.
 *
 * Return: 0 or -ENOMEM; errors of writing stay in @out.
 */
int csv_write(struct out *out, const struct snapshot *snapshot, bool head,
	      bool time);

/* What comes from a file or a directory, inside of quotes: any byte. */
void csv_text(struct out *out, const char *bytes, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_JSON_H
#define MEMCGSTAT_JSON_H

#include <stddef.h>
#include <time.h>

#include "../read/snapshot.h"
#include "out.h"

/*
 * json_string - bytes as a JSON string, quotes included
 *
 * Valid UTF-8 stays as it is. A byte 0xNN that is not part of any becomes the
 * escape \udcNN, so that distinct bytes stay distinct and can be got back
 * (Python's surrogateescape does).
 */
void json_string(struct out *out, const char *bytes, size_t size);

/* The same of a text; "null" where it is NULL. */
void json_text(struct out *out, const char *text);

/* How an object begins: which program, where. */
void json_program(struct out *out, const char *version, const char *kernel);

/* Members: when, by which source. @before: ", ", or "{" where it begins so */
void json_origin(struct out *out, const char *before,
		 const struct timespec *time, const char *source);

/*
 * json_write - a snapshot as one JSON object and a newline
 * @version, @kernel: of this program and of the running kernel
 *
 * Return: 0 or -ENOMEM; errors of writing stay in @out.
 */
int json_write(struct out *out, const struct snapshot *snapshot,
	       const char *version, const char *kernel);

/*
 * json_write_lines - a snapshot as one JSON object a cgroup, each in a line, with
 * the time and the source in it
 *
 * Return: as json_write().
 */
int json_write_lines(struct out *out, const struct snapshot *snapshot);

#endif

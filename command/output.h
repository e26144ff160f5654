/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a run leaves: output, complaints, an exit status. */
#ifndef MEMCGSTAT_OUTPUT_H
#define MEMCGSTAT_OUTPUT_H

#include <stdbool.h>

#include "../write/out.h"

#include "../version.h"

/* Exit status. */
enum { DONE = 0, FAILED = 1, USAGE = 2 };

/* What is written to: stdout, or what output_begin() opened. */
extern struct out output;

/* Say something on stderr: a line, and nothing in it moves the cursor. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

/*
 * output_begin - open what is written to
 * @file: to be replaced (write/replace.h); NULL: stdout
 *
 * Return: false where it cannot be written to, which has been said. End with
 * output_finish() or output_abort().
 */
bool output_begin(const char *file);

/*
 * Flush, put a file in its place, and say if not all was written. Return:
 * @status, or FAILED.
 */
int output_finish(int status);

/* Leave the old file as it is. */
void output_abort(void);

#endif

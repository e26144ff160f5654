/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why something cannot work: one plain sentence for a person, that names the
 * thing and the remedy. It travels beside a -errno.
 */
#ifndef MEMCGSTAT_REASON_H
#define MEMCGSTAT_REASON_H

#include "write/format.h"

struct reason {
	char text[480];
};

/* Set the sentence; return @err, so that a caller can return both at once. */
__attribute__((format(printf, 3, 4)))
int reason_set(struct reason *reason, int err, const char *format, ...);

/* Set the sentence "@what: what @err means"; return @err. */
int reason_error(struct reason *reason, int err, const char *what);

/* Set "out of memory"; return -ENOMEM. */
int reason_no_memory(struct reason *reason);

/*
 * error_text - what a -errno means, in words
 *
 * Return: the words; for one that is not expected here "error NUMBER", which is
 * good until the next such call.
 */
const char *error_text(int err);

#endif

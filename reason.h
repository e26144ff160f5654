/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why something cannot work: one plain sentence for a person, that names the
 * thing and the remedy. It travels beside a -errno.
 */
#ifndef MEMCGSTAT_REASON_H
#define MEMCGSTAT_REASON_H

#include <stdarg.h>

#include "write/format.h"

struct reason {
	char text[480];
};

/* Set the sentence; return @err, so that a caller can return both at once. */
__attribute__((format(printf, 3, 4))) static inline int
reason_set(struct reason *reason, int err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	format_list(reason->text, sizeof(reason->text), format, arguments);
	va_end(arguments);
	return err;
}

#endif

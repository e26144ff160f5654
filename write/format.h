/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The part of printf that is needed here. The libc's own brings floating point
 * and wide characters along, a quarter of the size that this binary may have.
 */
#ifndef MEMCGSTAT_FORMAT_H
#define MEMCGSTAT_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/*
 * format_text - text from a format and arguments
 * @to, @size: always terminated; what does not fit is left out
 * @format: %s, %.*s, %d, %u, %x, %llu, %%; %04u and %04x of 4 digits or more
 *
 * Return: the length that the whole text has.
 */
__attribute__((format(printf, 3, 4)))
size_t format_text(char *to, size_t size, const char *format, ...);
__attribute__((format(printf, 3, 0)))
size_t format_list(char *to, size_t size, const char *format,
		   va_list arguments);

#define FORMAT_NUMBER	24	/* bytes: more than any number, a point, a NUL */

/*
 * format_number - a number's decimal digits
 * @to: FORMAT_NUMBER bytes, all of which are written; terminated
 *
 * Return: the number of digits.
 */
size_t format_number(char *to, unsigned long long number);

/* The same of thousandths: "12.5"; zeroes at the end are left out. */
size_t format_thousandths(char *to, unsigned long long number);

#endif

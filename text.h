/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Short texts, taken apart. The libc's functions for that are made for long ones:
 * strspn(), strcspn() and strchr() take 700 bytes of a static program.
 */
#ifndef MEMCGSTAT_TEXT_H
#define MEMCGSTAT_TEXT_H

#include <stddef.h>

/* The number of bytes at @text that are all, or that are none, of @set. */
size_t text_span(const char *text, const char *set);
size_t text_until(const char *text, const char *set);

/* Where a byte is first from @at on, or @end. */
const char *text_find(const char *at, const char *end, char byte);

/* Take a line off @text, which moves behind its newline. Return: its end. */
const char *text_line(const char **text, const char *end);

/*
 * text_take - what begins at @at and ends before any of @ends, terminated
 * @at: moves on, to NULL where the text ends; it may be NULL
 *
 * Return: it, which may be empty; NULL where @at was.
 */
char *text_take(char **at, const char *ends);

/* The length of a path's directory, its slash included; 0: it has none. */
size_t text_directory(const char *path);

#endif

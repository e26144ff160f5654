/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_UTF8_H
#define MEMCGSTAT_UTF8_H

#include <stddef.h>

/*
 * utf8_length - how long the character at @at is
 * @left: bytes from there on, at least 1
 *
 * Return: 1 to 4 bytes, or 0 where no valid UTF-8 (RFC 3629) begins there.
 */
size_t utf8_length(const char *at, size_t left);

#endif

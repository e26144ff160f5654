/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A terminal in which a picture is drawn in place, again and again. */
#ifndef MEMCGSTAT_LIVE_H
#define MEMCGSTAT_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "../write/out.h"

/*
 * live_begin - take over the terminal: keys come one by one, unseen
 *
 * Return: false where stdin and stdout are no terminal. End with live_end().
 */
bool live_begin(void);

/* The window's size, characters. */
struct live_size {
	size_t lines, columns;
};

struct live_size live_size(void);

/*
 * live_clear, live_done - around a picture: it begins at the top left of what is
 * cleared, and lines do not wrap
 */
void live_clear(struct out *out);
void live_done(struct out *out);

/* Take the keys that were pressed. Return: is "q" among them, or the end? */
bool live_quits(void);

/* Give the terminal back; the last picture stays. */
void live_end(void);

#endif

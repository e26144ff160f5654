/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A terminal in which a picture is drawn in place, again and again. */
#ifndef MEMCGSTAT_LIVE_H
#define MEMCGSTAT_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "../write/out.h"

/*
 * Clears the next line, which is drawn over. Not the rest of this one: with its
 * last column written that would be the last character.
 */
#define LIVE_LINE_END	"\n\033[K"

/*
 * live_begin - take over the terminal: keys come one by one, unseen
 *
 * It is given back while the process is stopped. Return: false where stdin and
 * stdout are no terminal, or $TERM tells of none that draws. End with live_end().
 */
bool live_begin(void);

/* The window's size, characters. */
struct live_size {
	size_t lines, columns;
};

struct live_size live_size(void);

/*
 * live_home, live_done - around a picture, whose lines end with LIVE_LINE_END: it
 * begins at the top left, lines do not wrap, and what is below it is cleared
 */
void live_home(struct out *out);
void live_done(struct out *out);

/* Take the keys that were pressed. Return: is "q" among them, or the end? */
bool live_quits(void);

/* Give the terminal back; the last picture stays. */
void live_end(void);

#endif

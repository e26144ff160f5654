/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Buffered output that remembers its first error. */
#ifndef MEMCGSTAT_OUT_H
#define MEMCGSTAT_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OUT_SIZE	(64 << 10)

struct out {
	int fd;
	int err;		/* the first -errno; nothing is written after */
	size_t used;
	char buffer[OUT_SIZE];
};

/* Begin to write to a descriptor, which stays the caller's. */
void out_open(struct out *out, int fd);

/* Write what is buffered. Return: 0 or the first -errno of all. */
int out_flush(struct out *out);

void out_bytes(struct out *out, const void *bytes, size_t size);
void out_text(struct out *out, const char *text);
void out_char(struct out *out, char c);
void out_number(struct out *out, uint64_t number);

#define OUT_SHORT	48	/* bytes */

/* The same as out_bytes() for few bytes of OUT_SHORT that are there. */
static inline void out_short(struct out *out, const char *bytes, size_t size)
{
	if (OUT_SIZE - out->used < OUT_SHORT)
		out_flush(out);
	memcpy(out->buffer + out->used, bytes, OUT_SHORT);
	out->used += size;
}

#endif

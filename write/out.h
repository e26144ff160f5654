/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Buffered output that remembers its first error. */
#ifndef MEMCGSTAT_OUT_H
#define MEMCGSTAT_OUT_H

#include <stddef.h>
#include <stdint.h>

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
void out_thousandths(struct out *out, uint64_t number);

/* As format_text(), of any length. */
__attribute__((format(printf, 2, 3)))
void out_format(struct out *out, const char *format, ...);

/*
 * Room for @size bytes in the buffer; the caller counts up used. Return: NULL
 * where it is more than a buffer holds.
 */
static inline char *out_reserve(struct out *out, size_t size)
{
	if (OUT_SIZE - out->used < size)
		out_flush(out);
	return size > OUT_SIZE ? NULL : out->buffer + out->used;
}

#endif

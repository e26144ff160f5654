/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Memory that grows, straight from the kernel: pages that were never touched
 * cost nothing, and there is no allocator to carry along.
 */
#ifndef MEMCGSTAT_BUFFER_H
#define MEMCGSTAT_BUFFER_H

#include <stddef.h>

struct buffer {
	char *data;		/* NULL before the first use; moves as it grows */
	size_t used, room;	/* bytes */
};

/*
 * buffer_reserve - make room for @size bytes behind those used
 *
 * Return: where they go, or NULL where there is no memory. The caller counts up
 * used.
 */
void *buffer_reserve(struct buffer *buffer, size_t size);

/* Append bytes. Return: where they lie until the next growth, or NULL. */
void *buffer_add(struct buffer *buffer, const void *bytes, size_t size);

/* Read a whole file, terminated, into an empty buffer. Return: 0 or -errno. */
int buffer_file(struct buffer *text, const char *path);

void buffer_free(struct buffer *buffer);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the tests of writers share: columns to write, and what was written. */
#ifndef MEMCGSTAT_CAPTURE_H
#define MEMCGSTAT_CAPTURE_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../read/snapshot.h"
#include "../../write/out.h"

static struct out capture_out;

/* An output that goes to memory. */
static inline struct out *capture_begin(void)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	out_open(&capture_out, fd);
	return &capture_out;
}

/* Return: all of it, terminated; the caller frees it. */
static inline char *capture_end(size_t *size)
{
	off_t length;
	char *text;

	if (out_flush(&capture_out))
		abort();
	length = lseek(capture_out.fd, 0, SEEK_END);
	text = malloc((size_t)length + 1);
	if (!text || pread(capture_out.fd, text, (size_t)length, 0) != length)
		abort();
	text[length] = '\0';
	*size = (size_t)length;
	close(capture_out.fd);
	return text;
}

/* A column whose values lie in the record in the order of the columns. */
static inline void add_column(struct snapshot *snapshot, const char *file,
			      const char *key)
{
	const struct field *field = field_find(file, key,
					       key ? strlen(key) : 0);
	int column = snapshot_column(snapshot, file, key, field, true);

	snapshot->columns[column].slot.kind = SLOT_VALUE;
	snapshot->columns[column].slot.offset = (uint16_t)(column * 8);
}

#endif

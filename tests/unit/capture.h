/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a writer wrote, as text. */
#ifndef MEMCGSTAT_CAPTURE_H
#define MEMCGSTAT_CAPTURE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../write/out.h"

static struct out capture_out;

/* An output that goes to memory. */
static struct out *capture_begin(void)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	out_open(&capture_out, fd);
	return &capture_out;
}

/* Return: all of it, terminated; the caller frees it. */
static char *capture_end(size_t *size)
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

#endif

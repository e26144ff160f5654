// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "out.h"

static void write_all(struct out *out, const char *bytes, size_t size)
{
	while (size && !out->err) {
		ssize_t written = write(out->fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			out->err = -errno;
			return;
		}
		bytes += written;
		size -= (size_t)written;
	}
}

void out_open(struct out *out, int fd)
{
	out->fd = fd;
	out->err = 0;
	out->used = 0;
}

int out_flush(struct out *out)
{
	write_all(out, out->buffer, out->used);
	out->used = 0;
	return out->err;
}

void out_bytes(struct out *out, const void *bytes, size_t size)
{
	if (size > sizeof(out->buffer) - out->used)
		out_flush(out);
	if (size > sizeof(out->buffer)) {
		write_all(out, bytes, size);
		return;
	}
	memcpy(out->buffer + out->used, bytes, size);
	out->used += size;
}

void out_text(struct out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}

void out_char(struct out *out, char c)
{
	if (out->used == OUT_SIZE)
		out_flush(out);
	out->buffer[out->used++] = c;
}

void out_number(struct out *out, uint64_t number)
{
	if (OUT_SIZE - out->used < FORMAT_NUMBER)
		out_flush(out);
	if (number < 10)	/* most are 0 */
		out->buffer[out->used++] = (char)('0' + number);
	else
		out->used += format_number(out->buffer + out->used, number);
}

void out_thousandths(struct out *out, uint64_t number)
{
	if (OUT_SIZE - out->used < FORMAT_NUMBER)
		out_flush(out);
	out->used += format_thousandths(out->buffer + out->used, number);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../fd.h"
#include "buffer.h"

#define STEP	((size_t)64 << 10)

void *buffer_reserve(struct buffer *buffer, size_t size)
{
	size_t room;
	void *data;

	if (size > buffer->room - buffer->used) {
		room = buffer->used + buffer->used / 2 + size + STEP;
		room -= room % STEP;
		if (buffer->data)
			/* there are no threads that the libc's waits for */
			data = (void *)syscall(SYS_mremap, buffer->data,
					       buffer->room, room,
					       MREMAP_MAYMOVE);
		else
			data = mmap(NULL, room, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (data == MAP_FAILED)
			return NULL;
		buffer->data = data;
		buffer->room = room;
	}
	return buffer->data + buffer->used;
}

void *buffer_add(struct buffer *buffer, const void *bytes, size_t size)
{
	void *to = buffer_reserve(buffer, size);

	if (to) {
		memcpy(to, bytes, size);
		buffer->used += size;
	}
	return to;
}

int buffer_file(struct buffer *text, const char *path)
{
	int fd = fd_open(AT_FDCWD, path, O_RDONLY);
	ssize_t got = 0;
	char *to;

	if (fd < 0)
		return fd;
	while ((to = buffer_reserve(text, 4096))) {
		got = read(fd, to, 4095);
		if (got <= 0)
			break;
		text->used += (size_t)got;
	}
	if (got < 0)
		got = -errno;
	close(fd);
	if (to)
		*to = '\0';
	return to ? (int)got : -ENOMEM;
}

void buffer_free(struct buffer *buffer)
{
	if (buffer->data)
		munmap(buffer->data, buffer->room);
	memset(buffer, 0, sizeof(*buffer));
}

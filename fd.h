/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_FD_H
#define MEMCGSTAT_FD_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/*
 * fd_high - move a file descriptor out of the way of stdin, stdout and stderr
 * @fd: taken over; or a negative return of open() and its like
 *
 * At init these three may be closed: the next open() would become stdout, and
 * an fd of 0 means "none" to bpf(2).
 *
 * Return: a descriptor above 2, or -errno.
 */
static inline int fd_high(int fd)
{
	int high;

	if (fd < 0)
		return -errno;
	if (fd > STDERR_FILENO)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (high < 0)
		high = -errno;
	close(fd);
	return high;
}

#endif

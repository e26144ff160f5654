/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_FD_H
#define MEMCGSTAT_FD_H

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * fd_high - move a file descriptor out of the way of stdin, stdout and stderr
 * @fd: taken over; or a negative return of open() and its like
 *
 * At init these three may be closed: the next open() would become stdout, and
 * an fd of 0 means "none" to bpf(2).
 *
 * Return: a descriptor above 2, or -errno.
 */
int fd_high(int fd);

/*
 * fd_open - openat() with O_CLOEXEC, out of the way as above
 * @directory: what @path is relative to; or AT_FDCWD
 *
 * A new file is its owner's alone. Return: a descriptor above 2, or -errno.
 */
int fd_open(int directory, const char *path, int flags);

/*
 * fd_read - read a small file, of which the kernel tells all at once
 * @name: in @directory, or a path from there
 *
 * Return: bytes read into @text, of @size at most, or -errno.
 */
ssize_t fd_read(int directory, const char *name, char *text, size_t size);

/*
 * fd_stat - fstatat(); of @directory itself where @path is ""
 *
 * Return: 0, or -1 with errno.
 */
int fd_stat(int directory, const char *path, struct stat *stat, int flags);

#endif

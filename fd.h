/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_FD_H
#define MEMCGSTAT_FD_H

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

#endif

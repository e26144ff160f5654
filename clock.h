/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_CLOCK_H
#define MEMCGSTAT_CLOCK_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * clock_read - clock_gettime() without the vDSO: the libc's search for it is a
 * kilobyte, and a clock is read a few times a sample. Where a long is less than
 * the time the syscall of that name has another struct.
 */
static inline void clock_read(clockid_t clock, struct timespec *now)
{
	if (sizeof(long) == sizeof(now->tv_sec))
		syscall(SYS_clock_gettime, clock, now);
	else
		clock_gettime(clock, now);
}

#endif

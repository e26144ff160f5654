// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

volatile uint64_t sink;

uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void msleep(unsigned int milliseconds)
{
	usleep(milliseconds * 1000);
}

void need(bool ok, const char *format, ...)
{
	int err = errno;
	va_list arguments;

	if (ok)
		return;
	fflush(stdout);
	fputs("bench: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	if (err)
		fprintf(stderr, " (%s)", strerror(err));
	fputc('\n', stderr);
	exit(1);
}

static int compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

struct summary summarize(uint64_t *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return (struct summary){ values[0], values[count / 2] };
}

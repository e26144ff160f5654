/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_TIME_H
#define MEMCGSTAT_TIME_H

#include <time.h>

#include "out.h"

/* A time by CLOCK_REALTIME as RFC 3339 has it, in UTC, to the microsecond. */
void time_write(struct out *out, const struct timespec *time);

#endif

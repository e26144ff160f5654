// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stddef.h>

#include "../clock.h"
#include "../steps.h"

/* Microseconds. */
static uint64_t time_of(clockid_t clock)
{
	struct timespec now;

	clock_read(clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void steps_begin(struct steps *steps)
{
	steps->done[0].name = "exec";
	steps->done[0].time = time_of(CLOCK_PROCESS_CPUTIME_ID);
	steps->count = 1;
	steps->last = time_of(CLOCK_MONOTONIC);
}

void steps_note(struct steps *steps, const char *name)
{
	uint64_t now;

	if (!steps || steps->count == STEPS_MAX)
		return;
	now = time_of(CLOCK_MONOTONIC);
	steps->done[steps->count].name = name;
	steps->done[steps->count++].time = now - steps->last;
	steps->last = now;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the time of a run goes, for -vv: each step is noted at its end. Without
 * -vv nothing is measured.
 */
#ifndef MEMCGSTAT_STEPS_H
#define MEMCGSTAT_STEPS_H

#include <stdint.h>
#include <time.h>

#define STEPS_MAX	24

struct steps {
	uint32_t count;
	uint64_t last;		/* when the last step ended, microseconds */
	struct {
		const char *name;
		uint64_t time;	/* that it took, microseconds */
	} done[STEPS_MAX];
};

static inline uint64_t steps_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* A step has ended. Nothing is done where @steps is NULL. */
static inline void steps_note(struct steps *steps, const char *name)
{
	uint64_t now;

	if (!steps || steps->count == STEPS_MAX)
		return;
	now = steps_clock(CLOCK_MONOTONIC);
	steps->done[steps->count].name = name;
	steps->done[steps->count++].time = now - steps->last;
	steps->last = now;
}

/* Begin. What came before main() is told by the process's own clock. */
static inline void steps_begin(struct steps *steps)
{
	steps->done[0].name = "exec";
	steps->done[0].time = steps_clock(CLOCK_PROCESS_CPUTIME_ID);
	steps->count = 1;
	steps->last = steps_clock(CLOCK_MONOTONIC);
}

#endif

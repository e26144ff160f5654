/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the time of a run goes, for -vv: each step is noted at its end. Without
 * -vv nothing is measured.
 */
#ifndef MEMCGSTAT_STEPS_H
#define MEMCGSTAT_STEPS_H

#include <stdint.h>

#define STEPS_MAX	24

struct steps {
	uint32_t count;
	uint64_t last;		/* when the last step ended, microseconds */
	struct {
		const char *name;
		uint64_t time;	/* that it took, microseconds */
	} done[STEPS_MAX];
};

/* Begin. What came before main() is told by the process's own clock. */
void steps_begin(struct steps *steps);

/* A step has ended. Nothing is done where @steps is NULL. */
void steps_note(struct steps *steps, const char *name);

#endif

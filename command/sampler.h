/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * When to take a sample, and when to stop (--interval, --count). Samples are due
 * at fixed times after the first: what one takes does not put off the next, and
 * one that takes longer than the interval skips times instead of running late.
 */
#ifndef MEMCGSTAT_SAMPLER_H
#define MEMCGSTAT_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

struct sampler {
	uint64_t interval;	/* nanoseconds */
	uint64_t left;		/* samples yet to take */
	uint64_t due;		/* when the last one was to be, nanoseconds of
				   CLOCK_MONOTONIC */
	bool started;
};

/* Why a wait was over. */
enum sampler_event {
	SAMPLER_DUE,		/* take a sample */
	SAMPLER_INPUT,		/* there is something to read */
	SAMPLER_RESIZED,	/* the terminal's window is another size, or
				   may hold what others drew */
	SAMPLER_END,		/* the last was taken, or a signal ended it */
};

/*
 * sampler_begin - the times of the options; where there is more than one, SIGINT
 * and SIGTERM end it after the sample under way, and at once if they come again
 */
void sampler_begin(struct sampler *sampler, const struct options *options);

/*
 * sampler_wait - wait until the next sample is due; the first is at once
 * @input: also return when this descriptor can be read from or the terminal's
 *	window has changed; -1: only for a sample
 */
enum sampler_event sampler_wait(struct sampler *sampler, int input);

#endif

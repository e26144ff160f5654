/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes that keep the statistics of some leaves of a tree moving. */
#ifndef BENCH_CHURNERS_H
#define BENCH_CHURNERS_H

#include "bench.h"

struct churners {
	volatile bool *stop;	/* shared with them */
	pid_t *children;
	size_t count;
};

/*
 * churners_start - one process in each of so many leaves, evenly spread
 * @cpus: that each migrates over; 0: it runs where the scheduler puts it
 *
 * The first processor stays free, for the reader, which is put there. Return
 * when each has its memory, which it keeps, and is about to begin.
 */
void churners_start(struct churners *churners, const struct tree *tree,
		    size_t hot, unsigned int cpus);

void churners_stop(struct churners *churners);

/* Processors that churners have. */
unsigned int churner_cpus(void);

#endif

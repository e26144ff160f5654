/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Samples of the kernel's allocation sites, as the options want them. */
#ifndef MEMCGSTAT_ALLOC_JOB_H
#define MEMCGSTAT_ALLOC_JOB_H

#include "../read/allocinfo.h"
#include "options.h"

struct alloc_job {
	const struct options *options;
	struct alloc_query query;
	struct allocinfo allocinfo;
	uint64_t samples;		/* taken */
	bool all;			/* read also what has nothing */
	struct alloc_table tables[2];	/* by turns: this sample, the last */
};

/*
 * alloc_job_begin - what do the options ask?
 * @job: all zeroes; alloc_job_end() it in any case
 *
 * Return: 0, or -EINVAL with a @reason.
 */
int alloc_job_begin(struct alloc_job *job, const struct options *options,
		    struct reason *reason);

/*
 * alloc_job_sample - take one sample, and rank it
 *
 * It has growth from the second one on. Return: the table, valid until the next
 * but one; or NULL with a @reason.
 */
const struct alloc_table *alloc_job_sample(struct alloc_job *job,
					   struct reason *reason);

/* Was a part of the last sample not to be read? Then there is a @reason. */
bool alloc_job_lacks(const struct alloc_job *job, struct reason *reason);

void alloc_job_end(struct alloc_job *job);

#endif

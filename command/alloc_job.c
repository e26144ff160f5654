// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../write/allocinfo.h"
#include "alloc_job.h"

static int parse_by(struct alloc_query *query, const char *by,
		    struct reason *reason)
{
	int i;

	for (i = ALLOC_FILE; i <= ALLOC_SITE; i++) {
		if (!strcmp(by, alloc_by_names[i])) {
			query->by = (enum alloc_by)i;
			return 0;
		}
	}
	return reason_set(reason, -EINVAL, "--by '%s': site, function, file or"
			  " module", by);
}

int alloc_job_begin(struct alloc_job *job, const struct options *options,
		    struct reason *reason)
{
	const char *sort = options->sort ? options->sort : "bytes";
	struct alloc_query *query = &job->query;

	job->options = options;
	job->allocinfo.proc = "/proc";
	query->by_calls = !strcmp(sort, "calls");
	if (!query->by_calls && strcmp(sort, "bytes"))
		return reason_set(reason, -EINVAL, "--sort '%s': with"
				  " --allocinfo bytes or calls", sort);
	if (options->operand)
		return reason_set(reason, -EINVAL, "--allocinfo is of the whole"
				  " kernel, not of the cgroup '%s'",
				  options->operand);
	if (options->rate)
		return reason_set(reason, -EINVAL, "--allocinfo has no --rate:"
				  " with --interval it tells growth");
	query->parts[ALLOC_FILE] = options->file;
	query->parts[ALLOC_FUNCTION] = options->function;
	query->parts[ALLOC_MODULE] = options->module;
	query->min_size = options->min_size;
	query->top = options->top;
	return parse_by(query, options->by ? options->by : "site", reason);
}

/* Are all rows that are shown larger than those that were not read? */
static bool has_enough(const struct alloc_table *table)
{
	const struct alloc_query *query = table->query;
	const struct alloc_row *last;

	if (query->min_size)
		return true;
	if (table->shown < query->top)
		return false;
	last = alloc_table_row(table, table->shown - 1);
	return (query->by_calls ? last->calls : last->bytes) > 0;
}

const struct alloc_table *alloc_job_sample(struct alloc_job *job,
					   struct reason *reason)
{
	struct alloc_table *table = &job->tables[job->samples % 2];
	/* what has nothing may still be among few, and may have grown less */
	bool all = job->all || (!job->query.min_size &&
				job->query.top == UINT64_MAX), again;

	do {
		alloc_table_begin(table, &job->query);
		if (allocinfo_read(&job->allocinfo, table, all, reason))
			return NULL;
		if (job->samples)
			alloc_table_grow(table, &job->tables[
					 (job->samples - 1) % 2]);
		if (alloc_table_rank(table)) {
			reason_no_memory(reason);
			return NULL;
		}
		again = !all && !has_enough(table);
		all = true;
	} while (again);
	job->samples++;
	return table;
}

bool alloc_job_lacks(const struct alloc_job *job, struct reason *reason)
{
	if (!job->allocinfo.bad_lines)
		return false;
	reason_set(reason, 0, "%s/allocinfo: lines that are no site, and are"
		   " left out: %llu", job->allocinfo.proc,
		   (unsigned long long)job->allocinfo.bad_lines);
	return true;
}

void alloc_job_end(struct alloc_job *job)
{
	alloc_table_free(&job->tables[0]);
	alloc_table_free(&job->tables[1]);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>
#include <sys/utsname.h>

#include "../read/allocinfo.h"
#include "../write/allocinfo.h"
#include "../write/format.h"
#include "../write/time.h"
#include "allocinfo.h"
#include "output.h"
#include "sampler.h"

struct job {
	const struct options *options;
	struct alloc_query query;
	struct allocinfo allocinfo;
	struct alloc_table tables[2];	/* by turns: this sample, the last */
	uint64_t samples;		/* taken */
	bool is_series;			/* there is to be more than one */
	bool incomplete;		/* not all could be read */
};

/* Return: false with a @reason where what was asked for makes no sense. */
static bool parse_query(struct alloc_query *query,
			const struct options *options, struct reason *reason)
{
	const char *by = options->by ? options->by : "site";
	const char *sort = options->sort ? options->sort : "bytes";

	while (strcmp(by, alloc_by_names[query->by]))
		if (query->by++ == ALLOC_SITE)
			return reason_set(reason, false, "--by '%s': site,"
					  " function, file or module", by);
	query->by_calls = !strcmp(sort, "calls");
	if (!query->by_calls && strcmp(sort, "bytes"))
		return reason_set(reason, false, "--sort '%s': with"
				  " --allocinfo bytes or calls", sort);
	if (options->operand)
		return reason_set(reason, false, "--allocinfo is of the whole"
				  " kernel, not of the cgroup '%s'",
				  options->operand);
	if (options->rate)
		return reason_set(reason, false, "--allocinfo has no --rate:"
				  " --interval tells growth");
	query->parts[ALLOC_FILE] = options->file;
	query->parts[ALLOC_FUNCTION] = options->function;
	query->parts[ALLOC_MODULE] = options->module;
	query->min_size = options->min_size;
	query->top = options->top;
	return true;
}

/*
 * Would a row that has nothing allocated be printed? If none of those read is
 * to be, and no growth is to be told, they need not be read.
 */
static bool wants_all(const struct job *job)
{
	return !job->query.min_size &&
		(job->is_series || job->query.top == UINT64_MAX);
}

/* Are all rows that are printed larger than those that were not read? */
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

/* Fill a table. Return: 0 or -errno; what went wrong has been said. */
static int read_sample(struct job *job, struct alloc_table *table)
{
	const struct alloc_table *before = &job->tables[table == job->tables];
	bool all = wants_all(job), again;
	struct reason reason;
	int err;

	do {
		alloc_table_begin(table, &job->query);
		err = allocinfo_read(&job->allocinfo, table, all, &reason);
		if (err) {
			complain("%s", reason.text);
			return err;
		}
		if (job->samples)
			alloc_table_grow(table, before);
		err = alloc_table_rank(table);
		if (err) {
			complain("out of memory");
			return err;
		}
		again = !all && !has_enough(table);
		all = true;
	} while (again);
	return 0;
}

static void explain(struct job *job)
{
	struct reason reason;

	if (allocinfo_state(job->allocinfo.proc, &reason) == ALLOC_OFF)
		complain("%s; these numbers stand still", reason.text);
	if (!job->options->verbose)
		return;
	complain("source: %s", job->allocinfo.source);
	if (job->allocinfo.long_names)
		complain("ioctl: it would cut names of 64 bytes or more");
}

/* Return: DONE, or FAILED where it cannot be written. */
static int print(const struct job *job, const struct alloc_table *table)
{
	const struct options *options = job->options;
	struct alloc_report report = {
		.table = table, .source = job->allocinfo.source,
		.time = job->allocinfo.time, .bytes = options->bytes,
		.head = options->output || !job->samples,
		.series = job->is_series,
	};
	struct utsname names;
	int err = 0;

	if (!output_begin(options->output))
		return FAILED;
	switch (options->format) {
	case FORMAT_JSON:
		uname(&names);
		alloc_write_json(&output, &report, VERSION, names.release);
		break;
	case FORMAT_JSON_LINES:
		alloc_write_json_lines(&output, &report);
		break;
	case FORMAT_CSV:
		alloc_write_csv(&output, &report);
		break;
	case FORMAT_OPENMETRICS:
		err = alloc_write_openmetrics(&output, &report);
		break;
	case FORMAT_TABLE:
		if (job->samples)
			out_char(&output, '\n');
		if (job->is_series) {
			time_write(&output, &report.time);
			out_char(&output, '\n');
		}
		err = alloc_write_table(&output, &report);
	}
	if (err) {
		complain("out of memory");
		output_abort();
		return FAILED;
	}
	return output_finish(DONE);
}

/* Take one sample and print it. Return: an exit status. */
static int sample(struct job *job)
{
	struct alloc_table *table = &job->tables[job->samples % 2];
	int status;

	if (read_sample(job, table))
		return FAILED;
	if (!job->samples)
		explain(job);
	if (job->allocinfo.bad_lines) {
		complain("%s/allocinfo: lines that are no site, and are left"
			 " out: %llu", job->allocinfo.proc,
			 (unsigned long long)job->allocinfo.bad_lines);
		job->incomplete = true;
	}
	status = print(job, table);
	job->samples++;
	return status;
}

int allocinfo_run(const struct options *options)
{
	static struct job job;
	struct sampler sampler;
	struct reason reason;
	int status = DONE;

	job.options = options;
	job.allocinfo.proc = "/proc";
	if (!parse_query(&job.query, options, &reason)) {
		complain("%s (try memcgstat --help)", reason.text);
		return USAGE;
	}
	sampler_begin(&sampler, options);
	job.is_series = sampler.left > 1;
	while (!status && sampler_wait(&sampler, -1) == SAMPLER_DUE)
		status = sample(&job);
	alloc_table_free(&job.tables[0]);
	alloc_table_free(&job.tables[1]);
	return status ? status : job.incomplete ? FAILED : DONE;
}

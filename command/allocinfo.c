// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>
#include <sys/utsname.h>

#include "../write/allocinfo.h"
#include "../write/time.h"
#include "alloc_job.h"
#include "allocinfo.h"
#include "output.h"
#include "sampler.h"

static void explain(const struct alloc_job *job)
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

static int write_table(const struct alloc_report *report, bool is_first)
{
	if (!is_first)
		out_char(&output, '\n');
	if (report->series) {
		time_write(&output, &report->time);
		out_char(&output, '\n');
	}
	return alloc_write_table(&output, report);
}

/* Return: DONE, or FAILED where it cannot be written. */
static int print(const struct alloc_job *job, const struct alloc_table *table,
		 bool is_series)
{
	const struct options *options = job->options;
	struct alloc_report report = {
		.table = table, .source = job->allocinfo.source,
		.time = job->allocinfo.time, .bytes = options->bytes,
		.head = options->output || job->samples == 1,
		.series = is_series,
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
		err = write_table(&report, report.head);
	}
	if (err) {
		complain("out of memory");
		output_abort();
		return FAILED;
	}
	return output_finish(DONE);
}

/* All samples. Return: an exit status. */
static int repeat(struct alloc_job *job)
{
	const struct alloc_table *table;
	struct sampler sampler;
	struct reason reason;
	bool is_series, incomplete = false;
	int status = DONE;

	sampler_begin(&sampler, job->options);
	job->all = is_series = sampler.left > 1;
	while (!status && sampler_wait(&sampler, -1) == SAMPLER_DUE) {
		table = alloc_job_sample(job, &reason);
		if (!table) {
			complain("%s", reason.text);
			return FAILED;
		}
		if (job->samples == 1)
			explain(job);
		if (alloc_job_lacks(job, &reason)) {
			complain("%s", reason.text);
			incomplete = true;
		}
		status = print(job, table, is_series);
	}
	return status ? status : incomplete ? FAILED : DONE;
}

int allocinfo_run(const struct options *options)
{
	static struct alloc_job job;	/* all zeroes */
	struct reason reason;
	int status = USAGE;

	if (alloc_job_begin(&job, options, &reason))
		complain("%s (try memcgstat --help)", reason.text);
	else
		status = repeat(&job);
	alloc_job_end(&job);
	return status;
}

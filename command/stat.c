// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../read/arrange.h"
#include "../read/reader.h"
#include "../write/csv.h"
#include "../write/format.h"
#include "../write/json.h"
#include "../write/openmetrics.h"
#include "../write/table.h"
#include "../write/time.h"
#include "live.h"
#include "output.h"
#include "sampler.h"
#include "source.h"
#include "stat.h"

struct job {
	const struct options *options;
	struct reader reader;
	struct selected sort[SUM_FIELDS];	/* what rows are sorted by */
	size_t sort_count;
	struct arrangement how;
	struct arranged arranged;
	const struct snapshot *shown;	/* the last; NULL: none yet */
	uint64_t samples, printed;	/* how many */
	bool head[COLUMNS_MAX];		/* columns of the last CSV head */
	char unread[WHY_SIZE];		/* what could not be read */
	bool is_series;			/* more than one is to be printed */
	bool live;			/* in place, in a terminal */
};

/* Where the time went, in one line. */
static void explain_steps(const struct steps *steps)
{
	char text[1024];
	size_t used = 0;
	uint32_t i;

	for (i = 0; i < steps->count; i++)
		used += format_text(text + used, sizeof(text) - used,
				    "%s%s %llu", i ? ", " : "",
				    steps->done[i].name, (unsigned long long)
				    steps->done[i].time);
	complain("microseconds: %s", text);
}

/* What a table, or a terminal, needs to know besides the cgroups. */
static void write_heading(const struct job *job, const char *end)
{
	const struct snapshot *snapshot = job->shown;
	char text[128];

	time_write(&output, &snapshot->time);
	if (job->live) {
		format_text(text, sizeof(text), "  %s, %llu cgroups; q quits",
			    snapshot->source,
			    (unsigned long long)job->arranged.now.count);
		out_text(&output, text);
	}
	out_text(&output, end);
}

static int write_table(const struct job *job)
{
	struct table_style style = {
		.selection = job->reader.selection,
		.bytes = job->options->bytes, .rows = SIZE_MAX,
		.width = SIZE_MAX, .end = "\n",
	};
	struct live_size size;
	int err;

	if (job->live) {
		size = live_size();
		/* the heading, the columns' names, and the cursor have one */
		style.rows = size.lines > 3 ? size.lines - 3 : 0;
		style.width = size.columns;
		style.end = LIVE_LINE_END;
		live_home(&output);
	} else if (job->printed && !job->options->output) {
		out_char(&output, '\n');
	}
	if (job->is_series)
		write_heading(job, style.end);
	err = table_write(&output, job->shown, &style);
	if (job->live)
		live_done(&output);
	return err;
}

/* The columns may be others in a later sample: then the head comes again. */
static int write_csv(struct job *job)
{
	bool head = job->options->output || !job->printed;
	size_t i;

	for (i = 0; i < job->shown->column_count; i++) {
		bool printed = column_is_printed(&job->shown->columns[i]);

		head = head || printed != job->head[i];
		job->head[i] = printed;
	}
	return csv_write(&output, job->shown, head, job->is_series);
}

static int write_format(struct job *job)
{
	struct utsname names;

	switch (job->options->format) {
	case FORMAT_JSON:
		uname(&names);
		return json_write(&output, job->shown, VERSION, names.release);
	case FORMAT_JSON_LINES:
		return json_write_lines(&output, job->shown);
	case FORMAT_CSV:
		return write_csv(job);
	case FORMAT_OPENMETRICS:
		return openmetrics_write(&output, job->shown);
	case FORMAT_TABLE:
		break;
	}
	return write_table(job);
}

/* Return: DONE, or FAILED where it cannot be written. */
static int print(struct job *job)
{
	if (!output_begin(job->options->output))
		return FAILED;
	if (write_format(job)) {
		complain("out of memory");
		output_abort();
		return FAILED;
	}
	job->printed++;
	return output_finish(DONE);
}

/*
 * Find the columns to sort by: all that a person named, or, of what stands for
 * it where nobody did, the one that is there.
 */
static void find_sort(struct job *job)
{
	const struct snapshot *snapshot = &job->reader.snapshot;
	struct sum *sum = &job->how.sort;
	size_t i;

	sum->count = 0;
	for (i = 0; i < job->sort_count; i++) {
		const struct selected *item = &job->sort[i];
		int column = snapshot_find(snapshot, item->file, item->key,
			item->key ? strlen(item->key) : 0);

		if (column >= 0 && (job->options->sort ||
		     snapshot->columns[column].slot.kind != SLOT_NONE))
			sum->fields[sum->count++] = (uint16_t)column;
	}
}

/* Sorted, cut short, with rates: as far as any of it was asked for. */
static int make_over(struct job *job)
{
	const struct snapshot *snapshot = &job->reader.snapshot;
	int err;

	job->shown = snapshot;
	find_sort(job);
	if (!job->how.sort.count && !job->how.rate && !job->live &&
	    job->how.top == UINT64_MAX)
		return DONE;
	err = arrange(&job->arranged, snapshot, &job->how);
	if (err) {
		complain("out of memory");
		return FAILED;
	}
	job->shown = &job->arranged.snapshot;
	return DONE;
}

/* Take one sample and print it. Return: an exit status. */
static int sample(struct job *job)
{
	struct reader *reader = &job->reader;
	struct reason reason = { "" };
	char why[WHY_SIZE];
	int status;

	if (!job->samples++) {
		if (source_choose(reader, job->options, why)) {
			if (!job->options->verbose)	/* else it was said */
				complain("%s", why);
			return FAILED;
		}
	} else if (reader_repeat(reader, &reason)) {
		complain("%s", reason.text);
		return FAILED;
	} else {
		source_unread(reader, &reason, why);
	}
	if (reader->snapshot.unreadable) {
		memcpy(job->unread, why, sizeof(why));
		if (!job->live)		/* else at the end: it is drawn over */
			complain("%s", why);
	}
	status = source_complete(reader, why);
	if (status) {
		complain("%s", why);
		return status;
	}
	if (job->options->verbose && job->samples == 1)
		source_explain(reader);
	status = make_over(job);
	/* rates begin with the second picture */
	if (!status && !(job->how.rate && job->samples == 1))
		status = print(job);
	return status;
}

/* All samples. Return: an exit status. */
static int repeat(struct job *job, struct sampler *sampler)
{
	enum sampler_event event;
	int status = DONE;

	do {
		event = sampler_wait(sampler, job->live ? STDIN_FILENO : -1);
		if (event == SAMPLER_DUE)
			status = sample(job);
		else if (event == SAMPLER_INPUT && live_quits())
			break;
		else if (event == SAMPLER_RESIZED &&
			 job->samples > job->how.rate)
			status = print(job);
	} while (event != SAMPLER_END && !status);
	return status ? status : job->unread[0] ? FAILED : DONE;
}

static int resolve(void *selection, const char *name, size_t length,
		   struct reason *reason)
{
	return selection_want(selection, name, length, reason);
}

/* What rows are sorted by has to be read. Return: 0 or -errno with a @reason. */
static int want_sort(struct job *job, struct selection *selection,
		     struct reason *reason)
{
	/* on cgroup v2, and on v1: what a process list sorts by, too */
	static const char *const usual[] = {
		"memory.current", "memory.usage_in_bytes"
	};
	const char *text = job->options->sort;
	struct sum sum = { .count = 0 };
	int item = 0;
	size_t i;

	if (text)
		item = sum_parse(&sum, text, resolve, selection, reason);
	else if (job->live || job->options->top != UINT64_MAX)
		for (; sum.count < 2 && item >= 0; sum.count++) {
			item = selection_want(selection, usual[sum.count],
					      strlen(usual[sum.count]), reason);
			sum.fields[sum.count] = (uint16_t)item;
		}
	if (item < 0)
		return item;
	for (i = 0; i < sum.count; i++)
		job->sort[i] = selection->items[sum.fields[i]];
	job->sort_count = sum.count;
	return 0;
}

/* Is it a series, and one in a terminal? */
static void choose_manner(struct job *job)
{
	const struct options *options = job->options;

	job->how.top = options->top;
	job->how.rate = options->rate;
	job->is_series = options->count == UINT64_MAX ? options->repeat :
		options->count > 1;
	job->live = job->is_series && options->format == FORMAT_TABLE &&
		!options->output && live_begin();
}

int stat_run(const struct options *options, struct selection *selection)
{
	static struct job job;	/* large */
	static struct steps steps;
	struct reason reason = { "" };
	struct sampler sampler;
	int status = FAILED;

	job.options = options;
	if (options->rate && options->format == FORMAT_OPENMETRICS) {
		complain("--rate does not go with --openmetrics: Prometheus"
			 " makes rates by itself");
		return USAGE;
	}
	if (options->verbose > 1) {
		steps_begin(&steps);
		job.reader.steps = &steps;
	}
	/* first: a signal is not to leave the terminal taken over */
	sampler_begin(&sampler, options);
	choose_manner(&job);
	if (want_sort(&job, selection, &reason)) {
		complain("%s", reason.text);
		status = USAGE;
	} else if (reader_open(&job.reader, options, selection, &reason)) {
		complain("%s", reason.text);
	} else {
		status = repeat(&job, &sampler);
		steps_note(job.reader.steps, "write");
		if (job.reader.steps)
			explain_steps(&steps);
	}
	if (job.live)
		live_end();
	if (job.live && job.unread[0])
		complain("%s", job.unread);
	reader_close(&job.reader);
	arranged_free(&job.arranged);
	return status;
}

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
#include "stat.h"

struct job {
	const struct options *options;
	struct reader reader;
	struct arrangement how;
	struct arranged arranged;
	const struct snapshot *shown;	/* the last; NULL: none yet */
	uint64_t samples;		/* taken */
	uint64_t cgroups;		/* in the last */
	size_t csv_columns;		/* that the last head had */
	bool is_series;			/* more than one is to be printed */
	bool live;			/* in place, in a terminal */
	bool incomplete;		/* not all could be read */
};

/*
 * Every field that was asked for gets a column: one that this kernel does not
 * have is absent everywhere. One that nobody knows was a mistake.
 */
static int complete_columns(struct reader *reader)
{
	const struct selection *selection = reader->selection;
	struct snapshot *snapshot = &reader->snapshot;
	size_t i;

	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];
		size_t length = item->key ? strlen(item->key) : 0;
		const struct field *field = field_find(item->file, item->key,
						       length);

		if (snapshot_find(snapshot, item->file, item->key, length) >= 0)
			continue;
		if (field) {
			snapshot_column(snapshot, item->file, item->key, field,
					true);
		} else if (item->key) {
			complain("unknown field '%s.%s': --fields help lists"
				 " them, and this kernel has no such key",
				 item->file, item->key);
			return USAGE;
		}
	}
	snapshot_sort(snapshot);
	return DONE;
}

static void explain_snapshot(const struct reader *reader)
{
	const struct snapshot *snapshot = &reader->snapshot;
	uint64_t negative;
	size_t i;

	complain("source: %s", snapshot->source);
	if (reader->walk.unchecked)
		complain("not compared with what the kernel prints: these"
			 " cgroups' files are not to be read here");
	if (reader->walk.stale)
		complain("the numbers may be 2 seconds old: nothing here can"
			 " have the kernel sum them up");
	if (snapshot->skipped_lines)
		complain("lines skipped that are not a key and a number: %llu",
			 (unsigned long long)snapshot->skipped_lines);
	negative = snapshot->negative + snapshot_negative(snapshot);
	if (negative)
		complain("numbers below 0 that are printed as 0: %llu",
			 (unsigned long long)negative);
	for (i = 0; i < snapshot->column_count; i++)
		if (column_is_unknown(&snapshot->columns[i]))
			complain("a key that this version does not know:"
				 " %s.%s", snapshot->columns[i].file,
				 snapshot->columns[i].key);
}

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
static void write_heading(const struct job *job)
{
	const struct snapshot *snapshot = job->shown;
	char text[128];

	time_write(&output, &snapshot->time);
	if (job->live) {
		format_text(text, sizeof(text), "  %s, %llu cgroups; q quits",
			    snapshot->source,
			    (unsigned long long)job->cgroups);
		out_text(&output, text);
	}
	out_char(&output, '\n');
}

static int write_table(const struct job *job)
{
	struct table_style style = {
		.selection = job->reader.selection,
		.bytes = job->options->bytes, .rows = SIZE_MAX,
	};
	size_t lines;
	int err;

	if (job->live) {
		lines = live_lines();
		/* two of them are the heading and the columns' names */
		style.rows = lines > 3 ? lines - 3 : 1;
		live_clear(&output);
	} else if (job->samples > 1) {
		out_char(&output, '\n');
	}
	if (job->is_series)
		write_heading(job);
	err = table_write(&output, job->shown, &style);
	if (job->live)
		live_done(&output);
	return err;
}

/* The columns may become more in a later sample: then the head comes again. */
static int write_csv(struct job *job)
{
	bool head = job->options->output ||
		job->csv_columns != job->shown->column_count;

	job->csv_columns = job->shown->column_count;
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
	return output_finish(DONE);
}

/* The verifier's last words, line by line; the first may be cut. */
static void show_log(const char *log)
{
	size_t length;

	for (; *log; log += length + (log[length] == '\n')) {
		length = strcspn(log, "\n");
		complain("kernel: %.*s", (int)length, log);
	}
}

/* Take the first source that works; say why none does. */
static int choose(struct reader *reader, const struct options *options,
		  struct reason *reason)
{
	bool is_auto = options->source == SOURCE_AUTO;
	const enum source *order = is_auto ? reader_order(reader, options) :
		&options->source;
	char tried[sizeof(reason->text) * SOURCES] = "";
	size_t i, used = 0, count = is_auto ? SOURCES : 1;
	bool partial = false;
	int err = 0;

	for (i = 0; i < count; i++) {
		const char *name = source_names[order[i]];

		err = reader_read(reader, order[i], options, reason);
		if (!err && !(is_auto && reader->snapshot.unreadable))
			return 0;
		/* a walk may tell what these files do not */
		partial = partial || !err;
		used += format_text(tried + used, sizeof(tried) - used,
				    "%s%s: %s", used ? "; " : "", name,
				    reason->text);
		if (options->verbose) {
			complain("%s: %s", name, reason->text);
			show_log(reader->walk.log);
		}
		/* a file that a person named and that is no BTF counts */
		if (options->btf && reader->walk.bad_btf)
			break;
	}
	if (partial)
		return reader_read(reader, SOURCE_FILE, options, reason);
	if (!options->verbose)
		complain("%s", is_auto ? tried : reason->text);
	return err;
}

/* Sorted, cut short, with rates: as far as any of it was asked for. */
static int make_over(struct job *job)
{
	const struct snapshot *snapshot = &job->reader.snapshot;
	int err;

	job->shown = snapshot;
	if (!job->how.sort.count && !job->how.rate &&
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
	int status;

	if (!job->samples++) {
		if (choose(reader, job->options, &reason))
			return FAILED;
	} else if (reader_repeat(reader, &reason)) {
		complain("%s", reason.text);
		return FAILED;
	}
	status = complete_columns(reader);
	if (status)
		return status;
	if (job->options->verbose && job->samples == 1)
		explain_snapshot(reader);
	status = make_over(job);
	/* rates begin with the second picture */
	if (!status && !(job->how.rate && job->samples == 1))
		status = print(job);
	if (reader->snapshot.unreadable) {
		complain("%s (%llu files or directories could not be read, and"
			 " what is below these)", reason.text,
			 (unsigned long long)reader->snapshot.unreadable);
		job->incomplete = true;
	}
	return status;
}

/* All samples. Return: an exit status. */
static int repeat(struct job *job)
{
	enum sampler_event event;
	struct sampler sampler;
	int status = DONE;

	sampler_begin(&sampler, job->options);
	job->is_series = sampler.left > 1U + job->how.rate;
	job->live = job->is_series && job->options->format == FORMAT_TABLE &&
		!job->options->output && live_begin();
	do {
		event = sampler_wait(&sampler, job->live ? STDIN_FILENO : -1);
		if (event == SAMPLER_DUE)
			status = sample(job);
		else if (event == SAMPLER_INPUT && (live_quits() || !job->shown))
			break;
		else if (event == SAMPLER_INPUT)
			status = print(job);
	} while (event != SAMPLER_END && !status);
	if (job->live)
		live_end();
	return status ? status : job->incomplete ? FAILED : DONE;
}

int stat_run(const struct options *options, const struct selection *selection)
{
	static struct job job;	/* large */
	static struct steps steps;
	struct reason reason = { "" };
	int status;

	job.options = options;
	job.how.top = options->top;
	job.how.rate = options->rate;
	if (options->verbose > 1) {
		steps_begin(&steps);
		job.reader.steps = &steps;
	}
	if (reader_open(&job.reader, options, selection, &reason)) {
		complain("%s", reason.text);
		return FAILED;
	}
	status = repeat(&job);
	steps_note(job.reader.steps, "write");
	if (job.reader.steps)
		explain_steps(&steps);
	reader_close(&job.reader);
	arranged_free(&job.arranged);
	return status;
}

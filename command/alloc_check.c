// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../read/snapshot.h"
#include "../write/allocinfo.h"
#include "alloc_job.h"
#include "allocinfo.h"
#include "check.h"
#include "rules.h"
#include "sampler.h"

/* What a rule can name: sums of all rows. */
enum { BYTES, CALLS, GROWTH, SUMS };

static int resolve(void *wants_growth, const char *name, size_t length,
		   struct reason *reason)
{
	static const char names[SUMS][8] = { "bytes", "calls", "growth" };
	int i;

	for (i = 0; i < SUMS; i++) {
		if (strlen(names[i]) != length ||
		    memcmp(names[i], name, length))
			continue;
		if (i == GROWTH)
			*(bool *)wants_growth = true;
		return i;
	}
	return reason_set(reason, -EINVAL, "'%.*s': with --allocinfo there are"
			  " bytes, calls and growth",
			  length > 100 ? 100 : (int)length, name);
}

static int parse(struct rules *rules, const struct options *options,
		 bool *wants_growth, struct reason *reason)
{
	size_t i, field;
	int err = rules_parse(rules, options, resolve, wants_growth, reason);

	for (i = 0; i < rules->count; i++) {
		struct rule *rule = &rules->list[i];
		const struct sum *sum = &rule->expression.left;
		bool in_bytes = rule->unit == VERDICT_NUMBER;

		for (field = 0; field < sum->count; field++)
			in_bytes = in_bytes && sum->fields[field] != CALLS;
		if (in_bytes)
			rule->unit = VERDICT_BYTES;
	}
	if (!err && *wants_growth && !options->repeat)
		err = reason_set(reason, -EINVAL, "growth wants --interval, the"
				 " time between two samples");
	return err;
}

/* Nothing is below 0 for a rule. */
static void sum_up(const struct alloc_table *table, uint64_t *values)
{
	int64_t sums[SUMS] = { 0 };
	size_t i;

	for (i = 0; i < table->shown; i++) {
		const struct alloc_row *row = alloc_table_row(table, i);

		sums[BYTES] += row->bytes;
		sums[CALLS] += row->calls;
		sums[GROWTH] += row->bytes_growth;
	}
	for (i = 0; i < SUMS; i++)
		values[i] = sums[i] < 0 ? 0 : (uint64_t)sums[i];
	if (!table->has_growth)
		values[GROWTH] = VALUE_ABSENT;
}

/* "FIRST and N more sites": the first is the largest, or grew most. */
static bool put_subject(struct buffer *text, const struct alloc_table *table)
{
	const char *by = alloc_by_names[table->query->by];
	char more[64] = "";

	if (!table->shown)
		format_text(more, sizeof(more), "no %s", by);
	else if (alloc_table_text(table, alloc_table_row(table, 0), text))
		return false;
	else if (table->shown > 1)
		format_text(more, sizeof(more), " and %llu more %ss",
			    (unsigned long long)table->shown - 1, by);
	return buffer_add(text, more, strlen(more));
}

/* Apply the rules to a table's sums. Return: an exit status. */
static int judge(const struct alloc_job *job, const struct alloc_table *table,
		 struct rules *rules)
{
	struct buffer subject = { 0 };
	struct verdict verdict;
	uint64_t values[SUMS];
	struct reason reason;
	bool is_unknown = alloc_job_lacks(job, &reason);

	if (!table->count)
		return check_unknown(job->options, "--file, --function and"
				     " --module choose no allocation site");
	sum_up(table, values);
	if (!put_subject(&subject, table) ||
	    rules_look(rules, subject.data, subject.used, values))
		return check_unknown(job->options, "out of memory");
	rules_judge(rules, &verdict, is_unknown ? reason.text : NULL);
	verdict.count = 0;
	buffer_free(&subject);
	return check_report(job->options, &verdict);
}

/* As many samples as the rules need, and a verdict. Return: an exit status. */
static int check(struct alloc_job *job, struct rules *rules, bool wants_growth)
{
	struct options options = *job->options;
	const struct alloc_table *table = NULL;
	struct sampler sampler;
	struct reason reason;

	job->query.top = UINT64_MAX;
	job->all = true;
	options.count = wants_growth ? 2 : 1;
	sampler_begin(&sampler, &options);
	while (sampler_wait(&sampler, -1) == SAMPLER_DUE) {
		table = alloc_job_sample(job, &reason);
		if (!table || allocinfo_state(job->allocinfo.proc, &reason) ==
		    ALLOC_OFF)
			return check_unknown(&options, reason.text);
	}
	if (job->samples < options.count)
		return check_unknown(&options, "it was ended before the second"
				     " sample");
	return judge(job, table, rules);
}

int allocinfo_check(const struct options *options)
{
	static struct rules rules;	/* large, so all zeroes */
	static struct alloc_job job;
	bool wants_growth = false;
	struct reason reason;
	int status;

	if (options->probe || (options->format != FORMAT_TABLE &&
			       options->format != FORMAT_JSON))
		return check_unknown(options, "--warn and --crit give a line,"
				     " or an object with --json: no other"
				     " format, no --probe");
	rules.kind = "sites";
	if (alloc_job_begin(&job, options, &reason) ||
	    parse(&rules, options, &wants_growth, &reason))
		status = check_unknown(options, reason.text);
	else
		status = check(&job, &rules, wants_growth);
	alloc_job_end(&job);
	rules_free(&rules);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "output.h"
#include "rules.h"
#include "source.h"

int check_report(const struct options *options, const struct verdict *verdict)
{
	int status = (int)verdict->state;

	if (!options->output && lseek(STDOUT_FILENO, 0, SEEK_CUR) < 0 &&
	    errno == EBADF)
		return status;
	if (!output_begin(options->output))
		return VERDICT_UNKNOWN;
	verdict_write(&output, verdict, options->format == FORMAT_JSON);
	return output_finish(DONE) == DONE ? status : VERDICT_UNKNOWN;
}

int check_unknown(const struct options *options, const char *why)
{
	const struct verdict verdict = {
		.state = VERDICT_UNKNOWN, .note = why,
	};

	return check_report(options, &verdict);
}

static int resolve(void *selection, const char *name, size_t length,
		   struct reason *reason)
{
	return selection_want(selection, name, length, reason);
}

static int parse(struct rules *rules, const struct options *options,
		 struct selection *selection, struct reason *reason)
{
	size_t i;
	int err = rules_parse(rules, options, resolve, selection, reason);

	for (i = 0; i < rules->count && !err; i++) {
		struct rule *rule = &rules->list[i];
		const struct selected *item =
			&selection->items[rule->expression.left.fields[0]];
		const struct field *field = field_find(item->file, item->key,
			item->key ? strlen(item->key) : 0);

		if (!rule->expression.right.count && field &&
		    field->unit == UNIT_BYTES)
			rule->unit = VERDICT_BYTES;
	}
	return err;
}

/*
 * Apply the rules to each cgroup. Return: 0, or -ENOMEM; with a @reason where
 * a rule tells nothing.
 */
static int look(struct rules *rules, const struct snapshot *snapshot,
		const struct selection *selection, struct reason *reason)
{
	const struct selected *items = selection->items;
	uint64_t values[SELECTION_MAX];
	bool seen[SELECTION_MAX] = { false };
	int columns[SELECTION_MAX], err = 0, more = 0;
	struct rows rows;
	size_t i;

	for (i = 0; i < selection->count; i++)
		columns[i] = snapshot_find(snapshot, items[i].file,
			items[i].key, items[i].key ? strlen(items[i].key) : 0);
	rows_begin(&rows, snapshot);
	while (!err && (more = rows_next(&rows)) > 0) {
		for (i = 0; i < selection->count; i++) {
			values[i] = columns[i] < 0 ? VALUE_ABSENT :
				snapshot_value(snapshot, rows.record,
					       (size_t)columns[i]);
			seen[i] = seen[i] || values[i] != VALUE_ABSENT;
		}
		err = rules_look(rules, rows.path.data, rows.path.used, values);
	}
	rows_end(&rows);
	for (i = 0; i < selection->count && seen[i]; i++)
		;
	if (i < selection->count)
		reason_set(reason, 0, "none of %llu cgroups has %s%s%s",
			   (unsigned long long)rules->looked_at, items[i].file,
			   items[i].key ? "." : "",
			   items[i].key ? items[i].key : "");
	return err ? err : more;
}

static int check(struct reader *reader, struct rules *rules,
		 const struct options *options,
		 const struct selection *selection)
{
	struct reason reason = { "" };
	char unread[WHY_SIZE], unknown[WHY_SIZE];
	const char *note = NULL;
	struct verdict verdict;

	if (reader_open(reader, options, selection, &reason))
		return check_unknown(options, reason.text);
	if (source_choose(reader, options, unread))
		return check_unknown(options, unread);
	if (source_complete(reader, unknown))
		return check_unknown(options, unknown);
	if (options->verbose)
		source_explain(reader);
	if (look(rules, &reader->snapshot, selection, &reason))
		return check_unknown(options, "out of memory");
	if (reader->snapshot.unreadable)
		note = unread;
	else if (reason.text[0])
		note = reason.text;
	else if (rules_untold(rules))
		note = "no cgroup has all fields of a condition";
	rules_judge(rules, &verdict, note);
	return check_report(options, &verdict);
}

/* Than one look and one line. */
static bool asks_for_more(const struct options *options)
{
	return options->probe || options->pin || options->unpin ||
		options->repeat || options->rate ||
		options->sort || options->count != UINT64_MAX ||
		options->top != UINT64_MAX ||
		(options->format != FORMAT_TABLE &&
		 options->format != FORMAT_JSON);
}

int check_run(const struct options *options, struct selection *selection)
{
	static struct rules rules;	/* large, so all zeroes */
	static struct reader reader;
	struct reason reason;
	int status;

	if (asks_for_more(options))
		return check_unknown(options, "--warn and --crit look once, and"
				     " give a line or, with --json, an object:"
				     " no other format, samples, --sort, --top,"
				     " --probe or --pin");
	rules.kind = "cgroup";
	selection_free(selection);
	if (parse(&rules, options, selection, &reason))
		status = check_unknown(options, reason.text);
	else
		status = check(&reader, &rules, options, selection);
	reader_close(&reader);
	rules_free(&rules);
	return status;
}

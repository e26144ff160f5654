// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "output.h"
#include "rules.h"
#include "source.h"

int check_report(const struct options *options, const struct verdict *verdict)
{
	if (!options->output && fcntl(STDOUT_FILENO, F_GETFD) < 0)
		return (int)verdict->state;
	if (!output_begin(options->output))
		return VERDICT_UNKNOWN;
	verdict_write(&output, verdict, options->format == FORMAT_JSON);
	return output_finish(DONE) == DONE ? (int)verdict->state :
		VERDICT_UNKNOWN;
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

/* Is each field of a sum in bytes? */
static bool in_bytes(const struct sum *sum, const struct selection *selection)
{
	size_t i;

	for (i = 0; i < sum->count; i++) {
		const struct selected *item =
			&selection->items[sum->fields[i]];
		const struct field *field = field_find(item->file, item->key,
			item->key ? strlen(item->key) : 0);

		if (!field || field->unit != UNIT_BYTES)
			return false;
	}
	return true;
}

static int parse(struct rules *rules, const struct options *options,
		 struct selection *selection, struct reason *reason)
{
	size_t i;
	int err = rules_parse(rules, options, resolve, selection, reason);

	for (i = 0; i < rules->count; i++)
		if (!rules->list[i].expression.right.count &&
		    in_bytes(&rules->list[i].expression.left, selection))
			rules->list[i].unit = VERDICT_BYTES;
	return err;
}

/* Name what is absent: the first field of a sum that no cgroup has. */
static const struct selected *absent(const struct sum *sum,
				     const struct selection *selection,
				     const bool *seen)
{
	size_t i;

	for (i = 0; i < sum->count; i++)
		if (!seen[sum->fields[i]])
			return &selection->items[sum->fields[i]];
	return NULL;
}

/* Why a rule tells nothing. */
static void explain(const struct rules *rules, const struct rule *rule,
		    const struct selection *selection, const bool *seen,
		    struct reason *reason)
{
	const struct selected *item = absent(&rule->expression.left, selection,
					     seen);

	if (!item)
		item = absent(&rule->expression.right, selection, seen);
	if (item)
		reason_set(reason, 0, "none of %llu cgroups has %s%s%s",
			   (unsigned long long)rules->looked_at, item->file,
			   item->key ? "." : "", item->key ? item->key : "");
	else
		reason_set(reason, 0, "none of %llu cgroups has all fields of"
			   " '%.*s'", (unsigned long long)rules->looked_at, 200,
			   rule->text);
}

/* Apply the rules to each cgroup. Return: 0 or -ENOMEM. */
static int look(struct rules *rules, const struct snapshot *snapshot,
		const struct selection *selection, bool *seen)
{
	static uint64_t all[COLUMNS_MAX], values[SELECTION_MAX];
	int columns[SELECTION_MAX], err = 0, more = 0;
	struct rows rows;
	size_t i;

	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];

		columns[i] = snapshot_find(snapshot, item->file, item->key,
			item->key ? strlen(item->key) : 0);
	}
	rows_begin(&rows, snapshot);
	while (!err && (more = rows_next(&rows)) > 0) {
		snapshot_values(snapshot, rows.record, all);
		for (i = 0; i < selection->count; i++) {
			values[i] = columns[i] < 0 ? VALUE_ABSENT :
				all[columns[i]];
			seen[i] = seen[i] || values[i] != VALUE_ABSENT;
		}
		err = rules_look(rules, rows.path.data, rows.path.used, values);
	}
	rows_end(&rows);
	return err ? err : more;
}

static int check(struct reader *reader, struct rules *rules,
		 const struct options *options,
		 const struct selection *selection)
{
	bool seen[SELECTION_MAX] = { false };
	const struct rule *untold;
	struct verdict verdict;
	struct reason reason;
	char why[WHY_SIZE], unknown[WHY_SIZE];

	if (reader_open(reader, options, selection, &reason))
		return check_unknown(options, reason.text);
	if (source_choose(reader, options, why))
		return check_unknown(options, why);
	if (source_complete(reader, unknown))
		return check_unknown(options, unknown);
	if (options->verbose)
		source_explain(reader);
	if (look(rules, &reader->snapshot, selection, seen))
		return check_unknown(options, "out of memory");
	untold = rules_untold(rules);
	if (untold)
		explain(rules, untold, selection, seen, &reason);
	rules_judge(rules, &verdict, reader->snapshot.unreadable ? why :
		    untold ? reason.text : NULL);
	return check_report(options, &verdict);
}

const char *check_refusal(const struct options *options)
{
	if (!options->probe && (options->format == FORMAT_TABLE ||
				options->format == FORMAT_JSON))
		return NULL;
	return "--warn and --crit give one line, or one object with --json, and"
		" nothing else: no other format, no --probe";
}

int check_run(const struct options *options, struct selection *selection)
{
	static struct rules rules;	/* large, so all zeroes */
	static struct reader reader;
	const char *refusal = check_refusal(options);
	struct reason reason;
	int status;

	if (refusal)
		return check_unknown(options, refusal);
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

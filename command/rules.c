// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../read/snapshot.h"
#include "../text.h"
#include "rules.h"

int rules_parse(struct rules *rules, const struct options *options,
		name_resolve resolve, void *context, struct reason *reason)
{
	int err = 0;

	for (; rules->count < options->check_count && !err; rules->count++) {
		const struct option_check *check =
			&options->checks[rules->count];
		struct rule *rule = &rules->list[rules->count];
		const char *text = check->expression;

		rule->text = text += text_span(text, " \t");
		rule->left = text_until(text, "<>");
		while (rule->left && text_span(text + rule->left - 1, " \t"))
			rule->left--;
		rule->critical = check->critical;
		err = expression_parse(&rule->expression, text, resolve,
				       context, reason);
		if (rule->expression.right.count)
			rule->unit = VERDICT_PERCENT;
	}
	return err;
}

static bool is_below(const struct rule *rule)
{
	return rule->expression.comparison >= BELOW;
}

static int note_worst(struct rule *rule, uint64_t value, const char *name,
		      size_t size)
{
	if (rule->has_worst && (is_below(rule) ? value >= rule->worst :
				value <= rule->worst))
		return 0;
	rule->has_worst = true;
	rule->worst = value;
	rule->subject.used = 0;
	return buffer_add(&rule->subject, name, size) ? 0 : -ENOMEM;
}

int rules_look(struct rules *rules, const char *name, size_t size,
	       const uint64_t *values)
{
	bool exceeds[2] = { false, false };
	struct rule *rule;

	rules->looked_at++;
	for (rule = rules->list; rule < rules->list + rules->count; rule++) {
		uint64_t value;
		enum truth truth = expression_evaluate(&rule->expression,
						       values, &value);

		rule->told |= truth != IS_ABSENT;
		rule->exceeded |= truth == IS_TRUE;
		exceeds[false] |= truth == IS_TRUE;
		exceeds[true] |= truth == IS_TRUE && rule->critical;
		if (value != VALUE_ABSENT &&
		    note_worst(rule, value, name, size))
			return -ENOMEM;
	}
	rules->exceeding[false] += exceeds[false];
	rules->exceeding[true] += exceeds[true];
	return 0;
}

const struct rule *rules_untold(const struct rules *rules)
{
	size_t i;

	for (i = 0; i < rules->count; i++)
		if (!rules->list[i].told)
			return &rules->list[i];
	return NULL;
}

/* The threshold that a rule of that kind has for the same left side. */
static uint64_t threshold_of(const struct rules *rules, const struct rule *rule,
			     bool critical)
{
	size_t i;

	if (rule->critical == critical)
		return rule->expression.threshold;
	for (i = 0; i < rules->count; i++) {
		const struct rule *other = &rules->list[i];

		if (other->critical == critical &&
		    is_below(other) == is_below(rule) &&
		    other->left == rule->left &&
		    !memcmp(other->text, rule->text, rule->left))
			return other->expression.threshold;
	}
	return VALUE_ABSENT;
}

/* The rule that a verdict tells of. */
static const struct rule *choose(const struct rules *rules,
				 enum verdict_state state)
{
	const struct rule *chosen = NULL;
	size_t i;

	for (i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->list[i];

		if (state == VERDICT_OK ? !chosen || (rule->has_worst &&
						      !chosen->has_worst) :
		    !chosen && rule->exceeded &&
		    rule->critical == (state == VERDICT_CRITICAL))
			chosen = rule;
	}
	return chosen;
}

void rules_judge(const struct rules *rules, struct verdict *verdict,
		 const char *note)
{
	const struct rule *rule;

	*verdict = (struct verdict){
		.state = rules->exceeding[true] ? VERDICT_CRITICAL :
			rules->exceeding[false] ? VERDICT_WARNING :
			note ? VERDICT_UNKNOWN : VERDICT_OK,
		.kind = rules->kind, .count = rules->looked_at, .note = note,
	};
	if (verdict->state == VERDICT_UNKNOWN)
		return;
	rule = choose(rules, verdict->state);
	verdict->exceeding = rules->exceeding[rule->critical];
	verdict->condition = rule->text;
	verdict->left = rule->left;
	verdict->value = rule->has_worst ? rule->worst : VALUE_ABSENT;
	verdict->unit = rule->unit;
	verdict->is_below = is_below(rule);
	verdict->warn = threshold_of(rules, rule, false);
	verdict->crit = threshold_of(rules, rule, true);
	if (rule->has_worst) {
		verdict->subject = rule->subject.data;
		verdict->subject_size = rule->subject.used;
	}
}

void rules_free(struct rules *rules)
{
	size_t i;

	for (i = 0; i < rules->count; i++)
		buffer_free(&rules->list[i].subject);
}

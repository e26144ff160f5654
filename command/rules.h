/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What --warn and --crit ask of each cgroup, or of each of something else. */
#ifndef MEMCGSTAT_RULES_H
#define MEMCGSTAT_RULES_H

#include "../read/buffer.h"
#include "../read/expression.h"
#include "../write/verdict.h"
#include "options.h"

/* One of --warn or --crit, and the worst that it has met so far. */
struct rule {
	const char *text;
	size_t left;		/* bytes of it that are its left side */
	struct buffer subject;	/* name of the worst */
	uint64_t worst;		/* its value */
	enum verdict_unit unit;
	bool critical;
	bool told;		/* of something at least: no field was absent */
	bool has_worst;
	bool exceeded;
	struct expression expression;
};

struct rules {
	const char *kind;	/* what is looked at: "cgroup" */
	size_t count;
	uint64_t looked_at;
	uint64_t exceeding[2];	/* of these, any rule and a critical one */
	struct rule list[OPTIONS_CHECKS];
};

/*
 * rules_parse - read what options->checks ask
 * @rules: all zeroes but for kind; rules_free() it in any case
 * @resolve, @context: tell what names mean
 *
 * Each rule's unit is VERDICT_PERCENT of a ratio, else the caller's to set.
 *
 * Return: as expression_parse().
 */
int rules_parse(struct rules *rules, const struct options *options,
		name_resolve resolve, void *context, struct reason *reason);

/*
 * rules_look - look at one thing
 * @values: of sum_value()
 *
 * Return: 0 or -ENOMEM.
 */
int rules_look(struct rules *rules, const char *name, size_t size,
	       const uint64_t *values);

/* The first rule of which nothing could be told, or NULL. */
const struct rule *rules_untold(const struct rules *rules);

/*
 * rules_judge - the verdict on all that was looked at
 * @verdict: filled in, points into @rules
 * @note: what could not be told, and why: unknown, if nothing is worse; or NULL
 *
 * CRITICAL before WARNING before UNKNOWN before OK. Of several rules that are
 * exceeded the first tells the worst.
 */
void rules_judge(const struct rules *rules, struct verdict *verdict,
		 const char *note);

void rules_free(struct rules *rules);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums of fields, and conditions on them, as a person writes them:
 *
 *	memory.current+memory.swap.current
 *	memory.current+memory.swap.current > 1.5G
 *	(memory.current+memory.swap.current)/memory.max >= 90%
 *
 * Pure: what a name means is the caller's to say.
 */
#ifndef MEMCGSTAT_EXPRESSION_H
#define MEMCGSTAT_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../reason.h"

#define SUM_FIELDS	8	/* most in one sum */
#define RATIO_ONE	1000000	/* a ratio of 1, 100%: they are in millionths */

/* Fields that are added up. */
struct sum {
	uint16_t count;
	uint16_t fields[SUM_FIELDS];	/* the numbers of what was named */
};

enum comparison {
	ABOVE,			/* > */
	AT_LEAST,		/* >= */
	BELOW,			/* < */
	AT_MOST,		/* <= */
};

/* "SUM COMPARISON AMOUNT", or the ratio of two sums and a percentage. */
struct expression {
	uint64_t threshold;	/* a number, of a ratio in millionths */
	enum comparison comparison;
	struct sum left;
	struct sum right;	/* count is 0: there is no ratio */
};

/*
 * name_resolve - what a name means
 * @context: the parser's caller's
 * @name: of @length bytes, not terminated, at least one
 *
 * Return: its number, up to UINT16_MAX; or -errno with a @reason.
 */
typedef int (*name_resolve)(void *context, const char *name, size_t length,
			    struct reason *reason);

/*
 * expression_parse, sum_parse - read all of @text
 *
 * Blanks between the parts do not count. A sum is "FIELD" or "FIELD+FIELD"; in
 * a ratio one of more than one field stands in brackets. Amounts are those of
 * amount_size(); a ratio's has a "%" instead, so that none is forgotten.
 *
 * Return: 0; -EINVAL, or what @resolve returned; with a @reason.
 */
int expression_parse(struct expression *expression, const char *text,
		     name_resolve resolve, void *context,
		     struct reason *reason);
int sum_parse(struct sum *sum, const char *text, name_resolve resolve,
	      void *context, struct reason *reason);

/*
 * sum_value - add up
 * @values: by the numbers of names, as values are in snapshot.h
 *
 * Return: VALUE_ABSENT if any field is absent, else VALUE_NO_LIMIT if any is
 * that, else the sum; one that does not fit is INT64_MAX.
 */
uint64_t sum_value(const struct sum *sum, const uint64_t *values);

enum truth {
	IS_ABSENT,		/* a field is absent: there is nothing to say */
	IS_UNLIMITED,		/* a ratio to no limit: there is none */
	IS_FALSE,
	IS_TRUE,
};

/*
 * expression_evaluate - is it so?
 * @values: as of sum_value()
 * @value: set: what was compared, a ratio in millionths and rounded down (the
 *	comparison is exact). VALUE_NO_LIMIT is above any number: no limit on
 *	the left, and a ratio to 0, but 0/0 is 0. VALUE_ABSENT where there is
 *	nothing to compare.
 */
enum truth expression_evaluate(const struct expression *expression,
			       const uint64_t *values, uint64_t *value);

#endif

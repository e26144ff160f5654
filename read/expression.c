// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../command/amount.h"
#include "../text.h"
#include "expression.h"
#include "snapshot.h"

#define SHOWN	100	/* bytes of a text that a message shows */

struct parser {
	const char *text, *at;
	name_resolve resolve;
	void *context;
	struct reason *reason;
};

static int refuse(const struct parser *parser, const char *why)
{
	return reason_set(parser->reason, -EINVAL, "'%.*s': %s", SHOWN,
			  parser->text, why);
}

/* The next byte that is no blank, or NUL. */
static char peek(struct parser *parser)
{
	parser->at += text_span(parser->at, " \t");
	return *parser->at;
}

/* Is @token next? Then go behind it. */
static bool take(struct parser *parser, char token)
{
	if (peek(parser) != token)
		return false;
	parser->at++;
	return true;
}

static int parse_sum(struct parser *parser, struct sum *sum)
{
	sum->count = 0;
	do {
		size_t length;
		int field;

		peek(parser);
		length = text_until(parser->at, " \t()+/<>=");
		if (!length)
			return refuse(parser, "a field's name is missing");
		if (sum->count == SUM_FIELDS)
			return refuse(parser, "a sum of too many fields");
		field = parser->resolve(parser->context, parser->at, length,
					parser->reason);
		if (field < 0)
			return field;
		sum->fields[sum->count++] = (uint16_t)field;
		parser->at += length;
	} while (take(parser, '+'));
	return 0;
}

/* One side of a ratio, by its "/" or @is_ratio; or all there is. */
static int parse_side(struct parser *parser, struct sum *sum, bool is_ratio)
{
	bool is_open = take(parser, '(');
	int err = parse_sum(parser, sum);

	if (!err && is_open && !take(parser, ')'))
		err = refuse(parser, "a ) is missing");
	/* "a+b/c" would be read in two ways */
	if (!err && !is_open && sum->count > 1 &&
	    (is_ratio || *parser->at == '/'))
		err = refuse(parser, "a sum in a ratio wants brackets: (a+b)/c");
	return err;
}

int sum_parse(struct sum *sum, const char *text, name_resolve resolve,
	      void *context, struct reason *reason)
{
	struct parser parser = { text, text, resolve, context, reason };
	int err = parse_sum(&parser, sum);

	if (!err && *parser.at)
		err = refuse(&parser, "not a field, or fields with + between");
	return err;
}

int expression_parse(struct expression *expression, const char *text,
		     name_resolve resolve, void *context, struct reason *reason)
{
	struct parser parser = { text, text, resolve, context, reason };
	uint64_t *threshold = &expression->threshold;
	bool is_ratio, is_amount;
	int err;

	memset(expression, 0, sizeof(*expression));
	err = parse_side(&parser, &expression->left, false);
	if (err)
		return err;
	is_ratio = take(&parser, '/');
	if (is_ratio)
		err = parse_side(&parser, &expression->right, true);
	if (err)
		return err;
	if (take(&parser, '>'))
		expression->comparison = ABOVE;
	else if (take(&parser, '<'))
		expression->comparison = BELOW;
	else
		return refuse(&parser, "no >, >=, < or <= where one is"
			      " expected");
	if (*parser.at == '=') {
		parser.at++;
		expression->comparison++;	/* AT_LEAST, AT_MOST */
	}
	peek(&parser);
	if (is_ratio)
		is_amount = amount_decimal(&parser.at, RATIO_ONE / 100,
					   threshold) && take(&parser, '%');
	else
		is_amount = amount_size(&parser.at, threshold);
	if (!is_amount || peek(&parser))
		return refuse(&parser, is_ratio ?
			      "a ratio is compared with a percentage, as 90%" :
			      "not compared with a number, as 10 or 1.5G");
	return 0;
}

uint64_t sum_value(const struct sum *sum, const uint64_t *values)
{
	bool no_limit = false;
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < sum->count; i++) {
		uint64_t value = values[sum->fields[i]];

		if (value == VALUE_ABSENT)
			return VALUE_ABSENT;
		if (value == VALUE_NO_LIMIT)
			no_limit = true;
		else if (value > INT64_MAX - total)
			total = INT64_MAX;
		else
			total += value;
	}
	return no_limit ? VALUE_NO_LIMIT : total;
}

/* Add to @sum, modulo @base; all are below @base. Return: what went over. */
static uint64_t add_modulo(uint64_t *sum, uint64_t number, uint64_t base)
{
	*sum += number;
	if (*sum < base)
		return 0;
	*sum -= base;
	return 1;
}

/*
 * @value * RATIO_ONE / @base, rounded down; both at most INT64_MAX, @base not 0.
 * The product may not fit in 64 bits: it is made bit by bit, and what is whole
 * in it is taken off each time. A result that does not fit is INT64_MAX.
 * @rest: set: was it rounded?
 */
static uint64_t divide(uint64_t value, uint64_t base, bool *rest)
{
	uint64_t whole = value / base, left = value % base, part = 0, sum = 0;
	uint32_t bit;

	*rest = true;
	if (whole > INT64_MAX / RATIO_ONE - 1)
		return INT64_MAX;
	for (bit = 1U << 19; bit; bit >>= 1) {	/* RATIO_ONE has 20 bits */
		part = part * 2 + add_modulo(&sum, sum, base);
		if (RATIO_ONE & bit)
			part += add_modulo(&sum, left, base);
	}
	*rest = sum;
	return whole * RATIO_ONE + part;
}

enum truth expression_evaluate(const struct expression *expression,
			       const uint64_t *values, uint64_t *value)
{
	uint64_t left = sum_value(&expression->left, values), right;
	uint64_t threshold = expression->threshold;
	bool rest = false, is;

	*value = left;
	if (left == VALUE_ABSENT)
		return IS_ABSENT;
	if (expression->right.count) {
		right = sum_value(&expression->right, values);
		*value = VALUE_ABSENT;
		if (right == VALUE_ABSENT)
			return IS_ABSENT;
		if (right == VALUE_NO_LIMIT)
			return IS_UNLIMITED;
		if (left == VALUE_NO_LIMIT || (left && !right))
			left = VALUE_NO_LIMIT;
		else if (left)
			left = divide(left, right, &rest);
		*value = left;
	}
	switch (expression->comparison) {
	case ABOVE:
		is = left > threshold || (left == threshold && rest);
		break;
	case AT_LEAST:
		is = left >= threshold;
		break;
	case BELOW:
		is = left < threshold;
		break;
	default:
		is = left < threshold || (left == threshold && !rest);
	}
	return is ? IS_TRUE : IS_FALSE;
}

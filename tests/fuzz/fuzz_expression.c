// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../read/expression.h"
#include "../../read/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Fields are letters; their numbers are those of values below. */
static int resolve(void *context, const char *name, size_t length,
		   struct reason *reason)
{
	if (context != reason || !length)
		abort();
	return *name >= 'a' && *name <= 'h' ? *name - 'a' :
		reason_set(reason, -EINVAL, "unknown '%.*s'", 20, name);
}

static void check_sum(const struct sum *sum)
{
	size_t i;

	if (sum->count > SUM_FIELDS)
		abort();
	for (i = 0; i < sum->count; i++)
		if (sum->fields[i] > 'h' - 'a')
			abort();
}

/* A comparison and its opposite are never both so, and one is. */
static void check_evaluation(struct expression *expression)
{
	static const uint64_t values[] = { 0, 1, 1000, INT64_MAX, INT64_MAX - 1,
		UINT32_MAX, VALUE_NO_LIMIT, VALUE_ABSENT };
	uint64_t value, again;
	enum truth truth = expression_evaluate(expression, values, &value);

	expression->comparison = (enum comparison)
		(3 - (int)expression->comparison);
	if (expression_evaluate(expression, values, &again) != (truth ==
	    IS_TRUE ? IS_FALSE : truth == IS_FALSE ? IS_TRUE : truth) ||
	    value != again)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct expression expression;
	struct reason reason;
	struct sum sum;
	int err;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	reason.text[0] = '\0';
	err = expression_parse(&expression, text, resolve, &reason, &reason);
	if (err ? err != -EINVAL || !reason.text[0] : !expression.left.count)
		abort();
	if (!err) {
		check_sum(&expression.left);
		check_sum(&expression.right);
		check_evaluation(&expression);
	}
	err = sum_parse(&sum, text, resolve, &reason, &reason);
	if (err ? err != -EINVAL : !sum.count)
		abort();
	if (!err)
		check_sum(&sum);
	free(text);
	return 0;
}

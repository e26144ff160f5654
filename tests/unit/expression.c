// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums and conditions: what is read of them, and what is so. */
#include <errno.h>

#include "../../read/expression.h"
#include "../../read/snapshot.h"
#include "test.h"

/* The names are a to h and long.name; their numbers 0 to 8. */
static int resolve(void *context, const char *name, size_t length,
		   struct reason *reason)
{
	static const char last[] = "long.name";

	CHECK(context == reason, "the context");
	if (length == 1 && *name >= 'a' && *name <= 'h')
		return *name - 'a';
	if (length == strlen(last) && !memcmp(name, last, length))
		return 8;
	return reason_set(reason, -ENOENT, "unknown '%.*s'", (int)length, name);
}

static int parse(struct expression *expression, const char *text,
		 struct reason *reason)
{
	char *copy = test_copy(text, strlen(text) + 1);
	int err;

	reason->text[0] = '\0';
	err = expression_parse(expression, copy, resolve, reason, reason);
	free(copy);
	return err;
}

#define K	1024ULL
#define NONE	VALUE_NO_LIMIT
#define GONE	VALUE_ABSENT
#define HUGE_VALUE	((uint64_t)INT64_MAX)

/* @a to @c are the values of a, b and c; the rest is 0. */
static const struct {
	const char *text;
	uint64_t a, b, c;
	enum truth truth;
	uint64_t value;
} cases[] = {
	/* comparisons, and their edges */
	{ "a > 10", 10, 0, 0, IS_FALSE, 10 },
	{ "a > 10", 11, 0, 0, IS_TRUE, 11 },
	{ "a>=10", 9, 0, 0, IS_FALSE, 9 },
	{ "a>=10", 10, 0, 0, IS_TRUE, 10 },
	{ "a < 10", 10, 0, 0, IS_FALSE, 10 },
	{ "a < 10", 9, 0, 0, IS_TRUE, 9 },
	{ "a <= 10", 11, 0, 0, IS_FALSE, 11 },
	{ "a <= 10", 10, 0, 0, IS_TRUE, 10 },
	{ "a > 0", 0, 0, 0, IS_FALSE, 0 },
	/* units, and blanks anywhere */
	{ "a > 1.5G", 1536 * K * K, 0, 0, IS_FALSE, 1536 * K * K },
	{ "a > 1.5G", 1536 * K * K + 1, 0, 0, IS_TRUE, 1536 * K * K + 1 },
	{ "\ta  >=1Ki ", K, 0, 0, IS_TRUE, K },
	{ "a>=1KiB", K, 0, 0, IS_TRUE, K },
	{ "a>=1T", K * K * K * K, 0, 0, IS_TRUE, K * K * K * K },
	/* sums */
	{ "a+b > 10", 5, 5, 0, IS_FALSE, 10 },
	{ "a + b + c > 10", 5, 5, 1, IS_TRUE, 11 },
	{ "(a+b) > 10", 5, 6, 0, IS_TRUE, 11 },
	{ "a+a+a+a+a+a+a+a > 7", 1, 0, 0, IS_TRUE, 8 },
	{ "a+b > 10", HUGE_VALUE, HUGE_VALUE, 0, IS_TRUE, HUGE_VALUE },
	{ "a+b > 10", HUGE_VALUE, HUGE_VALUE - 1, 0, IS_TRUE, HUGE_VALUE },
	/* ratios: exact, though what is shown is rounded down */
	{ "a/b > 90%", 90, 100, 0, IS_FALSE, 900000 },
	{ "a/b > 90%", 91, 100, 0, IS_TRUE, 910000 },
	{ "a/b >= 90%", 90, 100, 0, IS_TRUE, 900000 },
	{ "a/b > 33.3333%", 1, 3, 0, IS_TRUE, 333333 },
	{ "a/b <= 33.3333%", 1, 3, 0, IS_FALSE, 333333 },
	{ "a/b < 33.3333%", 1, 3, 0, IS_FALSE, 333333 },
	{ "a/b >= 33.3334%", 1, 3, 0, IS_FALSE, 333333 },
	{ "a/b < 33.3334%", 1, 3, 0, IS_TRUE, 333333 },
	{ "a/b <= 50%", 1, 2, 0, IS_TRUE, 500000 },
	{ "a/b > 250 %", 3, 1, 0, IS_TRUE, 3000000 },
	{ "(a+b)/c>90 %", 50, 41, 100, IS_TRUE, 910000 },
	{ "a/(b+c) > 90%", 91, 50, 50, IS_TRUE, 910000 },
	{ "(a)/(b) > 90%", 91, 100, 0, IS_TRUE, 910000 },
	/* values that would overflow when multiplied */
	{ "a/b > 90%", HUGE_VALUE, HUGE_VALUE, 0, IS_TRUE, 1000000 },
	{ "a/b >= 100%", HUGE_VALUE - 1, HUGE_VALUE, 0, IS_FALSE, 999999 },
	{ "a/b > 99.9999%", HUGE_VALUE - 1, HUGE_VALUE, 0, IS_TRUE, 999999 },
	{ "a/b > 50%", HUGE_VALUE / 2, HUGE_VALUE, 0, IS_FALSE, 499999 },
	{ "a/b >= 50%", HUGE_VALUE / 2 + 1, HUGE_VALUE, 0, IS_TRUE, 500000 },
	{ "a/b > 900000000000%", HUGE_VALUE, 1, 0, IS_TRUE, HUGE_VALUE },
	/* to nothing */
	{ "a/b > 90%", 0, 0, 0, IS_FALSE, 0 },
	{ "a/b < 90%", 0, 0, 0, IS_TRUE, 0 },
	{ "a/b > 90%", 1, 0, 0, IS_TRUE, NONE },
	{ "a/b > 900000000000%", 1, 0, 0, IS_TRUE, NONE },
	{ "a/b < 90%", 1, 0, 0, IS_FALSE, NONE },
	{ "a/b <= 900000000000%", 1, 0, 0, IS_FALSE, NONE },
	/* no limit is above any number, and nothing is a part of it */
	{ "a > 1T", NONE, 0, 0, IS_TRUE, NONE },
	{ "a >= 1T", NONE, 0, 0, IS_TRUE, NONE },
	{ "a < 1T", NONE, 0, 0, IS_FALSE, NONE },
	{ "a <= 1T", NONE, 0, 0, IS_FALSE, NONE },
	{ "a+b > 1T", 1, NONE, 0, IS_TRUE, NONE },
	{ "a/b > 0%", 1, NONE, 0, IS_UNLIMITED, GONE },
	{ "a/b < 90%", 1, NONE, 0, IS_UNLIMITED, GONE },
	{ "a/b > 0%", NONE, NONE, 0, IS_UNLIMITED, GONE },
	{ "a/b > 90%", NONE, 1, 0, IS_TRUE, NONE },
	{ "a/(b+c) > 0%", 1, NONE, 1, IS_UNLIMITED, GONE },
	/* absent */
	{ "a > 0", GONE, 0, 0, IS_ABSENT, GONE },
	{ "a < 1", GONE, 0, 0, IS_ABSENT, GONE },
	{ "a+b > 0", 1, GONE, 0, IS_ABSENT, GONE },
	{ "a+b > 0", NONE, GONE, 0, IS_ABSENT, GONE },
	{ "a/b > 0%", 1, GONE, 0, IS_ABSENT, GONE },
	{ "a/b > 0%", GONE, NONE, 0, IS_ABSENT, GONE },
};

static void test_cases(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const uint64_t values[9] = { cases[i].a, cases[i].b,
			cases[i].c };
		struct expression expression;
		struct reason reason;
		uint64_t value = 12345;
		int err = parse(&expression, cases[i].text, &reason);

		CHECK(!err, "%s: %s", cases[i].text, reason.text);
		if (err)
			continue;
		CHECK_NUMBER(cases[i].text, expression_evaluate(&expression,
			values, &value), cases[i].truth);
		CHECK_NUMBER(cases[i].text, value, cases[i].value);
	}
}

static const struct {
	const char *text;
	const char *why;	/* a part of the sentence */
} refused[] = {
	{ "", "name is missing" },
	{ " ", "name is missing" },
	{ "> 1", "name is missing" },
	{ "a+ > 1", "name is missing" },
	{ "a++b > 1", "name is missing" },
	{ "a/ > 1%", "name is missing" },
	{ "() > 1", "name is missing" },
	{ "x > 1", "unknown 'x'" },
	{ "a/longer > 1%", "unknown 'longer'" },
	{ "a-b > 1", "unknown 'a-b'" },
	{ "a,b > 1", "unknown 'a,b'" },
	{ "a\n> 1", "unknown 'a\n'" },
	{ "a", "no >" },
	{ "a b > 1", "no >" },
	{ "a = 1", "no >" },
	{ "a == 1", "no >" },
	{ "a => 1", "no >" },
	{ "a >> 1", "number" },
	{ "a > = 1", "number" },
	{ "a >", "number" },
	{ "a > x", "number" },
	{ "a > -1", "number" },
	{ "a > 1X", "number" },
	{ "a > 1G 2", "number" },
	{ "a > 1 or b > 1", "number" },
	{ "a > 90%", "number" },
	{ "a > 99999999999999999999", "number" },
	{ "a > 18446744073709551616", "number" },
	{ "a > 20000000000000000000", "number" },
	{ "a > 9999999999T", "number" },
	{ "a/b > 90", "percentage" },
	{ "a/b > 1G", "percentage" },
	{ "a/b > %", "percentage" },
	{ "a/b > 90%%", "percentage" },
	{ "a/b > 9999999999999999%", "percentage" },
	{ "a/b/c > 1%", "no >" },
	{ "a+b/c > 1%", "brackets" },
	{ "a/b+c > 1%", "brackets" },
	{ "(a+b > 1", ") is missing" },
	{ "a+b) > 1", "no >" },
	{ "((a) > 1", "name is missing" },
	{ "a+a+a+a+a+a+a+a+a > 1", "too many" },
};

static void test_refused(void)
{
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		const char *text = refused[i].text;
		bool unknown = !strncmp(refused[i].why, "unknown", 7);
		struct expression expression;
		struct reason reason;

		CHECK_NUMBER(text, parse(&expression, text, &reason),
			     unknown ? -ENOENT : -EINVAL);
		CHECK(strstr(reason.text, refused[i].why), "%s: '%s'", text, reason.text);
	}
}

static void test_sums(void)
{
	static const uint64_t values[9] = { 1, 2, 4, 8, 16, 32, NONE, GONE,
		64 };
	static const struct {
		const char *text;
		uint64_t value;
	} sums[] = {
		{ "a", 1 }, { " a ", 1 }, { "a+c", 5 }, { "a + long.name", 65 },
		{ "a+g", NONE }, { "g+h", GONE }, { "a+a", 2 },
	};
	static const char *const bad[] = { "", "a+", "+a", "a b", "a>1", "a/b",
		"(a)", "a=", "x" };
	struct reason reason;
	struct sum sum;
	size_t i;

	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		CHECK_NUMBER(sums[i].text, sum_parse(&sum, sums[i].text,
			     resolve, &reason, &reason), 0);
		CHECK_NUMBER(sums[i].text, sum_value(&sum, values),
			     sums[i].value);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		reason.text[0] = '\0';
		CHECK(sum_parse(&sum, bad[i], resolve, &reason, &reason) < 0 &&
		      strlen(reason.text) > 5, "'%s'", bad[i]);
	}
}

/* Ratios of any numbers, by arithmetic of 128 bits. */
static void test_ratios(void)
{
	struct expression expression;
	struct reason reason;
	int i;

	CHECK(!parse(&expression, "a/b > 0%", &reason), "%s", reason.text);
	for (i = 0; i < 100000; i++) {
		uint64_t a = ((uint64_t)test_random() << 32 | test_random()) >>
			(1 + test_random() % 63);
		uint64_t b = 1 + ((((uint64_t)test_random() << 32 |
				    test_random()) >> 1) >> test_random() % 62);
		uint64_t values[2] = { a, b > HUGE_VALUE ? HUGE_VALUE : b };
		unsigned __int128 want = (unsigned __int128)a * RATIO_ONE,
			above;
		uint64_t value, threshold;
		enum truth truth;

		threshold = (uint64_t)(want / values[1] > HUGE_VALUE ? 5 :
				       want / values[1]);
		expression.threshold = threshold;
		expression.comparison = (enum comparison)(i % 4);
		above = (unsigned __int128)threshold * values[1];
		truth = expression_evaluate(&expression, values, &value);
		CHECK_NUMBER("truth", truth, (i % 4 == ABOVE ? want > above :
			     i % 4 == AT_LEAST ? want >= above :
			     i % 4 == BELOW ? want < above : want <= above) ?
			     IS_TRUE : IS_FALSE);
		if (want / values[1] < HUGE_VALUE - 2 * RATIO_ONE)
			CHECK_NUMBER("value", value, want / values[1]);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "cases", test_cases }, { "refused", test_refused },
		{ "sums", test_sums }, { "ratios", test_ratios },
	};

	return TESTS_RUN("expression", tests);
}

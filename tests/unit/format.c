// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What libc's snprintf() makes of the same arguments is right. */
#include <limits.h>

#include "../../write/format.h"
#include "test.h"

/* Both, into rooms of every size from 0 on; what lies behind stays as it is. */
#define SAME(...) do { \
	char got[64], want[64]; \
	size_t size; \
	for (size = 0; size <= sizeof(got); size++) { \
		size_t got_length, want_length; \
		memset(got, 'x', sizeof(got)); \
		memset(want, 'x', sizeof(want)); \
		got_length = format_text(got, size, __VA_ARGS__); \
		want_length = (size_t)snprintf(want, size, __VA_ARGS__); \
		CHECK_NUMBER(#__VA_ARGS__, got_length, want_length); \
		CHECK(!memcmp(got, want, sizeof(got)), \
		      "%s, size %zu: '%.64s', not '%.64s'", #__VA_ARGS__, \
		      size, size ? got : "", size ? want : ""); \
	} \
} while (0)

/* The cases are meant to be cut off, and to have needless flags. */
#pragma GCC diagnostic ignored "-Wformat-overflow"
#pragma GCC diagnostic ignored "-Wformat-zero-length"
#pragma GCC diagnostic ignored "-Wformat"

static void test_text(void)
{
	SAME("");
	SAME("plain");
	SAME("%s", "");
	SAME("%s", "text");
	SAME("a%sb%sc", "1", "2");
	SAME("%.*s|", 3, "abcdef");
	SAME("%.*s|", 0, "abcdef");
	SAME("%.*s|", 9, "abc");
	SAME("%.*s|", -1, "abc");
	SAME("100%%|%d%%", 5);
	SAME("%s", "\xff\xc3\xa4\x01");
}

/* An array that has no NUL is read only as far as is said. */
static void test_bounded_text(void)
{
	char *bytes = test_copy("abc", 3), got[16];

	CHECK_NUMBER("%.*s", format_text(got, sizeof(got), "%.*s", 3, bytes),
		     3);
	CHECK_TEXT("%.*s", got, "abc");
	free(bytes);
}

static void test_numbers(void)
{
	static const int numbers[] = { 0, 1, 9, 10, 42, 1000000, INT_MAX, -1,
		-42, INT_MIN + 1, INT_MIN };
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		int n = numbers[i];
		unsigned int u = (unsigned int)n;

		SAME("%d|", n);
		SAME("%u|%02u|%09u|", u, u, u);
		SAME("%x|%02x|%09x|", u, u, u);
		SAME("\\u%04x", u);
	}
}

static void test_zero_padded_numbers(void)
{
	SAME("%05u|", 42);
	SAME("%02u|", 7);
	SAME("%02u|", 123);
	SAME("%01u|", 0);
}

static void test_long_numbers(void)
{
	static const unsigned long long numbers[] = { 0, 9, 10, UINT_MAX,
		(unsigned long long)UINT_MAX + 1, LLONG_MAX, ULLONG_MAX - 1,
		ULLONG_MAX };
	char got[24], want[24];
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		SAME("%llu|", numbers[i]);
		snprintf(want, sizeof(want), "%llu", numbers[i]);
		CHECK_NUMBER(want, format_number(got, numbers[i]),
			     strlen(want));
		CHECK_TEXT(want, got, want);
	}
}

static void check_number(unsigned long long number)
{
	/* of just the size that the header asks for */
	char *got = malloc(FORMAT_NUMBER), want[24];
	size_t length = (size_t)snprintf(want, sizeof(want), "%llu", number);

	CHECK_NUMBER(want, format_number(got, number), length);
	CHECK_TEXT(want, got, want);
	free(got);
}

/* Around each power of ten, where lengths change; and of each length some. */
static void test_lengths(void)
{
	unsigned long long power = 1;
	int digits, i;

	for (digits = 1; digits <= 20; digits++) {
		check_number(power - 1);
		check_number(power);
		check_number(power + 1);
		check_number(power * 11 / 10);
		for (i = 0; i < 200; i++)
			check_number(power + ((unsigned long long)test_random()
				     << 32 | test_random()) % power);
		if (digits < 20)
			power *= 10;
	}
	CHECK_NUMBER("the highest power", power, 10000000000000000000ULL);
	for (i = 0; i < 3; i++)
		check_number(ULLONG_MAX - (unsigned int)i);
	for (i = 0; i < 10000; i++)
		check_number((unsigned long long)i);
}

/* Exact, and no shorter or longer than it has to be. */
static void test_thousandths(void)
{
	static const struct {
		unsigned long long number;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 1, "0.001" }, { 10, "0.01" }, { 100, "0.1" },
		{ 101, "0.101" }, { 110, "0.11" }, { 999, "0.999" },
		{ 1000, "1" }, { 1001, "1.001" }, { 12500, "12.5" },
		{ 1000000, "1000" }, { 3333333, "3333.333" },
		{ ULLONG_MAX, "18446744073709551.615" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		/* of just the size that the header asks for */
		char *got = malloc(FORMAT_NUMBER);

		CHECK_NUMBER(cases[i].text, format_thousandths(got,
			     cases[i].number), strlen(cases[i].text));
		CHECK_TEXT("thousandths", got, cases[i].text);
		free(got);
	}
}

static const struct test tests[] = {
	{ "text", test_text },
	{ "bounded_text", test_bounded_text },
	{ "numbers", test_numbers },
	{ "zero_padded_numbers", test_zero_padded_numbers },
	{ "long_numbers", test_long_numbers },
	{ "lengths", test_lengths },
	{ "thousandths", test_thousandths },
};

int main(void)
{
	return TESTS_RUN("format", tests);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "../../read/parse.h"
#include "../../read/snapshot.h"
#include "test.h"

static const struct {
	const char *text;
	enum parsed want;
	uint64_t value;		/* of PARSED_OK */
} values[] = {
	{ "0", PARSED_OK, 0 },
	{ "0\n", PARSED_OK, 0 },
	{ "1", PARSED_OK, 1 },
	{ "007\n", PARSED_OK, 7 },
	{ "4294967296\n", PARSED_OK, 1ULL << 32 },
	{ "9223372036854771712\n", PARSED_OK, 9223372036854771712ULL },
	{ "9223372036854775807", PARSED_OK, INT64_MAX },
	{ "9223372036854775808", PARSED_OK, 1ULL << 63 },
	{ "max\n", PARSED_OK, VALUE_NO_LIMIT },
	{ "max", PARSED_OK, VALUE_NO_LIMIT },
	{ " \tmax \r\n", PARSED_OK, VALUE_NO_LIMIT },
	{ " 5", PARSED_OK, 5 },
	{ "5 ", PARSED_OK, 5 },
	{ "\t 5\r\n", PARSED_OK, 5 },
	{ "5\n\n", PARSED_OK, 5 },
	{ "-0", PARSED_OK, 0 },
	{ "-1", PARSED_NEGATIVE, 0 },
	{ "-4096\n", PARSED_NEGATIVE, 0 },
	{ "-9223372036854775808\n", PARSED_NEGATIVE, 0 },
	/* the greatest number that is none of the two states, then those */
	{ "18446744073709551613", PARSED_OK, UINT64_MAX - 2 },
	{ "18446744073709551614", PARSED_BAD, 0 },
	{ "18446744073709551615", PARSED_BAD, 0 },
	{ "18446744073709551616", PARSED_BAD, 0 },
	{ "18446744073709551620", PARSED_BAD, 0 },
	{ "28446744073709551613", PARSED_BAD, 0 },
	{ "99999999999999999999999999999999", PARSED_BAD, 0 },
	{ "-99999999999999999999999999999999", PARSED_BAD, 0 },
	{ "", PARSED_BAD, 0 },
	{ "\n", PARSED_BAD, 0 },
	{ " \t\r\n", PARSED_BAD, 0 },
	{ "-", PARSED_BAD, 0 },
	{ "- 1", PARSED_BAD, 0 },
	{ "--1", PARSED_BAD, 0 },
	{ "+1", PARSED_BAD, 0 },
	{ "1-", PARSED_BAD, 0 },
	{ "1 2", PARSED_BAD, 0 },
	{ "1\n2", PARSED_BAD, 0 },
	{ "1.5", PARSED_BAD, 0 },
	{ "0x10", PARSED_BAD, 0 },
	{ "340432 kB", PARSED_BAD, 0 },
	{ "ma", PARSED_BAD, 0 },
	{ "Max", PARSED_BAD, 0 },
	{ "maxi", PARSED_BAD, 0 },
	{ "max 1", PARSED_BAD, 0 },
	{ "-max", PARSED_BAD, 0 },
	{ ":", PARSED_BAD, 0 },	/* the character behind '9' */
	{ "/", PARSED_BAD, 0 },	/* and that before '0' */
	{ "\xb5", PARSED_BAD, 0 },
};

static void test_values(void)
{
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		size_t size = strlen(values[i].text);
		char *text = test_copy(values[i].text, size);
		uint64_t value = 77;
		enum parsed got = parse_value(text, text + size, &value);

		CHECK_NUMBER(values[i].text, got, values[i].want);
		if (got != PARSED_BAD)
			CHECK_NUMBER(values[i].text, value, values[i].value);
		free(text);
	}
}

static void test_embedded_nul(void)
{
	static const char text[] = "5\0" "6";
	uint64_t value;

	CHECK_NUMBER("5 NUL 6", parse_value(text, text + 3, &value),
		     PARSED_BAD);
}

/*
 * What each line came to: "key=value", "key<0", "!key" for a bad one; "max"
 * where there is no limit.
 */
static void describe(const char *text, const char *end, char *to, size_t size)
{
	size_t used = 0, key_length = 0, line;
	const char *key = NULL;

	to[0] = '\0';
	for (line = 0; line < 1000; line++) {
		uint64_t value = 0;
		enum parsed got = parse_line(&text, end, &key, &key_length,
					     &value);
		const char *sign = got == PARSED_OK ? "=" :
			got == PARSED_NEGATIVE ? "<" : "";

		if (got == PARSED_END)
			break;
		used += (size_t)snprintf(to + used, size - used, "%s%s%.*s%s",
					 line ? " " : "",
					 got == PARSED_BAD ? "!" : "",
					 (int)key_length, key, sign);
		if (got == PARSED_BAD)
			continue;
		if (value == VALUE_NO_LIMIT)
			used += (size_t)snprintf(to + used, size - used, "max");
		else
			used += (size_t)snprintf(to + used, size - used, "%llu",
						 (unsigned long long)value);
	}
}

static const struct {
	const char *text, *want;
} lines[] = {
	{ "", "" },
	{ "anon 5\n", "anon=5" },
	{ "anon 5\nfile 6\n", "anon=5 file=6" },
	{ "anon 5\nfile 6", "anon=5 file=6" },
	{ "anon 5\r\nfile 6\r\n", "anon=5 file=6" },
	{ "anon  5\n", "anon=5" },
	{ "anon 5 \n", "anon=5" },
	/* a vendor's lines, the rest is read */
	{ "anon 5\nAnon:  340432 kB\nfile 6\n", "anon=5 !Anon: file=6" },
	{ "anon 5\nAnon:  340432 kB", "anon=5 !Anon:" },
	{ "anon 5\nkey\nfile 6\n", "anon=5 !key file=6" },
	{ "key", "!key" },
	{ "key \n", "!key" },
	{ "key \nfile 6\n", "!key file=6" },
	{ "anon 5\n\nfile 6\n", "anon=5 ! file=6" },
	{ "\n", "!" },
	{ " 5\nfile 6\n", "! file=6" },
	{ "anon -5\nfile 6\n", "anon<0 file=6" },
	{ "anon -\nfile 6\n", "!anon file=6" },
	{ "hierarchical_memory_limit max\n", "hierarchical_memory_limit=max" },
	{ "anon 18446744073709551616\nfile 6\n", "!anon file=6" },
	{ "anon five\nfile 6\n", "!anon file=6" },
	{ "anon 5 6\nfile 6\n", "!anon file=6" },
	{ "anon\t5\nfile 6\n", "!anon\t5 file=6" },
};

static void test_lines(void)
{
	char got[256];
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t size = strlen(lines[i].text);
		char *text = test_copy(lines[i].text, size);

		describe(text, text + size, got, sizeof(got));
		CHECK_TEXT(lines[i].text, got, lines[i].want);
		free(text);
	}
}

static void test_huge_key(void)
{
	size_t size = 60000, key_length = 0;
	char *text = calloc(1, size);
	const char *at = text, *key = NULL;
	uint64_t value = 0;

	memset(text, 'k', size);
	CHECK_NUMBER("no number", parse_line(&at, text + size, &key,
					     &key_length, &value), PARSED_BAD);
	CHECK_NUMBER("no number", key_length, size);
	text[size - 2] = ' ';
	text[size - 1] = '7';
	at = text;
	CHECK_NUMBER("with one", parse_line(&at, text + size, &key, &key_length,
					    &value), PARSED_OK);
	CHECK_NUMBER("with one", key_length, size - 2);
	CHECK_NUMBER("with one", value, 7);
	CHECK_NUMBER("with one", at - text, size);
	free(text);
}

/* Wherever a file is cut off, what is read stays inside and comes to an end. */
static void test_truncation(void)
{
	static const char whole[] =
		"anon 340432\nfile -12\n\nAnon:  5 kB\nkernel max\nsock 0";
	size_t size;

	for (size = 0; size < sizeof(whole); size++) {
		char *text = test_copy(whole, size);
		const char *at = text, *end = text + size, *key;
		const char *before = at;
		size_t key_length;
		uint64_t value;

		while (parse_line(&at, end, &key, &key_length, &value) !=
		       PARSED_END) {
			CHECK(at > before && at <= end, "cut at %zu", size);
			CHECK(key >= before && key + key_length <= end,
			      "cut at %zu", size);
			before = at;
		}
		CHECK(at == end, "cut at %zu", size);
		free(text);
	}
}

static const struct test tests[] = {
	{ "values", test_values },
	{ "embedded_nul", test_embedded_nul },
	{ "lines", test_lines },
	{ "huge_key", test_huge_key },
	{ "truncation", test_truncation },
};

int main(void)
{
	return TESTS_RUN("parse", tests);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Strings, and the time. Strings are checked by a decoder of our own, which is
 * strict, and by jq if the program is given a file to put them in, one a line.
 */
#include <stdbool.h>
#include <time.h>

#include "../../write/json.h"
#include "../../write/utf8.h"
#include "capture.h"
#include "test.h"

static FILE *collected;

/*
 * The code point of the one character that is @size bytes long, or -1: by
 * arithmetic, not by the ranges that write/utf8.c has.
 */
static long code_point(const unsigned char *at, size_t size)
{
	static const long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	long code = size == 1 ? at[0] : at[0] & (0x7f >> size);
	size_t i;

	if (size == 1 ? at[0] >= 0x80 :
	    (at[0] & (0xff00 >> (size + 1) & 0xff)) !=
	    (0xff00 >> size & 0xff))
		return -1;
	for (i = 1; i < size; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return -1;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < least[size] || code > 0x10ffff ||
	    (code >= 0xd800 && code <= 0xdfff))
		return -1;
	return code;
}

/* How long the character at @at is, 0 where there is none. */
static size_t character(const char *at, size_t left)
{
	size_t size;

	for (size = 1; size <= 4 && size <= left; size++)
		if (code_point((const unsigned char *)at, size) >= 0)
			return size;
	return 0;
}

static int hex(const char *at)
{
	char digits[5] = { 0 }, *end;
	long value;

	memcpy(digits, at, 4);
	value = strtol(digits, &end, 16);
	return end == digits + 4 ? (int)value : -1;
}

/* One escape, at the backslash. Return: the byte that it stands for, or -1. */
static int escape(const char *at, size_t left, size_t *used)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found;
	int code;

	*used = 2;
	if (left < 2)
		return -1;
	found = at[1] ? strchr(from, at[1]) : NULL;
	if (found)
		return to[found - from];
	if (at[1] != 'u' || left < 6)
		return -1;
	*used = 6;
	code = hex(at + 2);
	if (code >= 0 && code < 0x80)
		return code;
	if (code >= 0xdc80 && code <= 0xdcff)	/* as surrogateescape has it */
		return code - 0xdc00;
	return -1;
}

/* Return: bytes decoded, or -1 where it is no JSON string. */
static long decode(const char *text, size_t size, char *to)
{
	size_t at = 1, length = 0, used;

	if (size < 2 || text[0] != '"' || text[size - 1] != '"')
		return -1;
	for (; at < size - 1; at += used) {
		int byte;

		if (text[at] == '\\') {
			byte = escape(text + at, size - 1 - at, &used);
			if (byte < 0)
				return -1;
			to[length++] = (char)byte;
			continue;
		}
		used = character(text + at, size - 1 - at);
		if (!used || (unsigned char)text[at] < 0x20 || text[at] == '"')
			return -1;
		memcpy(to + length, text + at, used);
		length += used;
	}
	return (long)length;
}

/* What comes out is JSON, and can be turned back: distinct bytes stay so. */
static void check_bytes(const char *bytes, size_t size)
{
	char *copy = test_copy(bytes, size), *text, *back, name[200] = "";
	size_t length, i;

	for (i = 0; i < size && i < 40; i++)
		sprintf(name + i * 3, "%02x ", (unsigned char)bytes[i]);
	json_string(capture_begin(), copy, size);
	text = capture_end(&length);
	back = malloc(length + 1);
	CHECK_NUMBER(name, decode(text, length, back), size);
	CHECK(!memcmp(back, bytes, size), "%s: %s", name, text);
	if (collected)
		fprintf(collected, "%s\n", text);
	free(back);
	free(text);
	free(copy);
}

static void test_bytes(void)
{
	char text[3];
	int i;

	check_bytes("", 0);
	for (i = 0; i < 256; i++) {
		text[0] = (char)i;
		check_bytes(text, 1);
		text[0] = 'a';
		text[1] = (char)i;
		text[2] = 'b';
		check_bytes(text, 3);
	}
}

static const unsigned char chosen[] = {
	0x00, 0x01, 0x1f, 0x20, '"', '\\', '/', 'u', 'd', 'c', '0', '8', 'n',
	0x7e, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0, 0xb2, 0xbf, 0xc0, 0xc1,
	0xc2, 0xc3, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3,
	0xf4, 0xf5, 0xf8, 0xfc, 0xfe, 0xff,
};

static void test_pairs(void)
{
	size_t i, j;
	char text[2];

	for (i = 0; i < sizeof(chosen); i++) {
		for (j = 0; j < sizeof(chosen); j++) {
			text[0] = (char)chosen[i];
			text[1] = (char)chosen[j];
			check_bytes(text, 2);
		}
	}
}

static void test_random_bytes(void)
{
	char text[24];
	int i, j;

	for (i = 0; i < 3000; i++) {
		for (j = 0; j < 24; j++)
			text[j] = (char)chosen[test_random() % sizeof(chosen)];
		check_bytes(text, test_random() % 25);
	}
}

static const struct {
	const char *bytes, *want;
} strings[] = {
	{ "plain", "\"plain\"" },
	{ "a\"b\\c/", "\"a\\\"b\\\\c/\"" },
	{ "\n\t\x01\x1f", "\"\\u000a\\u0009\\u0001\\u001f\"" },
	/* valid: the first and the last of each length */
	{ "\xc2\x80", "\"\xc2\x80\"" },
	{ "\xdf\xbf", "\"\xdf\xbf\"" },
	{ "\xe0\xa0\x80", "\"\xe0\xa0\x80\"" },
	{ "\xef\xbf\xbf", "\"\xef\xbf\xbf\"" },
	{ "\xed\x9f\xbf", "\"\xed\x9f\xbf\"" },
	{ "\xee\x80\x80", "\"\xee\x80\x80\"" },
	{ "\xf0\x90\x80\x80", "\"\xf0\x90\x80\x80\"" },
	{ "\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\"" },
	/* overlong */
	{ "\xc0\x80", "\"\\udcc0\\udc80\"" },
	{ "\xc1\xbf", "\"\\udcc1\\udcbf\"" },
	{ "\xe0\x9f\xbf", "\"\\udce0\\udc9f\\udcbf\"" },
	{ "\xf0\x8f\xbf\xbf", "\"\\udcf0\\udc8f\\udcbf\\udcbf\"" },
	/* surrogates, also the one that an escape stands for */
	{ "\xed\xa0\x80", "\"\\udced\\udca0\\udc80\"" },
	{ "\xed\xbf\xbf", "\"\\udced\\udcbf\\udcbf\"" },
	{ "\xed\xb2\x80", "\"\\udced\\udcb2\\udc80\"" },
	/* above U+10FFFF */
	{ "\xf4\x90\x80\x80", "\"\\udcf4\\udc90\\udc80\\udc80\"" },
	{ "\xf5\x80\x80\x80", "\"\\udcf5\\udc80\\udc80\\udc80\"" },
	{ "\xff", "\"\\udcff\"" },
	/* cut off, and a new character in place of the rest */
	{ "\xc3", "\"\\udcc3\"" },
	{ "\xe2\x82", "\"\\udce2\\udc82\"" },
	{ "\xf0\x9f\x98", "\"\\udcf0\\udc9f\\udc98\"" },
	{ "\xc3z", "\"\\udcc3z\"" },
	{ "\xe2\x82z", "\"\\udce2\\udc82z\"" },
	{ "\xe2\xc3\xa4", "\"\\udce2\xc3\xa4\"" },
	{ "\xf0\x9f\x98z", "\"\\udcf0\\udc9f\\udc98z\"" },
	{ "\x80", "\"\\udc80\"" },
	/* what looks like an escape is not one */
	{ "\\udc80", "\"\\\\udc80\"" },
};

static void test_strings(void)
{
	size_t i, size;

	for (i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		size_t length = strlen(strings[i].bytes);
		char *bytes = test_copy(strings[i].bytes, length), *text;

		json_string(capture_begin(), bytes, length);
		text = capture_end(&size);
		CHECK_TEXT(strings[i].want, text, strings[i].want);
		check_bytes(strings[i].bytes, length);
		free(text);
		free(bytes);
	}
}

/* All pairs of bytes, and edges behind them, against the arithmetic. */
static void test_utf8(void)
{
	static const char edges[] = "\x7f\x80\xbf\xc0";
	unsigned int i, j;
	size_t size;

	for (i = 0; i < 1 << 16; i++) {
		for (j = 0; j < 16; j++) {
			const char bytes[4] = { (char)(i >> 8), (char)i,
				edges[j / 4], edges[j % 4] };

			for (size = 1; size <= 4; size++)
				if (utf8_length(bytes, size) !=
				    character(bytes, size))
					break;
			CHECK(size == 5, "%04x %u, of %zu bytes", i, j, size);
		}
	}
}

static char *write_snapshot(const struct snapshot *snapshot)
{
	size_t size;

	if (json_write(capture_begin(), snapshot, "0.1\"", "6.1-x"))
		abort();
	return capture_end(&size);
}

static void test_time(void)
{
	/* the epoch, leap days, ends of years, and what is not a leap year */
	static const time_t times[] = { 0, 86399, 86400, 68169599, 68169600,
		951782399, 951782400, 951868800, 1709164800, 1735689599,
		1735689600, 4107542399, 4107542400, 2147483648, 13574563199,
		1796049354 };
	static struct snapshot snapshot = { .source = "file", .path = "/" };
	char want[200], date[40];
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		char *text;

		snapshot.time.tv_sec = times[i];
		snapshot.time.tv_nsec = i ? 1000 * (long)i + 999 : 999999999;
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S",
			 gmtime(&times[i]));
		snprintf(want, sizeof(want), "{\"memcgstat\": \"0.1\\\"\","
			 " \"kernel\": \"6.1-x\", \"time\": \"%s.%06ldZ\","
			 " \"source\": \"file\", \"cgroups\": [\n]}\n", date,
			 snapshot.time.tv_nsec / 1000);
		text = write_snapshot(&snapshot);
		CHECK_TEXT(date, text, want);
		free(text);
	}
}

static const struct test tests[] = {
	{ "bytes", test_bytes },
	{ "pairs", test_pairs },
	{ "random_bytes", test_random_bytes },
	{ "strings", test_strings },
	{ "utf8", test_utf8 },
	{ "time", test_time },
};

int main(int argc, char **argv)
{
	if (argc > 1) {
		collected = fopen(argv[1], "a");
		if (!collected) {
			perror(argv[1]);
			return 1;
		}
	}
	return TESTS_RUN("json", tests);
}

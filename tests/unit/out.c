// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is written is all that was given, however it falls into the buffer. */
#include <errno.h>
#include <fcntl.h>

#include "../../write/out.h"
#include "capture.h"
#include "test.h"

/* An output whose buffer has so many bytes left; all others are dots. */
static struct out *begin(size_t left)
{
	struct out *out = capture_begin();

	memset(out->buffer, '.', OUT_SIZE);
	out->used = OUT_SIZE - left;
	return out;
}

/* After the dots comes just this. */
static void check_end(const char *name, size_t left, const char *want,
		      size_t length)
{
	size_t size, dots;
	char *text = capture_end(&size);

	CHECK(size == OUT_SIZE - left + length, "%s, %zu bytes left: %zu bytes",
	      name, left, size);
	dots = strspn(text, ".");
	CHECK(dots == OUT_SIZE - left, "%s, %zu bytes left: %zu dots", name,
	      left, dots);
	CHECK(size >= length && !memcmp(text + size - length, want, length),
	      "%s, %zu bytes left: '%.30s'", name, left, text + dots);
	free(text);
}

static void test_numbers(void)
{
	static const uint64_t numbers[] = { 0, 7, 9, 10, 99, 100, 12345,
		4294967296, 999999999999999999, 1000000000000000000,
		9999999999999999999U, 10000000000000000000U, UINT64_MAX };
	char want[80];
	size_t left, i;

	for (left = 0; left < 64; left++) {
		for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
			struct out *out = begin(left);
			int length = snprintf(want, sizeof(want), "%llu|%llu",
				(unsigned long long)numbers[i],
				(unsigned long long)numbers[i]);

			out_number(out, numbers[i]);
			out_char(out, '|');
			out_number(out, numbers[i]);
			check_end(want, left, want, (size_t)length);
		}
	}
}

/* Text longer than a buffer, too, and what is around it. */
static void test_formats(void)
{
	static char text[OUT_SIZE + 9], want[OUT_SIZE + 40];
	static const size_t sizes[] = { 0, 1, 5, OUT_SIZE, OUT_SIZE + 8 };
	size_t left, i;

	for (left = 0; left < 34; left++) {
		for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct out *out = begin(left);
			int length;

			memset(text, 'x', sizes[i]);
			text[sizes[i]] = '\0';
			length = snprintf(want, sizeof(want), "a %s, %d %04x",
					  text, -12, 0xab);
			out_format(out, "a %s, %d %04x", text, -12, 0xab);
			check_end("format", left, want, (size_t)length);
		}
	}
}

static void test_bytes(void)
{
	static char bytes[OUT_SIZE * 2 + 2];
	static const size_t sizes[] = { 0, 1, 2, 30, OUT_SIZE - 1, OUT_SIZE,
		OUT_SIZE + 1, OUT_SIZE * 2, OUT_SIZE * 2 + 1 };
	size_t left, i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)('a' + i % 26);
	for (left = 0; left < 34; left++) {
		for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct out *out = begin(left);

			out_bytes(out, bytes, sizes[i]);
			out_char(out, bytes[sizes[i]]);
			check_end("bytes", left, bytes, sizes[i] + 1);
		}
	}
}

/* Room is there whole, or it is said that it is not. */
static void test_reserve(void)
{
	static char want[OUT_SIZE];
	static const size_t sizes[] = { 0, 1, 16, 500, OUT_SIZE - 1, OUT_SIZE };
	size_t left, i;

	memset(want, 'x', sizeof(want));
	for (left = 0; left < 600; left += left < 20 ? 1 : 37) {
		for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct out *out = begin(left);
			char *to = out_reserve(out, sizes[i]);

			CHECK(to, "%zu bytes", sizes[i]);
			memset(to, 'x', sizes[i]);
			out->used += sizes[i];
			check_end("reserved", left, want, sizes[i]);
		}
		CHECK(!out_reserve(begin(left), OUT_SIZE + 1), "too many");
		check_end("too many", left, "", 0);
	}
}

/* The first error stays, and nothing is written after it. */
static void test_errors(void)
{
	static char bytes[OUT_SIZE + 1];
	static struct out out;
	int i;

	for (i = 0; i < 3; i++) {
		int fd = open("/dev/full", O_WRONLY);

		out_open(&out, fd);
		CHECK_NUMBER("nothing", out_flush(&out), 0);
		if (i == 0)
			out_bytes(&out, bytes, sizeof(bytes));
		else
			out_text(&out, "some");
		if (i == 2) {
			out.used = OUT_SIZE;
			out_number(&out, UINT64_MAX);
		}
		CHECK_NUMBER("full", out_flush(&out), -ENOSPC);
		close(fd);
		out_text(&out, "more");
		CHECK_NUMBER("the first", out_flush(&out), -ENOSPC);
		CHECK_NUMBER("it is gone", out.used, 0);
	}
}

static const struct test tests[] = {
	{ "numbers", test_numbers },
	{ "formats", test_formats },
	{ "bytes", test_bytes },
	{ "reserve", test_reserve },
	{ "errors", test_errors },
};

int main(void)
{
	return TESTS_RUN("out", tests);
}

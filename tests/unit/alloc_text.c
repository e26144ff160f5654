// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The text of /proc/allocinfo: what kernels print, and what they do not. */
#include <errno.h>

#include "../../read/alloc_text.h"
#include "test.h"

/* As Linux 6.10 to 6.17 print it, a module's site and a counter below 0 too. */
static const char version_1[] =
	"allocinfo - version: 1.0\n"
	"#     <size>  <calls> <tag info>\n"
	"           0        0 init/main.c:1314 func:do_initcalls \n"
	"     4718592     1152 mm/slub.c:2321 func:alloc_slab_page \n"
	"          16        1 fs/xfs/xfs_mount.c:87 [xfs] func:xfs_uuid_mount \n"
	"        -128 18446744073709551614 net/core/skbuff.c:1 func:__alloc_skb \n";

/* As 7.3 does. */
static const char version_2[] =
	"allocinfo - version: 2.0\n"
	"#     <size>  <calls> <tag info>\n"
	"     4722688      580 mm/slub.c:3347 func:alloc_slab_page accurate:no \n"
	"      102400       25 arch/x86/mm/pgtable.c:18 func:pte_alloc_one \n"
	"         512        2 drivers/x/y.c:9 [y] func:f accurate:no \n";

static const struct {
	int64_t bytes, calls;
	const char *names[ALLOC_NAMES];
	uint32_t line;
	bool accurate;
} wanted[2][4] = {
	{
		{ 0, 0, { "init/main.c", "do_initcalls", "" }, 1314, true },
		{ 4718592, 1152, { "mm/slub.c", "alloc_slab_page", "" }, 2321,
		  true },
		{ 16, 1, { "fs/xfs/xfs_mount.c", "xfs_uuid_mount", "xfs" }, 87,
		  true },
		{ -128, -2, { "net/core/skbuff.c", "__alloc_skb", "" }, 1,
		  true },
	}, {
		{ 4722688, 580, { "mm/slub.c", "alloc_slab_page", "" }, 3347,
		  false },
		{ 102400, 25, { "arch/x86/mm/pgtable.c", "pte_alloc_one", "" },
		  18, true },
		{ 512, 2, { "drivers/x/y.c", "f", "y" }, 9, false },
	},
};

static void check_name(const char *name, struct alloc_name got,
		       const char *want)
{
	CHECK(got.length == strlen(want) &&
	      (!got.length || !memcmp(got.text, want, got.length)),
	      "%s: '%.*s', not '%s'", name, (int)got.length,
	      got.length ? got.text : "", want);
}

static void check_format(const char *from, size_t size, size_t format)
{
	char *copy = test_copy(from, size);
	const char *text = copy, *end = copy + size;
	struct alloc_tag tag;
	struct reason reason;
	size_t i, name;

	CHECK_NUMBER("begin", alloc_text_begin(&text, end, &reason), 0);
	for (i = 0; i < 4 && wanted[format][i].names[0]; i++) {
		CHECK_NUMBER("line", alloc_text_line(&text, end, &tag),
			     PARSED_OK);
		CHECK_NUMBER("bytes", tag.bytes, wanted[format][i].bytes);
		CHECK_NUMBER("calls", tag.calls, wanted[format][i].calls);
		CHECK_NUMBER("line", tag.line, wanted[format][i].line);
		CHECK_NUMBER("accurate", tag.accurate,
			     wanted[format][i].accurate);
		for (name = 0; name < ALLOC_NAMES; name++)
			check_name("name", tag.names[name],
				   wanted[format][i].names[name]);
	}
	CHECK_NUMBER("end", alloc_text_line(&text, end, &tag), PARSED_END);
	free(copy);
}

static void test_versions(void)
{
	check_format(version_1, sizeof(version_1) - 1, 0);
	check_format(version_2, sizeof(version_2) - 1, 1);
	/* its last newline, and the blank before, cut off */
	check_format(version_2, sizeof(version_2) - 2, 1);
	check_format(version_2, sizeof(version_2) - 3, 1);
}

static void test_unknown(void)
{
	static const char *const heads[][2] = {
		{ "", "does not begin" },
		{ "\n", "does not begin" },
		{ "allocinfo", "does not begin" },
		{ "       4096        1 mm/slub.c:1 func:f \n",
		  "does not begin" },
		{ "allocinfo - version: \n", "version ," },
		{ "allocinfo - version: 1\n", "version 1," },
		{ "allocinfo - version: 1.1\n#\n", "version 1.1," },
		{ "allocinfo - version: 2.00\n", "version 2.00," },
		{ "allocinfo - version: 3.0", "version 3.0," },
		{ "allocinfo - version: 2.0 and more than anyone has seen\n",
		  "version 2.0 and more than an," },
	};
	size_t i;

	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		size_t size = strlen(heads[i][0]);
		char *copy = test_copy(heads[i][0], size);
		struct reason reason = { "" };
		const char *text = copy;

		CHECK_NUMBER(heads[i][0],
			     alloc_text_begin(&text, copy + size, &reason),
			     -EPROTONOSUPPORT);
		CHECK(strstr(reason.text, heads[i][1]), "%s: %s", heads[i][0],
		      reason.text);
		free(copy);
	}
}

static enum parsed parse(const char *line, struct alloc_tag *tag)
{
	static char *copy;
	size_t size = strlen(line);
	const char *text;
	enum parsed parsed;

	free(copy);	/* of the time before: names lie in it */
	copy = test_copy(line, size);
	text = copy;
	parsed = alloc_text_line(&text, copy + size, tag);
	CHECK(text == copy + size, "'%s': %zu bytes taken", line,
	      (size_t)(text - copy));
	return parsed;
}

static void test_malformed(void)
{
	static const char *const lines[] = {
		"\n", " ", "1", "1 ", "1 2", "1 2 \n", "1 2 a.c:3",
		"1 2 a.c:3 ",
		"1 2 a.c func:f", "1 2 :3 func:f", "1 2 a.c: func:f",
		"1 2 a.c:x func:f", "1 2 a.c:-3 func:f",
		"1 2 a.c:4294967296 func:f", "1 2 a.c:3 func:",
		"x 2 a.c:3 func:f",
		"1 x a.c:3 func:f", "1K 2 a.c:3 func:f", "- 2 a.c:3 func:f",
		"--1 2 a.c:3 func:f", "+1 2 a.c:3 func:f",
		"18446744073709551616 2 a.c:3 func:f",
		"-9223372036854775809 2 a.c:3 func:f",
		"1 99999999999999999999 a.c:3 func:f", "1.5 2 a.c:3 func:f",
		"1 2 a.c:3 [m]", "1 2 a.c:3 function:f", "1\t2\ta.c:3\tfunc:f",
		"#     <size>  <calls> <tag info>",
	};
	struct alloc_tag tag;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		CHECK_NUMBER(lines[i], parse(lines[i], &tag), PARSED_BAD);
	CHECK_NUMBER("nothing", parse("", &tag), PARSED_END);
}

static void test_fields(void)
{
	struct alloc_tag tag;

	CHECK_NUMBER("newer fields", parse("1 2 a.c:3 order:0 [m] func:f"
					   " total:9:8 accurate:no x \n", &tag),
		     PARSED_OK);
	check_name("function", tag.names[ALLOC_FUNCTION], "f");
	check_name("module", tag.names[ALLOC_MODULE], "m");
	CHECK_NUMBER("accurate", tag.accurate, false);
	CHECK_NUMBER("accurate:yes", parse("1 2 a.c:3 func:f accurate:yes",
					   &tag), PARSED_OK);
	CHECK_NUMBER("accurate", tag.accurate, true);
	CHECK_NUMBER("colons", parse("1 2 a:b:4294967295 func:f", &tag),
		     PARSED_OK);
	check_name("file", tag.names[ALLOC_FILE], "a:b");
	CHECK(tag.line == UINT32_MAX, "%u", tag.line);
	CHECK_NUMBER("no name in brackets", parse("1 2 a.c:3 [] [ func:f",
						  &tag), PARSED_OK);
	check_name("module", tag.names[ALLOC_MODULE], "");
	CHECK_NUMBER("least", parse("-9223372036854775808 9223372036854775807"
				    " a.c:3 func:f", &tag), PARSED_OK);
	CHECK(tag.bytes == INT64_MIN && tag.calls == INT64_MAX, "%lld %lld",
	      (long long)tag.bytes, (long long)tag.calls);
}

static void test_long_names(void)
{
	static char line[300100], name[100001];
	struct alloc_tag tag;

	memset(name, 'n', sizeof(name) - 1);
	snprintf(line, sizeof(line), "1 2 %s:3 [%s] func:%s \n", name, name,
		 name);
	CHECK_NUMBER("long", parse(line, &tag), PARSED_OK);
	check_name("file", tag.names[ALLOC_FILE], name);
	check_name("module", tag.names[ALLOC_MODULE], name);
	check_name("function", tag.names[ALLOC_FUNCTION], name);
}

int main(void)
{
	static const struct test tests[] = {
		{ "versions", test_versions },
		{ "unknown", test_unknown },
		{ "malformed", test_malformed },
		{ "fields", test_fields },
		{ "long_names", test_long_names },
	};

	return TESTS_RUN("alloc_text", tests);
}

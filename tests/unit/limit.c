// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tightest limit of a cgroup and those above, by files and in records. */
#include "files_tree.h"

#include "../../read/limit.h"

#define NONE	VALUE_NO_LIMIT
#define GONE	VALUE_ABSENT

/* A cgroup's limit, or NULL: it has no such file. */
static void make_limited(const char *cgroup, const char *limit)
{
	make_stat(cgroup, "anon 1\n");
	if (limit)
		make_file(cgroup, "memory.max", limit);
}

static void make_tree(void)
{
	tree_begin();
	make_limited("", NULL);
	make_limited("/a", "max\n");
	make_limited("/a/b", "5000\n");
	make_limited("/a/b/c", "max\n");
	make_limited("/a/b/c/d", "6000\n");
	make_limited("/a/b/e", "4000\n");
	make_limited("/a/b/e/f", "max\n");
	make_limited("/g", "max\n");
	make_limited("/h", "0\n");
	make_limited("/h/i", "7000\n");
}

static void check_tree(const char *list, bool shown)
{
	int column;

	reader_open(list, 2, 9);
	CHECK_NUMBER(list, reader_read(), 0);
	column = snapshot_find(&reader.snapshot, "limit", NULL, 0);
	CHECK_NUMBER("shown", column >= 0 &&
		     column_is_printed(&reader.snapshot.columns[column]), shown);
	check_value("/", "limit", NULL, NONE);
	check_value("/a", "limit", NULL, NONE);
	check_value("/a/b", "limit", NULL, 5000);
	check_value("/a/b/c", "limit", NULL, 5000);
	check_value("/a/b/c/d", "limit", NULL, 5000);
	check_value("/a/b/e", "limit", NULL, 4000);
	check_value("/a/b/e/f", "limit", NULL, 4000);
	check_value("/g", "limit", NULL, NONE);
	check_value("/h", "limit", NULL, 0);
	check_value("/h/i", "limit", NULL, 0);
	reader_close();
}

static void test_tree(void)
{
	make_tree();
	check_tree("limit", true);
	check_tree("limit,memory.max,anon", true);
	check_tree("all", true);
	reader_open("anon", 2, 9);
	CHECK_NUMBER("not asked for", reader_read(), 0);
	CHECK(snapshot_find(&reader.snapshot, "limit", NULL, 0) < 0, "no column");
	reader_close();
}

/* A limit above what is read counts, and if it is not known nothing is. */
static void test_above(void)
{
	static const struct {
		uint64_t above, at_a, at_e;
	} cases[] = {
		{ NONE, NONE, 4000 }, { 4500, 4500, 4000 },
		{ 100, 100, 100 }, { 0, 0, 0 }, { GONE, GONE, GONE },
	};
	size_t i;

	make_tree();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		reader_open("limit", 2, 9);
		reader.source.above = cases[i].above;
		CHECK_NUMBER("above", reader_read(), 0);
		check_value("/a", "limit", NULL, cases[i].at_a);
		check_value("/a/b/e", "limit", NULL, cases[i].at_e);
		reader_close();
	}
}

/* No cgroup that is read has a limit's file: there is room all the same. */
static void test_alone(void)
{
	tree_begin();
	make_stat("", "anon 1\n");
	reader_open("limit", 2, 0);
	CHECK_NUMBER("alone", reader_read(), 0);
	check_value("/", "limit", NULL, NONE);
	reader_close();
}

static void test_v1(void)
{
	tree_begin();
	make_stat("", "hierarchical_memory_limit 9223372036854771712\n");
	make_stat("/a", "hierarchical_memory_limit 4096\n");
	make_file("/a", "memory.max", "1\n");
	make_stat("/a/b", "hierarchical_memory_limit 4096\n");
	reader_open("limit", 1, 9);
	CHECK_NUMBER("v1", reader_read(), 0);
	check_value("/", "limit", NULL, NONE);
	check_value("/a", "limit", NULL, 4096);
	check_value("/a/b", "limit", NULL, 4096);
	reader_close();
}

static uint64_t above(const char *cgroup, uint32_t levels, int version,
		      const char *list)
{
	struct hierarchy hierarchy = { .version = version, .path = "/x" };
	struct selection selection;
	struct reason reason = { "" };
	char path[4096];
	uint64_t value;

	snprintf(path, sizeof(path), "%s%s", top, cgroup);
	hierarchy.fd = open(path, O_RDONLY | O_DIRECTORY);
	CHECK(hierarchy.fd >= 0, "%s", path);
	hierarchy.levels = levels;
	CHECK_NUMBER(list, selection_parse(&selection, list, false, &reason),
		     0);
	value = limit_above(&hierarchy, &selection, &reason);
	CHECK(value == GONE ? strstr(reason.text, "/x") != NULL :
	      !reason.text[0], "%s: '%s'", cgroup, reason.text);
	selection_free(&selection);
	close(hierarchy.fd);
	return value;
}

static void test_files_above(void)
{
	make_tree();
	CHECK_NUMBER("top", above("", 0, 2, "limit"), NONE);
	CHECK_NUMBER("/a", above("/a", 1, 2, "limit"), NONE);
	CHECK_NUMBER("/a/b", above("/a/b", 2, 2, "limit"), NONE);
	CHECK_NUMBER("/a/b/c", above("/a/b/c", 3, 2, "limit"), 5000);
	CHECK_NUMBER("/a/b/e/f", above("/a/b/e/f", 4, 2, "limit"), 4000);
	CHECK_NUMBER("/a/b/e/f", above("/a/b/e/f", 4, 2, "all"), 4000);
	CHECK_NUMBER("/h/i", above("/h/i", 2, 2, "limit"), 0);
	/* not above the top of what is mounted, and not for nothing */
	CHECK_NUMBER("1 level", above("/a/b/e/f", 1, 2, "limit"), 4000);
	CHECK_NUMBER("no level", above("/a/b/e/f", 0, 2, "limit"), NONE);
	CHECK_NUMBER("v1", above("/a/b/e/f", 4, 1, "limit"), NONE);
	CHECK_NUMBER("anon", above("/a/b/e/f", 4, 2, "anon"), NONE);
	/* what is no limit, and what cannot be read */
	make_file("/a/b", "memory.max", "nonsense\n");
	CHECK_NUMBER("bad", above("/a/b/c", 3, 2, "limit"), GONE);
	make_limited("/j", NULL);
	make_cgroup("/j/memory.max");
	make_limited("/j/k", "max\n");
	CHECK_NUMBER("a directory", above("/j/k", 2, 2, "limit"), GONE);
}

static const struct test tests[] = {
	{ "tree", test_tree }, { "above", test_above }, { "alone", test_alone },
	{ "v1", test_v1 }, { "files_above", test_files_above },
};

int main(void)
{
	return TESTS_RUN("limit", tests);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the file source reads from the files of a cgroup. */
#include <errno.h>

#include "../../write/json.h"
#include "capture.h"
#include "files_tree.h"
#include "test.h"

static void test_values(void)
{
	tree_begin();
	make_stat("", "anon 1\nfile 2\nkernel 3\n");
	make_file("", "cgroup.stat", "nr_descendants 1\n");
	make_stat("/a", "anon 10\nfile 20\nkernel 30\n");
	make_file("/a", "memory.current", "4096\n");
	make_file("/a", "memory.max", "max\n");
	make_file("/a", "memory.high", "0\n");
	make_file("/a", "memory.events", "low 0\noom_kill 3\n");
	make_file("/a", "memory.events.local", "low 0\noom_kill 2\n");
	make_file("/a", "cgroup.procs", "1\n2\n");
	read_tree("all", 2);
	check_paths("/ /a");
	check_stat("/", "anon", 1);
	check_stat("/", "kernel", 3);
	check_stat("/a", "anon", 10);
	check_stat("/a", "file", 20);
	check_stat("/a", "kernel", 30);
	check_value("/", "cgroup.stat", "nr_descendants", 1);
	check_value("/a", "memory.current", NULL, 4096);
	check_value("/a", "memory.max", NULL, VALUE_NO_LIMIT);
	check_value("/a", "memory.high", NULL, 0);
	check_value("/a", "memory.events", "oom_kill", 3);
	check_value("/a", "memory.events.local", "oom_kill", 2);
	/* the root has no such file: absent, not 0 */
	check_value("/", "memory.current", NULL, VALUE_ABSENT);
	check_value("/", "memory.max", NULL, VALUE_ABSENT);
	check_value("/", "memory.events", "oom_kill", VALUE_ABSENT);
	check_value("/a", "memory.peak", NULL, VALUE_ABSENT);
	CHECK_NUMBER("unreadable", reader.snapshot.unreadable, 0);
	CHECK_NUMBER("skipped", reader.snapshot.skipped_lines, 0);
	reader_close();
}

/* The order of keys changes from kernel to kernel; here, from file to file. */
static void test_changing_order(void)
{
	tree_begin();
	make_stat("", "anon 1\nfile 2\ninactive_anon 3\nnewer 4\n");
	make_stat("/a", "inactive_anon 13\nnewer 14\nfile 12\nanon 11\n");
	make_stat("/b", "newer_still 25\nanon 21\n");
	make_stat("/c", "new 36\nfile 32\nanon 31\ninactive_anon 33\n");
	make_stat("/d", "");
	read_tree("memory.stat", 2);
	check_stat("/", "inactive_anon", 3);
	check_stat("/", "newer", 4);
	check_stat("/a", "anon", 11);
	check_stat("/a", "file", 12);
	check_stat("/a", "inactive_anon", 13);
	check_stat("/a", "newer", 14);
	check_stat("/b", "anon", 21);
	check_stat("/b", "file", VALUE_ABSENT);
	check_stat("/b", "newer", VALUE_ABSENT);
	check_stat("/b", "newer_still", 25);
	check_stat("/c", "anon", 31);
	check_stat("/c", "file", 32);
	check_stat("/c", "inactive_anon", 33);
	check_stat("/c", "new", 36);
	check_stat("/c", "newer", VALUE_ABSENT);
	check_stat("/d", "anon", VALUE_ABSENT);
	CHECK_NUMBER("columns", reader.snapshot.column_count, 6);
	reader_close();
}

/*
 * A cgroup that is just being removed loses its files one after the other. What
 * is missing there is not missing everywhere, nor for good.
 */
static void test_one_file_missing(void)
{
	const char *const names[] = { "/a", "/b", "/c" };
	size_t i;

	tree_begin();
	make_stat("", "anon 1\n");
	for (i = 0; i < 3; i++) {
		make_stat(names[i], "anon 2\n");
		if (i != 1)
			make_file(names[i], "memory.current", "7\n");
	}
	read_tree("anon,memory.current", 2);
	for (i = 0; i < 3; i++)
		check_value(names[i], "memory.current", NULL,
			    i == 1 ? VALUE_ABSENT : 7);
	make_file("/b", "memory.current", "8\n");
	CHECK_NUMBER("again", reader_read(), 0);
	check_value("/b", "memory.current", NULL, 8);
	reader_close();
}

/* Directories that are no memory cgroup are left out, silently. */
static void test_no_controller(void)
{
	tree_begin();
	make_stat("", "anon 1\n");
	make_stat("/a", "anon 2\n");
	make_cgroup("/b");
	make_file("/b", "cgroup.stat", "nr_descendants 0\n");
	make_stat("/c", "anon 3\n");
	read_tree("all", 2);
	CHECK_NUMBER("unreadable", reader.snapshot.unreadable, 0);
	check_stat("/a", "anon", 2);
	check_stat("/c", "anon", 3);
	CHECK(!strstr(reader.reason.text, "b"), "%.200s", reader.reason.text);
	check_paths("/ /a /c");
	reader_close();
}

static void test_nothing(void)
{
	tree_begin();
	make_file("", "cgroup.stat", "nr_descendants 0\n");
	reader_open("all", 2, NO_DEPTH);
	CHECK_NUMBER("nothing", reader_read(), -ENODATA);
	CHECK(strstr(reader.reason.text, "memory"), "%.200s",
	      reader.reason.text);
	reader_close();
}

static void test_bad_lines(void)
{
	tree_begin();
	make_stat("", "anon 1\nAnon:  340432 kB\nfile 2\nkey\n\nkernel 3");
	make_stat("/a", "Anon:  340432 kB\nanon -5\nfile 6\nkernel -1");
	make_file("/a", "memory.current", "many\n");
	make_file("/a", "memory.max", "");
	make_file("/a", "memory.peak", "-1\n");
	read_tree("all", 2);
	check_stat("/", "anon", 1);
	check_stat("/", "file", 2);
	check_stat("/", "kernel", 3);
	check_stat("/a", "anon", 0);
	check_stat("/a", "file", 6);
	check_stat("/a", "kernel", 0);
	check_value("/a", "memory.current", NULL, VALUE_ABSENT);
	check_value("/a", "memory.max", NULL, VALUE_ABSENT);
	check_value("/a", "memory.peak", NULL, 0);
	CHECK_NUMBER("skipped", reader.snapshot.skipped_lines, 6);
	CHECK_NUMBER("negative", reader.snapshot.negative, 3);
	/* counted for each sample anew */
	CHECK_NUMBER("again", reader_read(), 0);
	CHECK_NUMBER("skipped", reader.snapshot.skipped_lines, 6);
	reader_close();
}

static void test_working_set(void)
{
	tree_begin();
	make_stat("", "inactive_file 5\n");
	make_stat("/a", "anon 3\ninactive_file 30\n");
	make_file("/a", "memory.current", "100\n");
	make_stat("/b", "inactive_file 30\n");
	make_file("/b", "memory.current", "29\n");
	make_stat("/c", "anon 30\n");
	make_file("/c", "memory.current", "29\n");
	read_tree("working_set", 2);
	check_value("/", "working_set", NULL, VALUE_ABSENT);
	check_value("/a", "working_set", NULL, 70);
	check_value("/b", "working_set", NULL, 0);
	check_value("/c", "working_set", NULL, VALUE_ABSENT);
	reader_close();
}

static void test_v1(void)
{
	tree_begin();
	make_stat("", "cache 1\nrss 2\ntotal_inactive_file 3\n"
		  "hierarchical_memory_limit 9223372036854771712\n");
	make_file("", "memory.usage_in_bytes", "50\n");
	make_file("", "memory.limit_in_bytes", "9223372036854771712\n");
	make_stat("/a", "cache 4\nrss 5\ninactive_file 9\n"
		  "total_inactive_file 6\nhierarchical_memory_limit 4096\n");
	make_file("/a", "memory.usage_in_bytes", "60\n");
	make_file("/a", "memory.limit_in_bytes", "4096\n");
	make_file("/a", "memory.current", "1\n");
	/* what 64 KiB pages have as their limit, and no limit of a gauge */
	make_stat("/b", "cache 9223372036854771712\n");
	make_file("/b", "memory.limit_in_bytes", "9223372036854710272\n");
	read_tree("all", 1);
	check_value("/", "memory.limit_in_bytes", NULL, VALUE_NO_LIMIT);
	check_stat("/", "hierarchical_memory_limit", VALUE_NO_LIMIT);
	check_value("/", "working_set", NULL, 47);
	check_value("/a", "memory.limit_in_bytes", NULL, 4096);
	check_stat("/a", "hierarchical_memory_limit", 4096);
	check_value("/a", "working_set", NULL, 54);
	check_value("/a", "memory.current", NULL, VALUE_ABSENT);
	check_value("/b", "memory.limit_in_bytes", NULL, VALUE_NO_LIMIT);
	check_stat("/b", "cache", 9223372036854771712ULL);
	reader_close();
}

/* Root may read anything: a directory in place of a file is what it cannot. */
static void test_unreadable(void)
{
	tree_begin();
	make_stat("", "anon 1\n");
	make_stat("/a", "anon 2\n");
	make_cgroup("/a/memory.max");
	make_file("/a", "memory.current", "5\n");
	make_cgroup("/b");
	make_cgroup("/b/memory.stat");
	make_file("/b", "memory.current", "6\n");
	reader_open("all", 2, NO_DEPTH);
	CHECK_NUMBER("unreadable", reader_read(), 0);
	CHECK_NUMBER("unreadable", reader.snapshot.unreadable, 2);
	/* it names one of them, whole */
	CHECK(strstr(reader.reason.text, "/a/memory.max") ||
	      strstr(reader.reason.text, "/b/memory.stat"), "%.200s",
	      reader.reason.text);
	CHECK(strstr(reader.reason.text, strerror(EISDIR)), "%.200s",
	      reader.reason.text);
	check_stat("/a", "anon", 2);
	check_value("/a", "memory.current", NULL, 5);
	check_value("/a", "memory.max", NULL, VALUE_ABSENT);
	check_value("/b", "memory.current", NULL, 6);
	check_stat("/b", "anon", VALUE_ABSENT);
	reader_close();
}

/* The three states as JSON has them, from the files to the text. */
static void test_json(void)
{
	char *text, *cgroups;
	size_t size;

	tree_begin();
	make_stat("", "anon 1\n");
	make_stat("/a", "anon 2\n");
	make_file("/a", "memory.max", "max\n");
	make_file("/a", "memory.high", "4096\n");
	read_tree("anon,memory.max,memory.high,memory.low", 2);
	CHECK_NUMBER("json", json_write(capture_begin(), &reader.snapshot, "0",
					"6"), 0);
	text = capture_end(&size);
	cgroups = strstr(text, "\"/a\"");
	CHECK(cgroups && strstr(cgroups, "\"memory.high\": 4096,"
				" \"memory.max\": null,"
				" \"memory.stat\": {\"anon\": 2}}"),
	      "%.200s", text);
	/* the root has none of them, and says nothing of them */
	*(cgroups ? cgroups : text) = '\0';
	CHECK(strstr(text, "\"memory.stat\": {\"anon\": 1}}") &&
	      !strstr(text, "memory.max"), "%.200s", text);
	CHECK(!cgroups || !strstr(cgroups + 1, "memory.low"), "%.200s",
	      cgroups + 1);
	free(text);
	reader_close();
}

static const struct test tests[] = {
	{ "values", test_values },
	{ "changing_order", test_changing_order },
	{ "one_file_missing", test_one_file_missing },
	{ "no_controller", test_no_controller },
	{ "nothing", test_nothing },
	{ "bad_lines", test_bad_lines },
	{ "working_set", test_working_set },
	{ "v1", test_v1 },
	{ "unreadable", test_unreadable },
	{ "json", test_json },
};

int main(void)
{
	return TESTS_RUN("files", tests);
}

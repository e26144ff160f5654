// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How the file source goes through a tree, once and again. */
#include <dirent.h>

#include "files_tree.h"
#include "test.h"

/* Siblings come in order of their inode numbers, each before its children. */
static void test_order(void)
{
	struct rows rows;
	uint64_t last[3] = { 0 };
	struct stat stat;
	char path[PATH_MAX];
	int i, count = 0;

	tree_begin();
	make_stat("", "anon 1\n");
	for (i = 0; i < 60; i++) {
		/* created in an order that is not that of the names */
		snprintf(path, sizeof(path), "/%c%d", 'a' + i * 7 % 26, i);
		make_stat(path, "anon 2\n");
		strcat(path, "/z");
		make_stat(path, "anon 3\n");
		path[strlen(path) - 1] = 'c';
		make_stat(path, "anon 4\n");
	}
	read_tree("anon", 2);
	rows_begin(&rows, &reader.snapshot);
	for (; rows_next(&rows) > 0; count++) {
		const struct record *record = rows.record;

		snprintf(path, sizeof(path), "%s%.*s", top,
			 (int)rows.path.used, rows.path.data);
		CHECK(!lstat(path, &stat), "%s is there", path);
		CHECK_NUMBER(path, record->id, stat.st_ino);
		CHECK(record->level <= 2 && record->id > last[record->level],
		      "%s is not in order", path);
		last[record->level] = record->id;
		if (record->level < 2)
			last[record->level + 1] = 0;
	}
	rows_end(&rows);
	CHECK_NUMBER("all of them", count, 181);
	reader_close();
}

static void test_depth(void)
{
	tree_begin();
	make_stat("", "anon 1\n");
	make_stat("/a", "anon 1\n");
	make_stat("/a/b", "anon 1\n");
	make_stat("/a/b/c", "anon 1\n");
	reader_open("anon", 2, 0);
	CHECK_NUMBER("depth 0", reader_read(), 0);
	check_paths("/");
	reader_close();
	reader_open("anon", 2, 2);
	CHECK_NUMBER("depth 2", reader_read(), 0);
	check_paths("/ /a /a/b");
	reader_close();
	read_tree("anon", 2);
	check_paths("/ /a /a/b /a/b/c");
	reader_close();
}

/* Names are bytes, up to 255 of them. */
static void test_names(void)
{
	char longest[257] = "/";

	memset(longest + 1, 'n', 255);
	longest[256] = '\0';
	tree_begin();
	make_stat("", "anon 1\n");
	make_stat(longest, "anon 2\n");
	make_stat("/\xff\xfe \n\"\\", "anon 3\n");
	make_stat("/...", "anon 4\n");
	make_stat("/.hidden", "anon 5\n");
	read_tree("anon", 2);
	check_stat(longest, "anon", 2);
	check_stat("/\xff\xfe \n\"\\", "anon", 3);
	check_stat("/...", "anon", 4);
	check_stat("/.hidden", "anon", 5);
	reader_close();
}

static void test_nesting(void)
{
	char path[PATH_MAX] = "", text[32];
	int i;

	tree_begin();
	make_stat("", "anon 0\n");
	for (i = 1; i <= 60; i++) {
		sprintf(text, "anon %d\n", i);
		strcat(path, "/some_longer_name");
		make_stat(path, text);
	}
	read_tree("anon", 2);
	for (i = 60; i >= 1; i--) {
		check_stat(path, "anon", (uint64_t)i);
		*strrchr(path, '/') = '\0';
	}
	reader_close();
}

/* More children than one getdents64() tells. */
static void test_many_children(void)
{
	char path[64], text[32];
	struct rows rows;
	int i, count = 0;

	tree_begin();
	make_stat("", "anon 0\n");
	for (i = 0; i < 1500; i++) {
		snprintf(path, sizeof(path), "/a_name_of_some_length_%d", i);
		snprintf(text, sizeof(text), "anon %d\n", i);
		make_stat(path, text);
	}
	read_tree("anon", 2);
	rows_begin(&rows, &reader.snapshot);
	for (; rows_next(&rows) > 0; count++) {
		uint64_t values[COLUMNS_MAX];

		snapshot_values(&reader.snapshot, rows.record, values);
		snprintf(path, sizeof(path), "%.*s", (int)rows.path.used,
			 rows.path.data);
		if (rows.record->level)
			CHECK_NUMBER(path, values[0],
				     atoi(strrchr(path, '_') + 1));
	}
	rows_end(&rows);
	CHECK_NUMBER("all of them", count, 1501);
	reader_close();
}

static int open_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

/* A tree that changes between samples; no descriptor stays behind. */
static void test_again(void)
{
	char path[PATH_MAX];
	int before, i;

	tree_begin();
	make_stat("", "anon 1\nfile 2\n");
	make_stat("/a", "anon 3\n");
	make_cgroup("/a/memory.max");
	read_tree("all", 2);
	before = open_descriptors();
	for (i = 0; i < 5; i++)
		CHECK_NUMBER("again", reader_read(), 0);
	CHECK_NUMBER("descriptors", open_descriptors(), before);
	CHECK_NUMBER("unreadable", reader.snapshot.unreadable, 1);
	check_stat("/a", "anon", 3);
	path_of(path, "/a", "memory.stat");
	remove(path);
	path_of(path, "/a", "memory.max");
	remove(path);
	path_of(path, "/a", "");
	remove(path);
	make_stat("/b", "file 6\nanon 5\n");
	CHECK_NUMBER("changed", reader_read(), 0);
	check_paths("/ /b");
	check_stat("/b", "anon", 5);
	check_stat("/b", "file", 6);
	CHECK_NUMBER("unreadable", reader.snapshot.unreadable, 0);
	reader_close();
}

/*
 * The first picture has the root alone, which lacks files: their columns, which
 * source_complete() adds then, have values as soon as a cgroup has them.
 */
static void test_later_files(void)
{
	static const char names[][16] = { "memory.current", "working_set" };
	size_t i;

	tree_begin();
	make_stat("", "inactive_file 1\n");
	read_tree("memory.current,working_set,memory.swap.max", 2);
	for (i = 0; i < 2; i++)
		snapshot_column(&reader.snapshot, names[i], NULL,
				field_find(names[i], NULL, 0), true);
	snapshot_sort(&reader.snapshot);
	check_value("/", "memory.current", NULL, VALUE_ABSENT);
	make_stat("/a", "inactive_file 4\n");
	make_file("/a", "memory.current", "10\n");
	for (i = 0; i < 2; i++) {
		CHECK_NUMBER("later", reader_read(), 0);
		check_value("/", "memory.current", NULL, VALUE_ABSENT);
		check_value("/", "working_set", NULL, VALUE_ABSENT);
		check_value("/a", "memory.current", NULL, 10);
		check_value("/a", "working_set", NULL, 6);
	}
	CHECK_NUMBER("columns stay", reader.snapshot.column_count, 3);
	reader_close();
}

static const struct test tests[] = {
	{ "order", test_order },
	{ "depth", test_depth },
	{ "names", test_names },
	{ "nesting", test_nesting },
	{ "many_children", test_many_children },
	{ "again", test_again },
	{ "later_files", test_later_files },
};

int main(void)
{
	return TESTS_RUN("files_walk", tests);
}

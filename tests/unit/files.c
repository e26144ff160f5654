// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The file source, on trees of plain directories and files made for it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "../../read/files.h"
#include "../../write/json.h"
#include "capture.h"
#include "test.h"

#define NO_DEPTH	UINT32_MAX

static char top[PATH_MAX];	/* of the tree */

/* What is being read. */
static struct {
	struct hierarchy hierarchy;
	struct selection selection;
	struct snapshot snapshot;
	struct files_source source;
	struct reason reason;
} reader;

static int remove_one(const char *path, const struct stat *stat, int type,
		      struct FTW *ftw)
{
	(void)stat, (void)type, (void)ftw;
	return remove(path);
}

static void tree_end(void)
{
	nftw(top, remove_one, 30, FTW_DEPTH | FTW_PHYS);
}

/* An empty tree; it goes when the test function's process does. */
static void tree_begin(void)
{
	const char *directory = getenv("TMPDIR");

	snprintf(top, sizeof(top), "%s/memcgstat-unit.XXXXXX",
		 directory ? directory : "/tmp");
	if (!mkdtemp(top)) {
		perror(top);
		abort();
	}
	atexit(tree_end);
}

static void path_of(char *to, const char *cgroup, const char *file)
{
	if (snprintf(to, PATH_MAX, "%s%s/%s", top, cgroup, file) >= PATH_MAX)
		abort();
}

/* @cgroup: "" for the top, else "/a/b" */
static void make_cgroup(const char *cgroup)
{
	char path[PATH_MAX];

	path_of(path, cgroup, "");
	if (mkdir(path, 0755)) {
		perror(path);
		abort();
	}
}

static void make_file_of(const char *cgroup, const char *file,
			 const char *text, size_t size)
{
	char path[PATH_MAX];
	FILE *stream;

	path_of(path, cgroup, file);
	stream = fopen(path, "w");
	if (!stream || fwrite(text, 1, size, stream) != size ||
	    fclose(stream)) {
		perror(path);
		abort();
	}
}

static void make_file(const char *cgroup, const char *file, const char *text)
{
	make_file_of(cgroup, file, text, strlen(text));
}

/* A cgroup with one file, memory.stat, that each has. */
static void make_stat(const char *cgroup, const char *text)
{
	if (*cgroup)
		make_cgroup(cgroup);
	make_file(cgroup, "memory.stat", text);
}

static void reader_open(const char *list, int version, uint32_t depth)
{
	memset(&reader, 0, sizeof(reader));
	reader.hierarchy.version = version;
	strcpy(reader.hierarchy.path, "/");
	reader.hierarchy.fd = open(top, O_RDONLY | O_DIRECTORY);
	reader.snapshot.page_size = 4096;
	CHECK_NUMBER(list, selection_parse(&reader.selection, list,
					   version == 1, &reader.reason), 0);
	files_open(&reader.source, &reader.snapshot, &reader.hierarchy,
		   &reader.selection, depth);
}

static int reader_read(void)
{
	reader.reason.text[0] = '\0';
	return files_read(&reader.source, &reader.reason);
}

static void reader_close(void)
{
	files_close(&reader.source);
	selection_free(&reader.selection);
	close(reader.hierarchy.fd);
}

/* Open and read, which must do. */
static void read_tree(const char *list, int version)
{
	int err;

	reader_open(list, version, NO_DEPTH);
	err = reader_read();
	CHECK(!err, "files_read: %d, %.200s", err, reader.reason.text);
}

/* Go to a cgroup's record. Return: whether it is there. */
static bool find_row(struct rows *rows, const char *path)
{
	rows_begin(rows, &reader.snapshot);
	while (rows_next(rows) > 0)
		if (rows->path.used == strlen(path) &&
		    !memcmp(rows->path.data, path, rows->path.used))
			return true;
	return false;
}

/* A value by path, file and key; one without a column is absent, too. */
static uint64_t value_of(const char *path, const char *file, const char *key)
{
	static uint64_t values[COLUMNS_MAX];
	uint64_t value = VALUE_ABSENT;
	struct rows rows;
	int column = snapshot_find(&reader.snapshot, file, key,
				   key ? strlen(key) : 0);

	if (!find_row(&rows, path)) {
		CHECK(false, "no record of %s", path);
	} else if (column >= 0) {
		snapshot_values(&reader.snapshot, rows.record, values);
		value = values[column];
	}
	rows_end(&rows);
	return value;
}

static void check_value(const char *path, const char *file, const char *key,
			uint64_t want)
{
	char name[200];

	snprintf(name, sizeof(name), "%.80s %s %.80s", path, file,
		 key ? key : "");
	CHECK_NUMBER(name, value_of(path, file, key), want);
}

static void check_stat(const char *path, const char *key, uint64_t want)
{
	check_value(path, "memory.stat", key, want);
}

/* All paths, in order, with blanks. */
static void check_paths(const char *want)
{
	char got[2000] = "";
	struct rows rows;
	size_t used = 0;

	rows_begin(&rows, &reader.snapshot);
	while (rows_next(&rows) > 0 && used < sizeof(got))
		used += (size_t)snprintf(got + used, sizeof(got) - used,
					 "%s%.*s", used ? " " : "",
					 (int)rows.path.used, rows.path.data);
	rows_end(&rows);
	CHECK_TEXT("paths", got, want);
}

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

/* A file that does not fit is told of, not read in half. */
static void test_large_files(void)
{
	const size_t size = 70000;
	char *text = calloc(1, size + 1);

	memset(text, '\n', size);
	memcpy(text, "anon 5\nfile 6\n", 14);
	tree_begin();
	make_stat("", "anon 1\n");
	make_cgroup("/a");
	make_file_of("/a", "memory.stat", text, 60000);
	make_cgroup("/b");
	make_file_of("/b", "memory.stat", text, size);
	make_stat("/c", "anon 7\n");
	reader_open("memory.stat", 2, NO_DEPTH);
	CHECK_NUMBER("large", reader_read(), 0);
	check_stat("/a", "anon", 5);
	check_stat("/a", "file", 6);
	check_stat("/b", "anon", VALUE_ABSENT);
	check_stat("/c", "anon", 7);
	CHECK_NUMBER("unreadable", reader.snapshot.unreadable, 1);
	CHECK(strstr(reader.reason.text, "/b/memory.stat"), "%.200s",
	      reader.reason.text);
	reader_close();
	free(text);
}

/* "PREFIX000 0\n" and so on; backwards, the last one comes first. */
static char *many_keys(const char *prefix, int count, bool backwards)
{
	size_t room = (strlen(prefix) + 32) * (size_t)count + 1, used = 0;
	char *text = malloc(room);
	int i;

	for (i = 0; i < count; i++) {
		int n = backwards ? count - 1 - i : i;

		used += (size_t)snprintf(text + used, room - used,
					 "%s%03d %d\n", prefix, n, n);
	}
	return text;
}

/* More keys than lines whose columns are remembered. */
static void test_many_keys(void)
{
	const int count = 400;
	char *text = many_keys("newer_key_", count, false), key[32];
	int i, round;

	tree_begin();
	make_stat("", text);
	make_stat("/a", text);
	free(text);
	text = many_keys("newer_key_", count, true);
	make_stat("/b", text);
	free(text);
	read_tree("all", 2);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < count; i++) {
			snprintf(key, sizeof(key), "newer_key_%03d", i);
			check_stat("/", key, (uint64_t)i);
			check_stat("/a", key, (uint64_t)i);
			check_stat("/b", key, (uint64_t)i);
		}
		CHECK_NUMBER("again", reader_read(), 0);
	}
	reader_close();
}

/* Too many keys, or too long ones, are an error; never left out silently. */
static void check_too_many(const char *prefix, int count)
{
	char *text = many_keys(prefix, count, false), key[300];
	int err, i;

	make_file("", "memory.stat", text);
	free(text);
	reader_open("all", 2, NO_DEPTH);
	err = reader_read();
	if (err) {
		CHECK_NUMBER("too many", err, -ENOSPC);
		CHECK(strstr(reader.reason.text, "keys"), "%.200s",
		      reader.reason.text);
	}
	for (i = 0; i < count && !err; i++) {
		snprintf(key, sizeof(key), "%s%03d", prefix, i);
		check_stat("/", key, (uint64_t)i);
	}
	reader_close();
}

static void test_too_many_keys(void)
{
	char prefix[251];

	tree_begin();
	check_too_many("newer_key_", COLUMNS_MAX + 1);
	memset(prefix, 'k', 250);
	prefix[250] = '\0';
	check_too_many(prefix, 200);
}

/* The reason must be the one. */
static void test_too_long_keys(void)
{
	char prefix[251], *text;

	tree_begin();
	memset(prefix, 'k', 250);
	prefix[250] = '\0';
	text = many_keys(prefix, 200, false);
	make_file("", "memory.stat", text);
	free(text);
	reader_open("all", 2, NO_DEPTH);
	if (reader_read())
		CHECK(!strstr(reader.reason.text, "more than 512"),
		      "200 keys: %.200s", reader.reason.text);
	else
		CHECK(true, "they fit");
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
	{ "order", test_order },
	{ "depth", test_depth },
	{ "unreadable", test_unreadable },
	{ "large_files", test_large_files },
	{ "many_keys", test_many_keys },
	{ "too_many_keys", test_too_many_keys },
	{ "too_long_keys", test_too_long_keys },
	{ "names", test_names },
	{ "nesting", test_nesting },
	{ "many_children", test_many_children },
	{ "again", test_again },
	{ "json", test_json },
};

int main(void)
{
	return TESTS_RUN("files", tests);
}

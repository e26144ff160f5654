// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The file source where files are large, or have many or long keys. */
#include <errno.h>

#include "files_tree.h"
#include "test.h"

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

static const struct test tests[] = {
	{ "large_files", test_large_files },
	{ "many_keys", test_many_keys },
	{ "too_many_keys", test_too_many_keys },
	{ "too_long_keys", test_too_long_keys },
};

int main(void)
{
	return TESTS_RUN("files_keys", tests);
}

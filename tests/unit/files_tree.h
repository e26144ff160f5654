/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees of plain directories and files, and the file source at work on them. */
#ifndef MEMCGSTAT_FILES_TREE_H
#define MEMCGSTAT_FILES_TREE_H

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "../../read/files.h"
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

static inline int remove_one(const char *path, const struct stat *stat,
			     int type, struct FTW *ftw)
{
	(void)stat, (void)type, (void)ftw;
	return remove(path);
}

static inline void tree_end(void)
{
	nftw(top, remove_one, 30, FTW_DEPTH | FTW_PHYS);
}

/* An empty tree; it goes when the test function's process does. */
static inline void tree_begin(void)
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

static inline void path_of(char *to, const char *cgroup, const char *file)
{
	if (snprintf(to, PATH_MAX, "%s%s/%s", top, cgroup, file) >= PATH_MAX)
		abort();
}

/* @cgroup: "" for the top, else "/a/b" */
static inline void make_cgroup(const char *cgroup)
{
	char path[PATH_MAX];

	path_of(path, cgroup, "");
	if (mkdir(path, 0755)) {
		perror(path);
		abort();
	}
}

static inline void make_file_of(const char *cgroup, const char *file,
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

static inline void make_file(const char *cgroup, const char *file,
			     const char *text)
{
	make_file_of(cgroup, file, text, strlen(text));
}

/* A cgroup with one file, memory.stat, that each has. */
static inline void make_stat(const char *cgroup, const char *text)
{
	if (*cgroup)
		make_cgroup(cgroup);
	make_file(cgroup, "memory.stat", text);
}

static inline void reader_open(const char *list, int version, uint32_t depth)
{
	memset(&reader, 0, sizeof(reader));
	reader.hierarchy.version = version;
	strcpy(reader.hierarchy.path, "/");
	reader.hierarchy.fd = open(top, O_RDONLY | O_DIRECTORY);
	reader.snapshot.page_size = 4096;
	CHECK_NUMBER(list, selection_parse(&reader.selection, list,
					   version == 1, &reader.reason), 0);
	files_open(&reader.source, &reader.snapshot, &reader.hierarchy,
		   &reader.selection, depth, VALUE_NO_LIMIT);
}

static inline int reader_read(void)
{
	reader.reason.text[0] = '\0';
	return files_read(&reader.source, &reader.reason);
}

static inline void reader_close(void)
{
	files_close(&reader.source);
	selection_free(&reader.selection);
	close(reader.hierarchy.fd);
}

/* Open and read, which must do. */
static inline void read_tree(const char *list, int version)
{
	int err;

	reader_open(list, version, NO_DEPTH);
	err = reader_read();
	CHECK(!err, "files_read: %d, %.200s", err, reader.reason.text);
}

/* Go to a cgroup's record. Return: whether it is there. */
static inline bool find_row(struct rows *rows, const char *path)
{
	rows_begin(rows, &reader.snapshot);
	while (rows_next(rows) > 0)
		if (rows->path.used == strlen(path) &&
		    !memcmp(rows->path.data, path, rows->path.used))
			return true;
	return false;
}

/* A value by path, file and key; one without a column is absent, too. */
static inline uint64_t value_of(const char *path, const char *file,
				const char *key)
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

static inline void check_value(const char *path, const char *file,
			       const char *key, uint64_t want)
{
	char name[200];

	snprintf(name, sizeof(name), "%.80s %s %.80s", path, file,
		 key ? key : "");
	CHECK_NUMBER(name, value_of(path, file, key), want);
}

static inline void check_stat(const char *path, const char *key, uint64_t want)
{
	check_value(path, "memory.stat", key, want);
}

/* All paths, in order, with blanks. */
static inline void check_paths(const char *want)
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

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../fd.h"
#include "files.h"
#include "limit.h"
#include "parse.h"
#include "sort.h"
#include "../write/format.h"

#define TEXT_SIZE	(64 << 10)	/* a file is at most some pages */
#define ENTRIES_SIZE	(32 << 10)
/* PAGE_COUNTER_MAX in bytes, for pages of 64 KiB, too */
#define V1_NO_LIMIT	(sizeof(long) == 8 ? INT64_MAX & ~(uint64_t)0xffff : \
			 (uint64_t)INT32_MAX << 12)

/* What reading a cgroup came to; else a -errno. */
enum outcome {
	READ_OK,
	READ_GONE = 1,		/* it vanished, or has no memory controller */
};

/* A child cgroup: siblings are read in order of their creation. */
struct child {
	uint64_t id;
	size_t entry;		/* offset of its struct entry in the buffer */
};

/* What getdents64() tells: struct linux_dirent64, fs/readdir.c. */
struct entry {
	uint64_t id;
	int64_t next;
	uint16_t length;	/* of this entry, bytes; a multiple of 8 */
	uint8_t type;
	char name[];
};

/* Count what cannot be read; name the first of them. */
static void unreadable(struct files_source *source, int err, int directory,
		       const char *name)
{
	char link[32], path[200];
	ssize_t length;

	if (source->snapshot->unreadable++)
		return;
	format_text(link, sizeof(link), "/proc/self/fd/%d", directory);
	length = readlink(link, path, sizeof(path));
	if (length < 0 || length == sizeof(path)) {
		memcpy(path, "...", 3);	/* too long to show */
		length = 3;
	}
	reason_set(source->reason, err, "%.*s/%s: %s", (int)length, path, name,
		   error_text(err));
}

static bool is_gone(int err)
{
	return err == -ENOENT || err == -ENODEV;
}

/* Make a column for a key never seen before. */
static int new_column(struct files_source *source, const char *file,
		      const char *key, size_t key_length)
{
	struct snapshot *snapshot = source->snapshot;
	const struct field *field = field_find(file, key, key_length);
	const char *copy = NULL;

	if (field) {
		copy = field_key(field);
	} else if (key) {
		char *to = source->keys + source->keys_used;

		if (key_length >= KEYS_SIZE - source->keys_used)
			return -ENOSPC;
		memcpy(to, key, key_length);
		to[key_length] = '\0';
		source->keys_used += key_length + 1;
		copy = to;
	}
	return snapshot_column(snapshot, file, copy, field,
			       selection_has(source->selection, file, copy));
}

/* Make a place for a column's values, if they are needed and have none yet. */
static void place_values(struct files_source *source, struct column *column)
{
	struct slot *slot = &column->slot;

	if (slot->kind != SLOT_NONE ||
	    !selection_needs(source->selection, column->file, column->key))
		return;
	slot->kind = SLOT_VALUE;
	slot->offset = (uint16_t)(source->value_count * 8);
	source->values[source->value_count++] = VALUE_ABSENT;
}

static int find_column(struct files_source *source, struct cgroup_file *file,
		       size_t line, const char *key, size_t key_length)
{
	struct snapshot *snapshot = source->snapshot;
	int column;

	/* a file's lines are the same each time */
	if (line < file->line_count) {
		const struct column *known =
			&snapshot->columns[file->lines[line]];

		if (!key || (!strncmp(known->key, key, key_length) &&
			     !known->key[key_length]))
			return file->lines[line];
	}
	column = snapshot_find(snapshot, file->name, key, key_length);
	if (column < 0)
		column = new_column(source, file->name, key, key_length);
	if (column >= 0)
		place_values(source, &snapshot->columns[column]);
	if (column >= 0 && line < FILE_LINES) {
		file->lines[line] = (uint16_t)column;
		if (line == file->line_count)
			file->line_count++;
	}
	return column;
}

static int take_value(struct files_source *source, struct cgroup_file *file,
		      size_t line, const char *key, size_t key_length,
		      uint64_t value)
{
	int index = find_column(source, file, line, key, key_length);
	const struct column *column;

	if (index < 0)
		return index;
	column = &source->snapshot->columns[index];
	/* v1 prints its "no limit" as a number */
	if (column->field && column->field->type == TYPE_LIMIT &&
	    source->hierarchy->version == 1 && value >= V1_NO_LIMIT)
		value = VALUE_NO_LIMIT;
	if (column->slot.kind == SLOT_VALUE)
		source->values[column->slot.offset / 8] = value;
	return 0;
}

static int parse_text(struct files_source *source, struct cgroup_file *file,
		      const char *text, const char *end)
{
	struct snapshot *snapshot = source->snapshot;
	const char *key = NULL;
	size_t key_length = 0, line = 0;
	enum parsed parsed;
	uint64_t value;
	int err;

	do {
		if (file->has_keys)
			parsed = parse_line(&text, end, &key, &key_length,
					    &value);
		else
			parsed = parse_value(text, end, &value);
		if (parsed == PARSED_END)
			break;
		if (parsed == PARSED_BAD || key_length > KEY_LENGTH) {
			snapshot->skipped_lines++;
			continue;
		}
		snapshot->negative += parsed == PARSED_NEGATIVE;
		err = take_value(source, file, line++, key, key_length, value);
		if (err)
			return err;
	} while (file->has_keys);
	return 0;
}

/* Every cgroup with the memory controller has this one, the root included. */
static bool is_there(int directory)
{
	struct stat stat;

	return !fd_stat(directory, "memory.stat", &stat, 0);
}

/*
 * One file is not there that others have: the cgroup is likely being removed,
 * which takes away file by file (css_clear_dir() in the kernel). Wait for it.
 */
static bool is_vanishing(int directory)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int tries;

	for (tries = 0; tries < 10; tries++) {
		if (!is_there(directory))
			return true;
		ppoll(NULL, 0, &pause, NULL);
	}
	return false;
}

/* Read the present cgroup's files into source->values. */
static int read_files(struct files_source *source, int directory, bool first)
{
	static char text[TEXT_SIZE];
	bool has_controller = false;
	size_t i;
	int err;

	for (i = 0; i < source->file_count; i++) {
		struct cgroup_file *file = &source->files[i];
		ssize_t got;

		if (!file->seen && file->absent == ABSENT_SURE)
			continue;
		got = fd_read(directory, file->name, text, TEXT_SIZE);
		if (got == -ENODEV)
			return READ_GONE;
		if (got == -ENOENT) {
			if (!is_there(directory) || (file->seen &&
			    file->absent < ABSENT_SURE &&
			    is_vanishing(directory)))
				return READ_GONE;
			/* the first may be the root, which lacks some */
			if (!first && file->absent < ABSENT_SURE)
				file->absent++;
			continue;
		}
		file->seen = true;
		if (got == TEXT_SIZE)
			got = -EFBIG;
		if (got < 0) {
			unreadable(source, (int)got, directory, file->name);
			continue;
		}
		err = parse_text(source, file, text, text + got);
		if (err)
			return err;
		/* a cgroup without the memory controller has this one, too */
		if (strcmp(file->name, "cgroup.stat"))
			has_controller = true;
	}
	return has_controller || is_there(directory) ? READ_OK : READ_GONE;
}

static int add_record(struct files_source *source, uint64_t id, uint32_t level,
		      const char *name)
{
	size_t values = source->value_count, name_length = strlen(name) + 1;
	size_t most = sizeof(struct record) + values * 8 + name_length + 8;
	struct record *record;

	while (values && source->values[values - 1] == VALUE_ABSENT)
		values--;
	record = buffer_reserve(&source->log, most);
	if (!record)
		return -ENOMEM;
	record->id = id;
	record->level = level;
	record->data_length = (uint16_t)(values * 8);
	record->name_length = (uint16_t)name_length;
	memcpy(record->data, source->values, values * 8);
	memcpy(record->data + values * 8, name, name_length);
	source->log.used += record_size(record);
	return 0;
}

static int compare_children(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static bool is_child(const struct entry *entry)
{
	return entry->type == DT_DIR && strcmp(entry->name, ".") &&
		strcmp(entry->name, "..");
}

/*
 * Put the subdirectories of @directory on top of source->children: what
 * getdents64() tells, then a sorted array of struct child at @first.
 *
 * Return: how many, or -errno.
 */
static ssize_t list_children(struct files_source *source, int directory,
			     size_t *first)
{
	struct buffer *children = &source->children;
	size_t at = children->used, end;
	struct child *child;
	ssize_t count = 0;
	long got;

	if (lseek(directory, 0, SEEK_SET) < 0)
		return -errno;
	do {
		char *to = buffer_reserve(children, ENTRIES_SIZE);

		if (!to)
			return -ENOMEM;
		got = syscall(SYS_getdents64, directory, to, ENTRIES_SIZE);
		if (got < 0)
			return -errno;
		children->used += (size_t)got;
	} while (got);
	*first = end = children->used;
	while (at < end) {
		const struct entry *entry;

		child = buffer_reserve(children, sizeof(*child));
		if (!child)
			return -ENOMEM;
		entry = (const void *)(children->data + at);
		if (is_child(entry)) {
			child->id = entry->id;
			child->entry = at;
			children->used += sizeof(*child);
			count++;
		}
		at += entry->length;
	}
	if (count)
		sort_items(children->data + end, (size_t)count, sizeof(*child),
			   compare_children);
	return count;
}

static int visit(struct files_source *source, int directory, uint64_t id,
		 uint32_t level, const char *name);

static int visit_child(struct files_source *source, int directory,
		       uint32_t level, const struct child *child)
{
	const struct entry *entry =
		(const void *)(source->children.data + child->entry);
	uint64_t id = child->id;
	char name[NAME_MAX + 1];	/* the buffer may move below */
	int fd, err;

	format_text(name, sizeof(name), "%s", entry->name);
	fd = fd_open(directory, name, O_RDONLY | O_DIRECTORY);
	if (fd < 0) {
		if (!is_gone(fd))
			unreadable(source, fd, directory, name);
		return READ_OK;
	}
	err = visit(source, fd, id, level, name);
	close(fd);
	return err < 0 ? err : READ_OK;
}

/* Read a cgroup, then its descendants: pre-order. Return: outcome or -errno. */
static int visit(struct files_source *source, int directory, uint64_t id,
		 uint32_t level, const char *name)
{
	size_t begin = source->children.used, first = 0, value;
	struct stat stat;
	ssize_t count, i;
	int err;

	for (value = 0; value < source->value_count; value++)
		source->values[value] = VALUE_ABSENT;
	if (source->has_limit)	/* till it is known: so that it has room */
		source->values[0] = VALUE_NO_LIMIT;
	err = read_files(source, directory, !level);
	if (!err)
		err = add_record(source, id, level, name);
	if (err || level >= source->snapshot->depth)
		return err;
	/* kernfs counts subdirectories: a leaf need not be listed */
	if (!fd_stat(directory, "", &stat, 0) && stat.st_nlink == 2)
		return READ_OK;
	count = list_children(source, directory, &first);
	if (count < 0 && count != -ENOMEM && !is_gone((int)count))
		unreadable(source, (int)count, directory, "");
	err = count == -ENOMEM ? -ENOMEM : READ_OK;
	for (i = 0; i < count && !err; i++)
		err = visit_child(source, directory, level + 1, (const void *)
				  (source->children.data + first +
				   (size_t)i * sizeof(struct child)));
	source->children.used = begin;
	return err;
}

void files_open(struct files_source *source, struct snapshot *snapshot,
		const struct hierarchy *hierarchy,
		const struct selection *selection, uint32_t depth,
		uint64_t above)
{
	unsigned int version = hierarchy->version == 1 ? FIELD_V1 : FIELD_V2;
	struct cgroup_file *file = source->files;
	const char *last = "";
	size_t i;

	memset(source, 0, sizeof(*source));
	source->hierarchy = hierarchy;
	source->selection = selection;
	source->snapshot = snapshot;
	snapshot->source = "file";
	snapshot->path = hierarchy->path;
	snapshot->depth = depth;
	source->above = above;
	source->has_limit = limit_column(snapshot, selection, version, 0) > 0;
	source->value_count = source->has_limit;
	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];
		const char *name = field_file(field);

		/* the fields of one file stand together */
		if (!(field->version & version) ||
		    field->from >= FROM_DIFFERENCE || !strcmp(name, last) ||
		    !selection_needs_file(selection, name))
			continue;
		file->name = last = name;
		file->has_keys = field_key(field);
		file++;
	}
	source->file_count = (size_t)(file - source->files);
}

int files_read(struct files_source *source, struct reason *reason)
{
	struct snapshot *snapshot = source->snapshot;
	const struct hierarchy *hierarchy = source->hierarchy;
	struct stat stat;
	int err;

	source->reason = reason;
	source->log.used = source->children.used = 0;
	snapshot->skipped_lines = snapshot->negative = snapshot->unreadable = 0;
	snapshot_stamp(snapshot);
	if (fd_stat(hierarchy->fd, "", &stat, 0) < 0)
		return reason_error(reason, -errno, hierarchy->path);
	err = visit(source, hierarchy->fd, stat.st_ino, 0, "");
	snapshot->log = source->log.data;
	snapshot->log_used = source->log.used;
	if (err == READ_GONE)
		return reason_set(reason, -ENODATA, "%.*s has no memory"
			" controller: it is not enabled there"
			" (cgroup.subtree_control of its parent), it is on"
			" another hierarchy, or the cgroup is gone", 200,
			hierarchy->path);
	if (!err) {
		err = snapshot_derive(snapshot, source->selection,
				      FROM_DIFFERENCE, hierarchy->version == 1 ?
				      FIELD_V1 : FIELD_V2);
		snapshot_sort(snapshot);
	}
	if (!err)
		err = limit_fill(snapshot, source->above);
	if (err == -ENOMEM)
		return reason_no_memory(reason);
	if (err == -ENOSPC)
		return reason_set(reason, err, "the files have more keys than"
				  " can be held: %d, and %d bytes of names that"
				  " are not known", COLUMNS_MAX, KEYS_SIZE);
	return err ? reason_error(reason, err, hierarchy->path) : 0;
}

void files_close(struct files_source *source)
{
	buffer_free(&source->log);
	buffer_free(&source->children);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "../fd.h"
#include "../write/format.h"
#include "pin_plan.h"

/* Not yet, or no longer; dots are not allowed in a BPF file system. */
#define NEW	"_new"

static uint32_t add_text(struct buffer *texts, const char *text)
{
	size_t at = texts->used;

	return buffer_add(texts, text, strlen(text) + 1) ? (uint32_t)at : 0;
}

static int add_columns(struct buffer *plan, struct buffer *texts,
		       const struct snapshot *snapshot)
{
	size_t i;

	for (i = 0; i < snapshot->column_count; i++) {
		const struct column *column = &snapshot->columns[i];
		struct pin_column pinned;

		memset(&pinned, 0, sizeof(pinned));
		pinned.slot = column->slot;
		pinned.field = COLUMN_NEW;
		if (column->field) {
			pinned.field = (uint16_t)(column->field - fields);
		} else {
			pinned.file = (uint16_t)add_text(texts, column->file);
			if (column->key)
				pinned.key = (uint16_t)add_text(texts,
								column->key);
		}
		if (!buffer_add(plan, &pinned, sizeof(pinned)))
			return -ENOMEM;
	}
	return texts->used <= UINT16_MAX ? 0 : -E2BIG;
}

/* The plan's value. Return: 0 or -errno. */
static int describe(struct buffer *plan, const struct walk_source *source,
		    const struct snapshot *snapshot,
		    const struct walk_options *walk, const char *list)
{
	struct buffer texts = { 0 };
	struct pin_head head, *at;
	struct bpf_value map;
	int err = bpf_map_tell(source->bpf.map, &map);

	if (err)
		return err;
	memset(&head, 0, sizeof(head));
	memcpy(head.version, PIN_PROGRAM VERSION, sizeof(PIN_PROGRAM VERSION));
	head.map = map.id;
	head.names = pin_namespace();
	head.layout = pin_layout();
	head.column_count = (uint32_t)snapshot->column_count;
	head.depth = walk->depth;
	head.flush = source->flush;
	head.raw = walk->raw;
	head.plan = source->plan;
	add_text(&texts, "");	/* 0 is none */
	head.top = add_text(&texts, walk->path);
	head.fields = add_text(&texts, list);
	err = buffer_add(plan, &head, sizeof(head)) ?
		add_columns(plan, &texts, snapshot) : -ENOMEM;
	if (!err) {
		at = (void *)plan->data;
		at->texts = (uint32_t)plan->used;
		if (!texts.data || !buffer_add(plan, texts.data, texts.used))
			err = -ENOMEM;
		at = (void *)plan->data;
		at->size = (uint32_t)plan->used;
	}
	buffer_free(&texts);
	return err;
}

/* One file of a pin. Return: 0 or -errno with a @reason. */
static int keep(int fd, const char *directory, enum pin_file file,
		const struct pin_options *options, struct reason *reason)
{
	char path[PIN_FILE];
	int err;

	pin_file(path, directory, file);
	err = bpf_pin(fd, path);
	if (!err && chmod(path, options->mode) < 0)
		err = -errno;
	if (!err && options->group != UINT64_MAX &&
	    chown(path, (uid_t)-1, (gid_t)options->group) < 0)
		err = -errno;
	return err ? reason_error(reason, err, path) :
		0;
}

/* Without slashes at its end. Return: 0, or -ENAMETOOLONG with a @reason. */
static int clean_name(char *to, const char *directory, struct reason *reason)
{
	size_t length = format_text(to, PIN_PATH, "%s", directory);

	if (length >= PIN_PATH)
		return reason_set(reason, -ENAMETOOLONG, "%s: too long for a"
				  " pin's name", directory);
	while (length > 1 && to[length - 1] == '/')
		to[--length] = '\0';
	return 0;
}

/*
 * Open and lock the directory where a pin is to be, so that nobody else makes or
 * removes one there meanwhile. Return: a descriptor, or -errno with a @reason.
 */
static int lock_place(const char *directory, struct reason *reason)
{
	char parent[PIN_PATH] = ".";
	const char *slash = strrchr(directory, '/');
	struct statfs place;
	int fd, err = 0;

	if (slash)
		format_text(parent, sizeof(parent), "%.*s",
			    (int)(slash - directory) + 1, directory);
	fd = fd_open(AT_FDCWD, parent, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return reason_error(reason, fd, parent);
	if (fstatfs(fd, &place) < 0 ||
	    (uint32_t)place.f_type != BPF_FS_MAGIC)
		err = reason_set(reason, -EINVAL, "%s is not on a BPF file"
				 " system, where pins are: mount -t bpf bpf"
				 " /sys/fs/bpf", parent);
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		err = reason_set(reason, -EBUSY, "%s: another process makes or"
				 " removes a pin there", parent);
	if (err)
		close(fd);
	return err ? err : fd;
}

/* Remove the files of a pin and its directory. Return: 0 or -errno. */
static int clear(const char *directory)
{
	char path[PIN_FILE];
	enum pin_file file;

	for (file = 0; file < PIN_FILES; file++) {
		pin_file(path, directory, file);
		if (unlink(path) < 0 && errno != ENOENT)
			return -errno;
	}
	return rmdir(directory) < 0 ? -errno : 0;
}

/* The directory lets those pass who may read the files. */
static int open_directory(const char *directory,
			  const struct pin_options *options,
			  struct reason *reason)
{
	uint32_t mode = options->mode | (options->mode & 0444) >> 2 | 0700;
	int err = 0;

	if (options->group != UINT64_MAX &&
	    chown(directory, (uid_t)-1, (gid_t)options->group) < 0)
		err = -errno;
	if (!err && chmod(directory, mode) < 0)
		err = -errno;
	return err ? reason_error(reason, err, directory) : 0;
}

/* All that a pin is, in @new. Return: 0 or -errno with a @reason. */
static int fill(const char *new, const struct walk_source *source,
		const struct buffer *plan, const struct pin_options *options,
		struct reason *reason)
{
	int map, err;

	if (mkdir(new, 0700) < 0)
		return reason_error(reason, -errno, new);
	map = bpf_map_make(plan->data, plan->used, reason);
	if (map < 0)
		return map;
	err = keep(source->bpf.link, new, PIN_LINK, options, reason);
	if (!err)
		err = keep(source->bpf.map, new, PIN_MAP, options, reason);
	if (!err)
		err = keep(map, new, PIN_PLAN, options, reason);
	close(map);
	return err ? err : open_directory(new, options, reason);
}

int pin_make(const struct walk_source *source, const struct snapshot *snapshot,
	     const struct walk_options *walk, const struct pin_options *options,
	     struct reason *reason)
{
	char directory[PIN_PATH], new[PIN_PATH + sizeof(NEW)];
	struct buffer plan = { 0 };
	int err = clean_name(directory, options->directory, reason), place;

	if (err)
		return err;
	place = lock_place(directory, reason);
	if (place < 0)
		return place;
	format_text(new, sizeof(new), "%s" NEW, directory);
	clear(new);		/* of one that was killed */
	if (!access(directory, F_OK))
		err = reason_set(reason, -EEXIST, "%s is there already:"
				 " memcgstat --unpin %s first", directory,
				 directory);
	if (!err) {
		err = describe(&plan, source, snapshot, walk, options->fields);
		if (err)
			reason_set(reason, err, "the plan of a pin: %s",
				   error_text(err));
	}
	if (!err)
		err = fill(new, source, &plan, options, reason);
	if (!err && rename(new, directory) < 0)
		err = reason_error(reason, -errno, directory);
	if (err)
		clear(new);
	buffer_free(&plan);
	close(place);
	return err;
}

/* Is it one of this program's? */
static int check_pin(const char *directory, struct reason *reason)
{
	struct pin pin;
	int err = pin_get_plan(&pin, directory, reason);

	pin_close(&pin);
	return err;
}

int pin_remove(const char *name, struct reason *reason)
{
	char directory[PIN_PATH], new[PIN_PATH + sizeof(NEW)];
	int err = clean_name(directory, name, reason), place, rest;

	if (err)
		return err;
	place = lock_place(directory, reason);
	if (place < 0)
		return place;
	format_text(new, sizeof(new), "%s" NEW, directory);
	rest = clear(new);	/* of one that was killed */
	err = check_pin(directory, reason);
	if (err == -ENOENT && !rest) {
		err = 0;
	} else if (!err) {
		err = rename(directory, new) < 0 ? -errno : clear(new);
		if (err)
			reason_error(reason, err, directory);
	}
	close(place);
	return err;
}

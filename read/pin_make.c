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
#include "../text.h"
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
	struct pin_head *head = buffer_reserve(plan, sizeof(*head));
	struct bpf_value map;
	int err = head ? bpf_map_tell(source->bpf.map, &map) : -ENOMEM;

	if (err)
		return err;
	plan->used = sizeof(*head);	/* all zeroes */
	memcpy(head->version, PIN_PROGRAM VERSION, sizeof(PIN_PROGRAM VERSION));
	head->map = map.id;
	head->names = pin_namespace();
	head->layout = pin_layout();
	head->column_count = (uint32_t)snapshot->column_count;
	head->depth = walk->depth;
	head->flush = source->flush;
	head->raw = walk->raw;
	head->plan = source->plan;
	add_text(&texts, "");	/* 0 is none */
	head->top = add_text(&texts, walk->path);
	head->fields = add_text(&texts, list);
	err = add_columns(plan, &texts, snapshot);
	if (!err) {
		head = (void *)plan->data;
		head->texts = (uint32_t)plan->used;
		head->size = (uint32_t)(plan->used + texts.used);
		if (!texts.data || !buffer_add(plan, texts.data, texts.used))
			err = -ENOMEM;
	}
	buffer_free(&texts);
	return err;
}

/* Let those in who may read. Return: 0 or -errno with a @reason. */
static int give(const char *path, uint32_t mode,
		const struct pin_options *options, struct reason *reason)
{
	if ((options->group != UINT64_MAX &&
	     chown(path, (uid_t)-1, (gid_t)options->group) < 0) ||
	    chmod(path, mode) < 0)
		return reason_error(reason, -errno, path);
	return 0;
}

/* One file of a pin. Return: 0 or -errno with a @reason. */
static int keep(int fd, const char *directory, enum pin_file file,
		const struct pin_options *options, struct reason *reason)
{
	char path[PIN_FILE];
	int err;

	pin_file(path, directory, file);
	err = bpf_pin(fd, path);
	return err ? reason_error(reason, err, path) :
		give(path, options->mode, options, reason);
}

/* Where a pin is or is to be. */
struct place {
	int fd;			/* of the directory above it, locked */
	char directory[PIN_PATH];
	char new[PIN_PATH + sizeof(NEW)];
};

/*
 * Open and lock the directory where a pin is to be, so that nobody else makes or
 * removes one there meanwhile. Return: 0, or -errno with a @reason.
 */
static int lock_place(struct place *place, const char *name,
		      struct reason *reason)
{
	char parent[PIN_PATH] = ".", *directory = place->directory;
	size_t length = format_text(directory, PIN_PATH, "%s", name);
	struct statfs system;
	int err;

	if (length >= PIN_PATH)
		return reason_set(reason, -ENAMETOOLONG, "%s: too long for a"
				  " pin's name", name);
	while (length > 1 && directory[length - 1] == '/')
		directory[--length] = '\0';
	format_text(place->new, sizeof(place->new), "%s" NEW, directory);
	length = text_directory(directory);
	if (length)
		format_text(parent, sizeof(parent), "%.*s", (int)length,
			    directory);
	place->fd = fd_open(AT_FDCWD, parent, O_RDONLY | O_DIRECTORY);
	if (place->fd < 0)
		return reason_error(reason, place->fd, parent);
	if (fstatfs(place->fd, &system) < 0 ||
	    (uint32_t)system.f_type != BPF_FS_MAGIC)
		err = reason_set(reason, -EINVAL, "%s is not on a BPF file"
				 " system, where pins are: mount -t bpf bpf"
				 " /sys/fs/bpf", parent);
	else if (flock(place->fd, LOCK_EX | LOCK_NB) < 0)
		err = reason_set(reason, -EBUSY, "%s: another process makes or"
				 " removes a pin there", parent);
	else
		return 0;
	close(place->fd);
	return err;
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

/* All that a pin is, in @new. Return: 0 or -errno with a @reason. */
static int fill(const char *new, const struct walk_source *source,
		const struct buffer *plan, const struct pin_options *options,
		struct reason *reason)
{
	uint32_t mode = options->mode;
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
	/* the directory lets those pass who may read the files */
	return err ? err : give(new, mode | (mode & 0444) >> 2 | 0700, options,
				reason);
}

int pin_make(const struct walk_source *source, const struct snapshot *snapshot,
	     const struct walk_options *walk, const struct pin_options *options,
	     struct reason *reason)
{
	struct buffer plan = { 0 };
	struct place place;
	int err = lock_place(&place, options->directory, reason);

	if (err)
		return err;
	clear(place.new);	/* of one that was killed */
	if (!access(place.directory, F_OK)) {
		err = reason_set(reason, -EEXIST, "%s is there already:"
				 " memcgstat --unpin %s first", place.directory,
				 place.directory);
	} else {
		err = describe(&plan, source, snapshot, walk, options->fields);
		if (err)
			reason_error(reason, err, "the plan of a pin");
	}
	if (!err)
		err = fill(place.new, source, &plan, options, reason);
	if (!err && rename(place.new, place.directory) < 0)
		err = reason_error(reason, -errno, place.directory);
	if (err)
		clear(place.new);
	buffer_free(&plan);
	close(place.fd);
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
	struct place place;
	int err = lock_place(&place, name, reason), rest;

	if (err)
		return err;
	rest = clear(place.new);	/* of one that was killed */
	err = check_pin(place.directory, reason);
	if (err == -ENOENT && !rest) {
		err = 0;
	} else if (!err) {
		err = rename(place.directory, place.new) < 0 ? -errno :
			clear(place.new);
		if (err)
			reason_error(reason, err, place.directory);
	}
	close(place.fd);
	return err;
}

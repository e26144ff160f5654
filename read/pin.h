/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A walk that stays loaded: its link and map are kept in a BPF file system, where
 * whoever may read these files can have it run and read what it found, without
 * any capability. A pin is a directory:
 *
 *	link	open and read it: a walk
 *	map	one value, struct walk_map: what the last walk found
 *	plan	one value, struct pin_head and what follows: how to read it
 *
 * Nobody ever writes to it, so readers that walk at the same time overwrite each
 * other's records; walks themselves exclude each other (cgroup_mutex). A reader
 * copies the map until its turn stood still: then it has a whole picture,
 * of its own walk or of a later one.
 */
#ifndef MEMCGSTAT_PIN_H
#define MEMCGSTAT_PIN_H

#include "walk.h"

#define PIN_DEFAULT	"/sys/fs/bpf/memcgstat"
#define PIN_PATH	240	/* of a pin's directory, and its NUL */

struct pin_options {
	const char *directory;
	const char *fields;	/* what was selected, as by --fields */
	uint32_t mode;		/* of the files: who may read */
	uint64_t group;		/* UINT64_MAX: as it comes */
};

/* A pin at work; all zeroes before. */
struct pin {
	const char *directory;
	int place;		/* the same, opened; 0: not */
	int map;		/* 0: none */
	struct bpf_value value;	/* of the map */
	const void *plan;	/* struct pin_head, which plan_data holds */
	size_t plan_size;
	struct buffer plan_data;
	struct buffer copies[2];	/* of the map's value */
	bool stale;		/* see struct walk_source */
};

/*
 * pin_make - keep a walk
 * @source: loaded, by walk_open(), and walked once
 * @snapshot: as walk_open() filled it in
 * @walk: as they were for walk_open()
 *
 * The directory must not be there; it appears as a whole. What a process that was
 * killed left behind lies in DIRECTORY_new, which the next one removes.
 *
 * Return: 0 or -errno with a @reason.
 */
int pin_make(const struct walk_source *source, const struct snapshot *snapshot,
	     const struct walk_options *walk, const struct pin_options *options,
	     struct reason *reason);

/*
 * pin_remove - take away a pin of any version, all at once
 *
 * Return: 0; -EBADF where it is no pin; or another -errno; with a @reason.
 */
int pin_remove(const char *directory, struct reason *reason);

/*
 * Is there a directory of someone to be believed, root or this process's user,
 * where nobody else can put anything?
 */
bool pin_is_there(const char *directory);

/*
 * pin_open - begin to use a pin
 * @directory: kept
 * @snapshot: its columns are filled in
 * @selection: has to be in the pin
 *
 * Return: 0; -ENOENT where there is none; -EBADF where it was made by another
 * version or is none; -ENODATA where it lacks a field; or another -errno; with
 * a @reason. Free with pin_close() in any case.
 */
int pin_open(struct pin *pin, const char *directory, struct snapshot *snapshot,
	     const struct selection *selection, struct reason *reason);

/* The path of the cgroup where its walk begins. */
const char *pin_top(const struct pin *pin);

/*
 * pin_has - is a cgroup in a pin, with so many levels below it?
 * @is_ours: @path is one of this process's cgroup namespace
 *
 * Return: 0; -EXDEV where the pin is of another namespace; -ENODATA; with a
 * @reason.
 */
int pin_has(const struct pin *pin, const char *path, uint32_t depth,
	    bool is_ours, struct reason *reason);

/*
 * pin_read - take one picture
 * @walk: path, depth, cgroup, directory and above as of walk_read()
 *
 * Return: as walk_read(); -EOVERFLOW where the tree has outgrown the pin; -EBUSY
 * where others leave no moment to copy it; -EBADF where no walk of this program
 * wrote the map.
 */
int pin_read(struct pin *pin, struct snapshot *snapshot,
	     const struct walk_options *walk, struct reason *reason);

void pin_close(struct pin *pin);

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../text.h"
#include "../clock.h"
#include "../fd.h"
#include "alloc_text.h"
#include "allocinfo.h"

#define PATH_SIZE	256
#define WALKS		8	/* until one is not disturbed */
#define NAME_SIZE	64	/* ALLOCINFO_STR_SIZE */

/*
 * include/uapi/linux/alloc_tag.h, which is newer than most installed headers.
 * A name of NAME_SIZE bytes or more has only its last NAME_SIZE - 1 here.
 */
struct tag {
	char module[NAME_SIZE], function[NAME_SIZE], file[NAME_SIZE];
	uint64_t line;
};

struct tag_data {
	struct tag tag;
	uint64_t bytes, calls;
	uint8_t accurate, pad[7];
};

struct get_at {
	uint64_t position;
	struct {
		uint64_t mask;
		struct tag tag;
		uint64_t min_size, max_size, inaccurate;
	} filter;
	struct tag_data data;
};

#define CONTENT_ID	0x8008a600U	/* ALLOCINFO_IOC_CONTENT_ID */
#define GET_AT		0xc1d0a601U	/* and so on */
#define GET_NEXT	0x80e0a602U

#define MASK_INACCURATE	(1 << 4)	/* ALLOCINFO_FILTER_MASK_INACCURATE */
#define MASK_MIN_SIZE	(1 << 5)	/* and so on */
#define MASK_MAX_SIZE	(1 << 6)

_Static_assert(sizeof(struct tag_data) == 224 && sizeof(struct get_at) == 464,
	       "the sizes are part of the request numbers");

const char *const alloc_state_names[] = {
	[ALLOC_ABSENT] = "absent", [ALLOC_NEVER] = "never",
	[ALLOC_OFF] = "off", [ALLOC_ON] = "on", [ALLOC_UNSEEN] = "unseen",
};

static const char *path_of(char *path, const char *proc, const char *name)
{
	format_text(path, PATH_SIZE, "%s/%s", proc, name);
	return path;
}

/* The sysctl's first character; 0 where it cannot be read. */
static char read_switch(const char *proc)
{
	char path[PATH_SIZE], value = 0;

	fd_read(AT_FDCWD, path_of(path, proc, "sys/vm/mem_profiling"), &value,
		1);
	return value;
}

static bool is_there(const char *proc, const char *name)
{
	char path[PATH_SIZE];

	return !access(path_of(path, proc, name), F_OK);
}

enum alloc_state allocinfo_state(const char *proc, struct reason *reason)
{
	bool is_file = is_there(proc, "allocinfo");
	char value = read_switch(proc);
	enum alloc_state state = ALLOC_ABSENT;
	const char *text = "this kernel has no allocation profiling: that wants"
		" Linux 6.10 or later with CONFIG_MEM_ALLOC_PROFILING";

	if (is_file && value != '0')
		return value ? ALLOC_ON : ALLOC_UNSEEN;
	if (is_file) {
		state = ALLOC_OFF;
		text = "allocation profiling is off: the sysctl"
			" vm.mem_profiling=1 turns it on";
	} else if (value) {
		state = ALLOC_NEVER;
		text = "allocation profiling is off until a boot with the"
			" kernel argument sysctl.vm.mem_profiling=1";
	} else if (!is_there(proc, "version")) {
		text = "/proc is not mounted, or with processes alone"
			" (subset=pid): there is no /proc/allocinfo";
	}
	reason_set(reason, 0, "%s", text);
	return state;
}

/* By the system call: the types of the libcs' ioctl() differ. */
static int call(int fd, unsigned int request, void *argument)
{
	return syscall(SYS_ioctl, fd, request, argument) < 0 ? -errno : 0;
}

static int add_data(struct allocinfo *allocinfo, struct alloc_table *table,
		    const struct tag_data *data)
{
	const char *const names[ALLOC_NAMES] = {
		[ALLOC_FILE] = data->tag.file,
		[ALLOC_FUNCTION] = data->tag.function,
		[ALLOC_MODULE] = data->tag.module,
	};
	struct alloc_tag tag = {
		.bytes = (int64_t)data->bytes, .calls = (int64_t)data->calls,
		.line = (uint32_t)data->tag.line, .accurate = data->accurate,
	};
	size_t i;

	for (i = 0; i < ALLOC_NAMES; i++) {
		tag.names[i].text = names[i];
		tag.names[i].length = (size_t)(text_find(names[i], names[i] +
						NAME_SIZE, '\0') - names[i]);
		if (tag.names[i].length >= NAME_SIZE - 1)
			allocinfo->long_names = true;
	}
	return alloc_table_add(table, &tag);
}

/*
 * All tags that pass a filter, until a name is as long as those cut off.
 *
 * The kernel's filters compare whole names, so of a query they can take the
 * size alone, and that of a tag, of which a row may have many. But the tags
 * without bytes, most of all, have no calls either: all that they can do to a
 * row is to make it inaccurate.
 */
static int walk(struct allocinfo *allocinfo, int fd, struct alloc_table *table,
		uint64_t mask)
{
	struct get_at at;
	int err;

	memset(&at, 0, sizeof(at));
	at.filter.mask = mask;	/* of these, and a max_size of 0 */
	at.filter.min_size = at.filter.inaccurate = 1;
	err = call(fd, GET_AT, &at);
	while (!err) {
		err = add_data(allocinfo, table, &at.data);
		if (allocinfo->long_names)
			return 0;
		if (!err)
			err = call(fd, GET_NEXT, &at.data);
	}
	return err == -ENOENT ? 0 : err;
}

/* Return: also -EAGAIN where modules come and go all the time. */
static int read_ioctl(struct allocinfo *allocinfo, int fd,
		      struct alloc_table *table, bool all)
{
	uint64_t before, after;
	int err, i;

	for (i = 0; i < WALKS; i++) {
		alloc_table_begin(table, table->query);
		err = call(fd, CONTENT_ID, &before);
		if (!err)
			err = walk(allocinfo, fd, table, all ? 0 :
				   MASK_MIN_SIZE);
		if (!err && !all)
			err = walk(allocinfo, fd, table,
				   MASK_INACCURATE | MASK_MAX_SIZE);
		if (!err)
			err = call(fd, CONTENT_ID, &after);
		if (err || before == after)
			return err;
	}
	return -EAGAIN;
}

static int read_text(struct allocinfo *allocinfo, const char *path,
		     struct alloc_table *table, struct reason *reason)
{
	struct buffer text = { 0 };
	const char *at = NULL, *end = NULL;
	struct alloc_tag tag;
	enum parsed parsed;
	int err = buffer_file(&text, path);

	alloc_table_begin(table, table->query);
	if (err) {
		reason_error(reason, err, path);
	} else {
		at = text.data;
		end = at + text.used;
		err = alloc_text_begin(&at, end, reason);
	}
	while (!err && (parsed = alloc_text_line(&at, end, &tag)) !=
	       PARSED_END) {
		if (parsed == PARSED_BAD)
			allocinfo->bad_lines++;
		else if (alloc_table_add(table, &tag))
			err = reason_no_memory(reason);
	}
	buffer_free(&text);
	return err;
}

int allocinfo_read(struct allocinfo *allocinfo, struct alloc_table *table,
		   bool all, struct reason *reason)
{
	char path[PATH_SIZE];
	int fd, err = -ENOTTY;

	fd = fd_open(AT_FDCWD, path_of(path, allocinfo->proc, "allocinfo"),
		     O_RDONLY);
	if (fd < 0) {
		reason_set(reason, fd, "%s: %s%s", path, error_text(fd),
			   fd == -EACCES ? ": it is for root alone" : "");
		if (fd == -ENOENT)	/* there is more to say */
			allocinfo_state(allocinfo->proc, reason);
		return fd;
	}
	allocinfo->bad_lines = 0;
	clock_read(CLOCK_REALTIME, &allocinfo->time);
	if (!allocinfo->long_names)
		err = read_ioctl(allocinfo, fd, table, all);
	allocinfo->source = "ioctl";
	if (err == -EAGAIN) {
		reason_set(reason, err, "modules came or went during each of"
			   " %d readings of %s: try again", WALKS, path);
	} else if (err == -ENOMEM) {
		reason_no_memory(reason);
	} else if (err || allocinfo->long_names) {
		/* before 7.3, or refused by a filter of system calls */
		allocinfo->source = "text";
		err = read_text(allocinfo, path, table, reason);
	}
	close(fd);
	return err;
}

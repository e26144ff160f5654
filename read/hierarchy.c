// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "../fd.h"
#include "../text.h"
#include "buffer.h"
#include "hierarchy.h"
#include "parse.h"
#include "../write/format.h"

#define OPEN_DIRECTORY	(O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define SHOWN		200	/* bytes of an operand that a message shows */

/* Decode mountinfo's \040 and its like in place (fs/proc_namespace.c). */
static void decode_octal(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
		    text[2] >= '0' && text[2] <= '7' &&
		    text[3] >= '0' && text[3] <= '7') {
			*to++ = (char)((text[1] - '0') << 6 |
				       (text[2] - '0') << 3 | (text[3] - '0'));
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

static bool list_has(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (; *list; list += text_until(list, ", \n"), list += *list != '\0')
		if (!strncmp(list, name, length) &&
		    !text_until(list + length, ", \n"))
			return true;
	return false;
}

/* "(0) (1) (2) root point options [tag...] - type source options" */
int mountinfo_parse(char *line, struct cgroup_mount *mount)
{
	char *fields[5], *field, *type, *options;
	int i;

	for (i = 0; i < 5; i++)
		fields[i] = text_take(&line, " ");
	do {
		field = text_take(&line, " ");
	} while (field && strcmp(field, "-"));
	type = text_take(&line, " \n");
	text_take(&line, " ");
	options = text_take(&line, " \n");
	if (!type || !*type)
		return -EINVAL;
	if (!strcmp(type, "cgroup2"))
		mount->version = 2;
	else if (!strcmp(type, "cgroup") && options &&
		 list_has(options, "memory"))
		mount->version = 1;
	else
		return -ENOENT;
	mount->root = fields[3];
	mount->point = fields[4];
	decode_octal(mount->root);
	decode_octal(mount->point);
	return 0;
}

/* How a cgroup is looked for. */
struct search {
	struct hierarchy *hierarchy;	/* where it is found to be */
	const char *operand;
	struct reason *reason;
	/* cgroup file systems that could have the memory controller */
	struct cgroup_mount *mounts;
	size_t count;
};

/* Return: 0 or the -errno of /proc/self/mountinfo, which mounts point into. */
static int read_mounts(struct search *search, struct buffer *text,
		       struct buffer *list)
{
	struct cgroup_mount mount, *known;
	int err = buffer_file(text, "/proc/self/mountinfo");
	char *at = err ? NULL : text->data, *line;

	while (!err && (line = text_take(&at, "\n"))) {
		if (mountinfo_parse(line, &mount))
			continue;
		/* a later one on the same directory hides the earlier one */
		for (known = search->mounts;
		     known < search->mounts + search->count; known++)
			if (!strcmp(known->point, mount.point))
				break;
		if (known < search->mounts + search->count)
			*known = mount;
		else if (buffer_add(list, &mount, sizeof(mount)))
			search->count++;
		else
			err = -ENOMEM;
		search->mounts = (void *)list->data;
	}
	return err;
}

/* The version of the cgroup whose directory is open, or 0 if it is none. */
static int version_of(int fd)
{
	struct statfs statfs;

	if (fstatfs(fd, &statfs) < 0)
		return 0;
	return statfs.f_type == CGROUP2_SUPER_MAGIC ? 2 :
		statfs.f_type == CGROUP_SUPER_MAGIC ? 1 : 0;
}

/*
 * Is the memory controller on the hierarchy that is mounted there? The mount
 * may also be hidden by another on top of it. Return: 1, 0, or -errno.
 */
static int has_memory(const struct cgroup_mount *mount)
{
	struct buffer text = { 0 };
	char path[PATH_SIZE];
	int has;

	if (format_text(path, sizeof(path), "%s/%s", mount->point,
			mount->version == 2 ? "cgroup.controllers" :
			"memory.stat") >= sizeof(path))
		return -ENAMETOOLONG;
	has = buffer_file(&text, path);
	if (!has)
		has = mount->version == 1 || list_has(text.data, "memory");
	buffer_free(&text);
	return has;
}

/*
 * The mount to read by: of v2 before v1, and the one whose top is highest.
 * Return: it, or NULL with a reason.
 */
static const struct cgroup_mount *choose_mount(const struct search *search,
					       int unread)
{
	const struct cgroup_mount *best = NULL, *mount = search->mounts;
	int has;

	if (unread)
		reason_set(search->reason, -ENODEV, "no cgroup file system can"
			   " be found: %s", unread == -ENOENT ?
			   "/proc is not mounted" : error_text(unread));
	else
		reason_set(search->reason, -ENODEV, "no cgroup file system with"
			   " the memory controller is mounted (mount -t cgroup2"
			   " none /sys/fs/cgroup)");
	for (; mount < search->mounts + search->count; mount++) {
		if (best && (best->version > mount->version ||
			     (best->version == mount->version &&
			      strlen(best->root) <= strlen(mount->root))))
			continue;
		has = has_memory(mount);
		if (has > 0)
			best = mount;
		else if (!has)
			reason_set(search->reason, -ENODEV, "no mounted"
				   " hierarchy has the memory controller: not"
				   " in %s/cgroup.controllers (is it off by"
				   " cgroup_disable=memory?)",
				   mount->point);
		else if (has != -ENOENT)
			reason_error(search->reason, has, mount->point);
	}
	return best;
}

/* Tell why the cgroup @named cannot be had. Return: @err. */
static int refuse(const struct search *search, int err, const char *named,
		  const char *why)
{
	return reason_set(search->reason, err, "'%.*s': %s", SHOWN, named, why);
}

static int no_such(const struct search *search, int err, const char *named)
{
	return refuse(search, err, named,
		      err == -ENOENT ? "no such cgroup" : error_text(err));
}

/*
 * Keep a path, tidy: "/a//./b/../c/" is "/a/c". Return: 0, or -errno with a
 * reason; -ENOENT where ".." leads above the root.
 */
static int set_path(const struct search *search, const char *path,
		    const char *below)
{
	char *begin = search->hierarchy->path, *from = begin, *to = begin;

	if (format_text(begin, PATH_SIZE, "%s/%s", path, below) >= PATH_SIZE)
		return no_such(search, -ENAMETOOLONG, path);
	/* it is tidied in place: what is behind a "/" has its room */
	if (*from != '/')
		return refuse(search, -EINVAL, path,
			      "not a path from the root on");
	while (*from) {
		size_t length;

		from += text_span(from, "/");
		length = text_until(from, "/");
		if (length == 2 && !memcmp(from, "..", 2)) {
			if (to == begin)
				return refuse(search, -ENOENT, path, "it lies"
					      " outside the cgroups that are"
					      " visible here");
			while (*--to != '/')
				;
		} else if (length && !(length == 1 && *from == '.')) {
			*to++ = '/';
			memmove(to, from, length);
			to += length;
		}
		from += length;
	}
	if (to == begin)
		*to++ = '/';
	*to = '\0';
	return 0;
}

/* The path of the caller's own cgroup. Return: 0 or -errno with a reason. */
static int set_own_path(const struct search *search)
{
	static const char file[] = "/proc/self/cgroup";
	struct buffer text = { 0 };
	int err = buffer_file(&text, file);
	char *at = err ? NULL : text.data, *line;
	bool found = false;

	if (err)
		reason_set(search->reason, err, "self: %s: %s", file,
			   error_text(err));
	while (!found && (line = text_take(&at, "\n"))) {
		char *controllers;

		text_take(&line, ":");
		controllers = text_take(&line, ":");
		if (!line)
			continue;
		found = search->hierarchy->version == 2 ? !*controllers :
			list_has(controllers, "memory");
		if (found)
			err = set_path(search, line, "");
	}
	buffer_free(&text);
	return err || found ? err :
		reason_set(search->reason, -ENOENT, "self: %s does not name"
			   " this process's cgroup", file);
}

/* What lies behind @top in @path: "" or "/..."; NULL where it is not below. */
static const char *below(const char *top, const char *path)
{
	size_t length = strlen(top);

	if (!strcmp(top, "/"))
		return path;
	if (strncmp(path, top, length) || (path[length] && path[length] != '/'))
		return NULL;
	return path + length;
}

/* The number of names in "/a/b", which is tidy. */
static uint32_t count_levels(const char *path)
{
	uint32_t levels = 0;

	for (; *path; path++)
		levels += *path == '/' && path[1];
	return levels;
}

/* The path of the cgroup whose directory is open, by the mount that has it. */
static int set_directory_path(const struct search *search)
{
	struct hierarchy *hierarchy = search->hierarchy;
	const struct cgroup_mount *best = NULL, *mount = search->mounts;
	char link[32], point[PATH_SIZE];
	const char *rest;
	ssize_t length;

	format_text(link, sizeof(link), "/proc/self/fd/%d", hierarchy->fd);
	length = readlink(link, point, sizeof(point) - 1);
	point[length < 0 ? 0 : length] = '\0';
	/* a later mount lies on top of an earlier one */
	for (; mount < search->mounts + search->count; mount++)
		if (mount->version == hierarchy->version &&
		    below(mount->point, point) &&
		    (!best || strlen(mount->point) >= strlen(best->point)))
			best = mount;
	if (!best)
		return reason_set(search->reason, -ENXIO, "'%.*s': which cgroup"
				  " this directory is cannot be told: %s",
				  SHOWN, search->operand,
				  length < 0 && errno == ENOENT ?
				  "/proc is not mounted" : "it is below no cgroup"
				  " mount that is visible here, or its path is"
				  " too long");
	rest = below(best->point, point);
	hierarchy->levels = count_levels(rest);
	return set_path(search, best->root, rest);
}

/* A directory that a person named, or -errno: a cgroup's, or it is an error. */
static int take_directory(const struct search *search, int fd)
{
	struct hierarchy *hierarchy = search->hierarchy;
	struct stat stat;

	hierarchy->fd = fd;
	if (fd < 0)
		return no_such(search, fd, search->operand);
	hierarchy->version = version_of(fd);
	if (!hierarchy->version)
		return refuse(search, -ENOTDIR, search->operand, "not a cgroup:"
			      " name a cgroup as in /proc/self/cgroup, or a"
			      " directory of a cgroup file system");
	if (hierarchy->version == 1 && fd_stat(fd, "memory.stat", &stat, 0))
		return refuse(search, -ENOTDIR, search->operand, "a cgroup v1"
			      " hierarchy without the memory controller");
	return set_directory_path(search);
}

/*
 * Open the cgroup hierarchy->path by a mount. Return: 0, or -errno with a
 * reason; -EXDEV where it is not below what is mounted.
 */
static int open_path(const struct search *search,
		     const struct cgroup_mount *mount)
{
	struct hierarchy *hierarchy = search->hierarchy;
	const char *rest = below(mount->root, hierarchy->path);
	int top;

	if (!rest)
		return reason_set(search->reason, -EXDEV, "'%.*s' is not below"
				  " %s, the only part of the cgroups that is"
				  " mounted", SHOWN, hierarchy->path,
				  mount->root);
	top = fd_open(AT_FDCWD, mount->point, OPEN_DIRECTORY);
	if (top < 0)
		return no_such(search, top, mount->point);
	hierarchy->levels = count_levels(rest);
	rest += *rest == '/';
	hierarchy->fd = fd_open(top, *rest ? rest : ".", OPEN_DIRECTORY);
	close(top);
	return hierarchy->fd < 0 ?
		no_such(search, hierarchy->fd, hierarchy->path) : 0;
}

/* The cgroup that is named in the hierarchy of @mount, or of none. */
static int open_named(const struct search *search,
		      const struct cgroup_mount *mount)
{
	struct hierarchy *hierarchy = search->hierarchy;
	const char *operand = search->operand;
	bool is_path = operand && *operand == '/';
	int err = 0, fd;

	hierarchy->version = mount ? mount->version : 2;
	if (!operand)	/* a mount's root may lie above ours */
		format_text(hierarchy->path, PATH_SIZE, "%s",
			    mount ? mount->root : "/");
	else if (is_path)
		err = set_path(search, operand, "");
	else if (!strcmp(operand, "self"))
		err = set_own_path(search);
	else
		return take_directory(search, fd_open(AT_FDCWD, operand,
						      OPEN_DIRECTORY));
	if (!err)
		err = mount ? open_path(search, mount) : -ENODEV;
	if (!err || !is_path)
		return err;
	/* "/a" may be a directory, too, if it is one of a cgroup */
	fd = fd_open(AT_FDCWD, operand, OPEN_DIRECTORY);
	if (fd == -ENOTDIR ||
	    (fd >= 0 && (version_of(fd) || err == -ENOENT)))
		return take_directory(search, fd);
	if (fd >= 0)
		close(fd);
	return err;
}

int hierarchy_open(struct hierarchy *hierarchy, const char *operand,
		   struct reason *reason)
{
	struct search search = {
		.hierarchy = hierarchy, .operand = operand, .reason = reason,
	};
	struct buffer text = { 0 }, list = { 0 };
	int err = read_mounts(&search, &text, &list);

	memset(hierarchy, 0, sizeof(*hierarchy));
	hierarchy->fd = -1;
	err = open_named(&search, choose_mount(&search, err));
	buffer_free(&text);
	buffer_free(&list);
	return err;
}

uint64_t hierarchy_count(int directory)
{
	static const char wanted[] = "nr_descendants";
	char text[64];
	const char *at = text, *key;
	size_t length;
	uint64_t value;
	ssize_t got = fd_read(directory, "cgroup.stat", text, sizeof(text));

	if (got <= 0 || parse_line(&at, text + got, &key, &length, &value) ||
	    length != strlen(wanted) || memcmp(key, wanted, length))
		return 0;
	return value + 1;
}

bool hierarchy_is_gone(const struct hierarchy *hierarchy)
{
	struct stat stat;

	/* a removed directory finds nothing any more */
	return hierarchy->fd >= 0 &&
		fd_stat(hierarchy->fd, "cgroup.procs", &stat, 0) < 0 &&
		(errno == ENOENT || errno == ENODEV);
}

void hierarchy_close(struct hierarchy *hierarchy)
{
	if (hierarchy->fd >= 0)
		close(hierarchy->fd);
	hierarchy->fd = -1;
}

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
#include "buffer.h"
#include "hierarchy.h"
#include "parse.h"
#include "../write/format.h"

#define OPEN_DIRECTORY	(O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define MOUNTS_MAX	64	/* of cgroup file systems, that are looked at */
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

	for (; *list; list += strcspn(list, ", \n"), list += *list != '\0')
		if (!strncmp(list, name, length) &&
		    strchr(", \n", list[length]))
			return true;
	return false;
}

/* The field at @at, terminated; @at moves on. A field may be empty. */
static char *next_field(char **at)
{
	char *field = *at;
	char *end = field ? strpbrk(field, " \n") : NULL;

	if (end)
		*end++ = '\0';
	*at = end;
	return field;
}

/* "(1) (2) (3) root point options [tag...] - type source options" */
int mountinfo_parse(char *line, struct cgroup_mount *mount)
{
	char *root, *point, *field, *type, *options;
	int i;

	for (i = 0; i < 3; i++)
		next_field(&line);
	root = next_field(&line);
	point = next_field(&line);
	do {
		field = next_field(&line);
	} while (field && strcmp(field, "-"));
	type = next_field(&line);
	next_field(&line);
	options = next_field(&line);
	if (!root || !point || !type || !*type)
		return -EINVAL;
	if (!strcmp(type, "cgroup2"))
		mount->version = 2;
	else if (!strcmp(type, "cgroup") && options &&
		 list_has(options, "memory"))
		mount->version = 1;
	else
		return -ENOENT;
	mount->root = root;
	mount->point = point;
	decode_octal(mount->root);
	decode_octal(mount->point);
	return 0;
}

/* Every mount of a cgroup file system that could have the memory controller. */
struct mounts {
	struct buffer text;	/* what the list points into */
	size_t count;
	struct cgroup_mount list[MOUNTS_MAX];
};

/*
 * A later mount on the same directory hides the earlier one. Where there are too
 * many, those that show least of the tree give way.
 */
static void keep_mount(struct mounts *mounts, const struct cgroup_mount *mount)
{
	struct cgroup_mount *least = &mounts->list[0];
	size_t i;

	for (i = 0; i < mounts->count; i++) {
		if (!strcmp(mounts->list[i].point, mount->point)) {
			mounts->list[i] = *mount;
			return;
		}
		if (strlen(mounts->list[i].root) > strlen(least->root))
			least = &mounts->list[i];
	}
	if (mounts->count < MOUNTS_MAX)
		mounts->list[mounts->count++] = *mount;
	else if (strlen(mount->root) < strlen(least->root))
		*least = *mount;
}

/* Return: 0 or the -errno of /proc/self/mountinfo. */
static int mounts_read(struct mounts *mounts)
{
	struct cgroup_mount mount;
	char *line, *next;
	int err = buffer_file(&mounts->text, "/proc/self/mountinfo");

	for (line = err ? NULL : mounts->text.data; line && *line;
	     line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!mountinfo_parse(line, &mount))
			keep_mount(mounts, &mount);
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
 * Return: it, or NULL with a @reason.
 */
static const struct cgroup_mount *
mounts_choose(const struct mounts *mounts, int unread, struct reason *reason)
{
	const struct cgroup_mount *best = NULL;
	size_t i;

	reason_set(reason, -ENODEV, "no cgroup file system with the memory"
		   " controller is mounted (mount -t cgroup2 none"
		   " /sys/fs/cgroup)");
	if (unread)
		reason_set(reason, -ENODEV, "no cgroup file system can be"
			   " found: %s", unread == -ENOENT ?
			   "/proc is not mounted" : error_text(unread));
	for (i = 0; i < mounts->count; i++) {
		const struct cgroup_mount *mount = &mounts->list[i];
		int has;

		if (best && (best->version > mount->version ||
			     (best->version == mount->version &&
			      strlen(best->root) <= strlen(mount->root))))
			continue;
		has = has_memory(mount);
		if (has > 0)
			best = mount;
		else if (!has)
			reason_set(reason, -ENODEV, "the memory controller is on"
				   " no mounted hierarchy: %s/cgroup.controllers"
				   " does not name it (is it off by"
				   " cgroup_disable=memory?)", mount->point);
		else if (has != -ENOENT)
			reason_set(reason, -ENODEV, "%s: %s", mount->point,
				   error_text(has));
	}
	return best;
}

/*
 * Keep a path, tidy: "/a//./b/../c/" is "/a/c". Return: 0, or -errno with a
 * @reason; -ENOENT where ".." leads above the root.
 */
static int set_path(struct hierarchy *hierarchy, struct reason *reason,
		    const char *path, const char *below)
{
	char *from = hierarchy->path, *to = from;

	if (format_text(hierarchy->path, sizeof(hierarchy->path), "%s/%s",
			path, below) >= sizeof(hierarchy->path))
		return reason_set(reason, -ENAMETOOLONG, "%.*s...: %s", SHOWN,
				  path, error_text(-ENAMETOOLONG));
	/* it is tidied in place: what is behind a "/" has its room */
	if (*from != '/')
		return reason_set(reason, -EINVAL, "'%.*s': not a path from the"
				  " root on", SHOWN, path);
	while (*from) {
		size_t length;

		from += strspn(from, "/");
		length = strcspn(from, "/");
		if (length == 2 && !memcmp(from, "..", 2)) {
			if (to == hierarchy->path)
				return reason_set(reason, -ENOENT, "'%.*s' lies"
					" outside the cgroups that are visible"
					" here", SHOWN, path);
			while (*--to != '/')
				;
		} else if (length && !(length == 1 && *from == '.')) {
			*to++ = '/';
			memmove(to, from, length);
			to += length;
		}
		from += length;
	}
	if (to == hierarchy->path)
		*to++ = '/';
	*to = '\0';
	return 0;
}

/* The path of the caller's own cgroup. Return: 0 or -errno with a @reason. */
static int set_own_path(struct hierarchy *hierarchy, struct reason *reason)
{
	static const char file[] = "/proc/self/cgroup";
	struct buffer text = { 0 };
	char *line = NULL, *next;
	bool found = false;
	int err = buffer_file(&text, file);

	if (err)
		reason_set(reason, err, "self: %s: %s", file, error_text(err));
	else
		line = text.data;
	for (; line && *line && !found; line = next) {
		char *controllers = strchr(line, ':'), *at;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		at = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!at)
			continue;
		*at++ = '\0';
		found = hierarchy->version == 2 ? !controllers[1] :
			list_has(controllers + 1, "memory");
		if (found)
			err = set_path(hierarchy, reason, at, "");
	}
	buffer_free(&text);
	return err || found ? err :
		reason_set(reason, -ENOENT, "self: %s does not name this"
			   " process's cgroup", file);
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

/* The number of names in "/a/b". */
static uint32_t count_levels(const char *path)
{
	uint32_t levels = 0;

	while (*(path += strspn(path, "/"))) {
		path += strcspn(path, "/");
		levels++;
	}
	return levels;
}

/* The path of the cgroup whose directory is open, by the mount that has it. */
static int set_directory_path(struct hierarchy *hierarchy, const char *operand,
			      const struct mounts *mounts,
			      struct reason *reason)
{
	char link[32], point[PATH_SIZE];
	const struct cgroup_mount *best = NULL;
	ssize_t length;
	size_t i;

	format_text(link, sizeof(link), "/proc/self/fd/%d", hierarchy->fd);
	length = readlink(link, point, sizeof(point) - 1);
	point[length < 0 ? 0 : length] = '\0';
	for (i = 0; i < mounts->count; i++) {
		const struct cgroup_mount *mount = &mounts->list[i];

		/* a later mount lies on top of an earlier one */
		if (mount->version == hierarchy->version &&
		    below(mount->point, point) &&
		    (!best || strlen(mount->point) >= strlen(best->point)))
			best = mount;
	}
	if (!best)
		return reason_set(reason, -ENXIO, "'%.*s': which cgroup this"
				  " directory is cannot be told: %s", SHOWN,
				  operand, length < 0 && errno == ENOENT ?
				  "/proc is not mounted" : "it is below no cgroup"
				  " mount that is visible here, or its path is"
				  " too long");
	hierarchy->levels = count_levels(below(best->point, point));
	return set_path(hierarchy, reason, best->root,
			below(best->point, point));
}

static int no_such(struct reason *reason, int err, const char *operand)
{
	return reason_set(reason, err, "'%.*s': %s", SHOWN, operand,
			  err == -ENOENT ? "no such cgroup" : error_text(err));
}

/* A directory that a person named: a cgroup's, or it is an error. */
static int open_directory(struct hierarchy *hierarchy, const char *operand,
			  const struct mounts *mounts, struct reason *reason)
{
	struct stat stat;

	hierarchy->fd = fd_open(AT_FDCWD, operand, OPEN_DIRECTORY);
	if (hierarchy->fd < 0)
		return no_such(reason, hierarchy->fd, operand);
	hierarchy->version = version_of(hierarchy->fd);
	if (!hierarchy->version)
		return reason_set(reason, -ENOTDIR, "'%.*s': not a cgroup: name"
			" a cgroup as in /proc/self/cgroup, or a directory of a"
			" cgroup file system", SHOWN, operand);
	if (hierarchy->version == 1 &&
	    fd_stat(hierarchy->fd, "memory.stat", &stat, 0))
		return reason_set(reason, -ENOTDIR, "'%.*s': a cgroup v1"
			" hierarchy without the memory controller", SHOWN,
			operand);
	return set_directory_path(hierarchy, operand, mounts, reason);
}

/*
 * Open the cgroup hierarchy->path by a mount. Return: 0, or -errno with a
 * @reason; -EXDEV where it is not below what is mounted.
 */
static int open_path(struct hierarchy *hierarchy,
		     const struct cgroup_mount *mount, struct reason *reason)
{
	const char *rest = below(mount->root, hierarchy->path);
	int top = fd_open(AT_FDCWD, mount->point, OPEN_DIRECTORY);

	if (top < 0)
		return no_such(reason, top, mount->point);
	if (!rest) {
		close(top);
		return reason_set(reason, -EXDEV, "'%.*s' is not below %s, the"
				  " only part of the cgroups that is mounted",
				  SHOWN, hierarchy->path, mount->root);
	}
	hierarchy->levels = count_levels(rest);
	rest += strspn(rest, "/");
	if (!*rest) {
		hierarchy->fd = top;
		return 0;
	}
	hierarchy->fd = fd_open(top, rest, OPEN_DIRECTORY);
	close(top);
	return hierarchy->fd < 0 ?
		no_such(reason, hierarchy->fd, hierarchy->path) : 0;
}

/* The cgroup that @operand names in the hierarchy of @mount, or of none. */
static int open_named(struct hierarchy *hierarchy, const char *operand,
		      const struct cgroup_mount *mount,
		      const struct mounts *mounts, struct reason *reason)
{
	struct reason why = *reason;	/* there is no mount */
	int err, fd;

	hierarchy->version = mount ? mount->version : 2;
	if (!operand && mount) {	/* its root may lie above ours */
		format_text(hierarchy->path, sizeof(hierarchy->path), "%s",
			    mount->root);
		return open_path(hierarchy, mount, reason);
	}
	if (operand && !strcmp(operand, "self"))
		err = set_own_path(hierarchy, reason);
	else if (!operand || operand[0] == '/')
		err = set_path(hierarchy, reason, operand ? operand : "/", "");
	else
		return open_directory(hierarchy, operand, mounts, reason);
	if (!err && mount)
		err = open_path(hierarchy, mount, reason);
	else if (!err)
		err = -ENODEV;
	if (!err || !operand || operand[0] != '/')
		goto out;
	/* "/a" may be a directory, too, if it is one of a cgroup */
	fd = fd_open(AT_FDCWD, operand, OPEN_DIRECTORY);
	if (fd >= 0 && (version_of(fd) || err == -ENOENT)) {
		close(fd);
		return open_directory(hierarchy, operand, mounts, reason);
	}
	if (fd >= 0)
		close(fd);
	else if (fd == -ENOTDIR)
		return no_such(reason, fd, operand);
out:
	if (err == -ENODEV)
		*reason = why;
	return err;
}

int hierarchy_open(struct hierarchy *hierarchy, const char *operand,
		   struct reason *reason)
{
	struct mounts mounts = { .count = 0 };
	const struct cgroup_mount *mount;
	int err, unread = mounts_read(&mounts);

	memset(hierarchy, 0, sizeof(*hierarchy));
	hierarchy->fd = -1;
	mount = mounts_choose(&mounts, unread, reason);
	err = open_named(hierarchy, operand, mount, &mounts, reason);
	buffer_free(&mounts.text);
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

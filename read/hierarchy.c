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
#include "../write/format.h"

#define OPEN_DIRECTORY	(O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define MOUNTS		2	/* the best mount of each version */

/* A whole file, terminated, into an empty buffer. Return: 0 or -errno. */
static int read_file(struct buffer *text, const char *path)
{
	int fd = fd_high(open(path, O_RDONLY | O_CLOEXEC));
	ssize_t got = 0;
	char *to;

	if (fd < 0)
		return fd;
	while ((to = buffer_reserve(text, 4096))) {
		got = read(fd, to, 4095);
		if (got <= 0)
			break;
		text->used += (size_t)got;
	}
	if (got < 0)
		got = -errno;
	close(fd);
	if (to)
		*to = '\0';
	return to ? (int)got : -ENOMEM;
}

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

/* The mount of each version whose top is highest: [0] of v1, [1] of v2. */
static void find_mounts(char *mountinfo, struct cgroup_mount *mounts)
{
	struct cgroup_mount mount, *best;
	char *line, *next;

	memset(mounts, 0, sizeof(*mounts) * MOUNTS);
	for (line = mountinfo; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (mountinfo_parse(line, &mount))
			continue;
		best = &mounts[mount.version - 1];
		if (!best->version || strlen(mount.root) < strlen(best->root))
			*best = mount;
	}
}

/* Is the memory controller on the v2 hierarchy that is mounted there? */
static bool v2_has_memory(const char *point)
{
	struct buffer text = { 0 };
	char path[PATH_SIZE];
	bool has;

	if (format_text(path, sizeof(path), "%s/cgroup.controllers", point) >=
	    sizeof(path))
		return false;
	has = !read_file(&text, path) && list_has(text.data, "memory");
	buffer_free(&text);
	return has;
}

/* Keep a path. Return: 0 or -errno with a @reason. */
static int set_path(struct hierarchy *hierarchy, struct reason *reason,
		    const char *path, const char *below)
{
	char *from, *to = hierarchy->path;

	if (format_text(hierarchy->path, sizeof(hierarchy->path), "%s/%s",
			path, below) >= sizeof(hierarchy->path))
		return reason_set(reason, -ENAMETOOLONG, "%s: %s", path,
				  strerror(ENAMETOOLONG));
	/* "/a//b/" is "/a/b" */
	for (from = hierarchy->path; *from; from++)
		if (*from != '/' || from[1] != '/')
			*to++ = *from;
	if (to > hierarchy->path + 1 && to[-1] == '/')
		to--;
	*to = '\0';
	return 0;
}

/* The path of the caller's own cgroup. */
static int set_own_path(struct hierarchy *hierarchy, struct reason *reason)
{
	struct buffer text = { 0 };
	char *line, *next;
	int err = -ENOENT;

	reason_set(reason, err, "self: /proc/self/cgroup does not name this"
		   " process's cgroup");
	if (!read_file(&text, "/proc/self/cgroup"))
		line = text.data;
	else
		line = NULL;
	for (; line && *line && err == -ENOENT; line = next) {
		char *controllers = strchr(line, ':'), *at;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		at = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!at)
			continue;
		*at++ = '\0';
		if (hierarchy->version == 2 ? !controllers[1] :
		    list_has(controllers + 1, "memory"))
			err = set_path(hierarchy, reason, at, "");
	}
	buffer_free(&text);
	return err;
}

/* Where in a mount a cgroup's path lies; NULL where it does not. */
static const char *below_root(const struct cgroup_mount *mount,
			      const char *path)
{
	size_t length = strlen(mount->root);

	if (!strcmp(mount->root, "/"))
		return path;
	if (strncmp(path, mount->root, length) ||
	    (path[length] && path[length] != '/'))
		return NULL;
	return path + length;
}

/* Open the cgroup @path by a mount. Return: a descriptor or -errno. */
static int open_path(const struct cgroup_mount *mount, const char *path)
{
	const char *below = below_root(mount, path);
	int top, fd;

	if (!below)
		return -ENOENT;
	top = fd_high(open(mount->point, OPEN_DIRECTORY));
	if (top < 0)
		return top;
	below += strspn(below, "/");
	if (!*below)
		return top;
	fd = fd_high(openat(top, below, OPEN_DIRECTORY));
	close(top);
	return fd;
}

/* The path of the cgroup whose directory is open, by the mount that has it. */
static int set_directory_path(struct hierarchy *hierarchy, const char *operand,
			      const struct cgroup_mount *mount,
			      struct reason *reason)
{
	char link[32], point[PATH_SIZE];
	size_t top = mount->version ? strlen(mount->point) : 0;
	ssize_t length;

	format_text(link, sizeof(link), "/proc/self/fd/%d", hierarchy->fd);
	length = readlink(link, point, sizeof(point) - 1);
	if (!mount->version || length < 0)
		return set_path(hierarchy, reason, operand, "");
	point[length] = '\0';
	if (strncmp(point, mount->point, top) ||
	    (point[top] && point[top] != '/'))	/* another mount of it */
		return set_path(hierarchy, reason, operand, "");
	return set_path(hierarchy, reason, mount->root, point + top);
}

static int no_such(struct reason *reason, int err, const char *operand)
{
	if (err == -ENOENT)
		return reason_set(reason, err, "'%s': no such cgroup", operand);
	return reason_set(reason, err, "'%s': %s", operand, strerror(-err));
}

/* A directory that a person named: a cgroup's, or it is an error. */
static int open_directory(struct hierarchy *hierarchy, const char *operand,
			  const struct cgroup_mount *mounts,
			  struct reason *reason)
{
	int fd = fd_high(open(operand, OPEN_DIRECTORY));
	struct statfs statfs;
	struct stat stat;

	if (fd < 0)
		return no_such(reason, fd, operand);
	hierarchy->fd = fd;
	if (fstatfs(fd, &statfs) < 0)
		return no_such(reason, -errno, operand);
	if (statfs.f_type == CGROUP2_SUPER_MAGIC)
		hierarchy->version = 2;
	else if (statfs.f_type == CGROUP_SUPER_MAGIC &&
		 !fstatat(fd, "memory.stat", &stat, 0))
		hierarchy->version = 1;
	else
		return reason_set(reason, -ENOTDIR, "%s: %s", operand,
				  statfs.f_type == CGROUP_SUPER_MAGIC ?
				  "a cgroup v1 hierarchy without the memory"
				  " controller" : "not a cgroup: name a cgroup"
				  " as in /proc/self/cgroup, or a directory of"
				  " a cgroup file system");
	return set_directory_path(hierarchy, operand,
				  &mounts[hierarchy->version - 1], reason);
}

/* The cgroup that @operand names in the hierarchy of @mount, or of none. */
static int open_named(struct hierarchy *hierarchy, const char *operand,
		      const struct cgroup_mount *mount,
		      const struct cgroup_mount *mounts, struct reason *reason)
{
	bool self = operand && !strcmp(operand, "self");
	int fd, err;

	hierarchy->version = mount ? mount->version : 2;
	if (self)
		err = set_own_path(hierarchy, reason);
	else if (!operand || operand[0] == '/')
		err = set_path(hierarchy, reason, operand ? operand :
			       mount ? mount->root : "/", "");
	else
		return open_directory(hierarchy, operand, mounts, reason);
	if (err)
		return err;
	if (!mount)
		return reason_set(reason, -ENODEV, "no cgroup file system with"
			" the memory controller is mounted (mount -t cgroup2"
			" none /sys/fs/cgroup)");
	fd = open_path(mount, hierarchy->path);
	if (fd >= 0) {
		hierarchy->fd = fd;
		return 0;
	}
	if (self || !operand || fd != -ENOENT)
		return no_such(reason, fd, hierarchy->path);
	return open_directory(hierarchy, operand, mounts, reason);
}

int hierarchy_open(struct hierarchy *hierarchy, const char *operand,
		   struct reason *reason)
{
	struct cgroup_mount mounts[MOUNTS] = { 0 };
	const struct cgroup_mount *mount = NULL;
	struct buffer mountinfo = { 0 };
	int err, unknown;

	memset(hierarchy, 0, sizeof(*hierarchy));
	hierarchy->fd = -1;
	unknown = read_file(&mountinfo, "/proc/self/mountinfo");
	if (!unknown)
		find_mounts(mountinfo.data, mounts);
	if (mounts[1].version && v2_has_memory(mounts[1].point))
		mount = &mounts[1];
	else if (mounts[0].version)
		mount = &mounts[0];
	err = open_named(hierarchy, operand, mount, mounts, reason);
	/* the controller is off, or hidden: not a missing mount */
	if (err == -ENODEV && mounts[1].version)
		reason_set(reason, err, "the memory controller is on no"
			   " mounted hierarchy: %s/cgroup.controllers does not"
			   " name it (is it off by cgroup_disable=memory?)",
			   mounts[1].point);
	else if (err == -ENODEV && unknown)
		reason_set(reason, err, "no cgroup file system can be found:"
			   " /proc is not mounted");
	buffer_free(&mountinfo);
	return err;
}

void hierarchy_close(struct hierarchy *hierarchy)
{
	if (hierarchy->fd >= 0)
		close(hierarchy->fd);
	hierarchy->fd = -1;
}

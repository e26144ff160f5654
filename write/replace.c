// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../fd.h"
#include "../text.h"
#include "format.h"
#include "replace.h"

#define LINKS_MAX	40	/* as many as the kernel follows */

static int fail(struct replace *replace, struct reason *reason, int err)
{
	return reason_error(reason, err, replace->path);
}

/* What a link leads to is replaced, not the link. */
static int follow_links(char *path)
{
	char target[REPLACE_PATH];
	size_t directory;
	ssize_t length;
	int links;

	for (links = 0; links < LINKS_MAX; links++) {
		length = readlink(path, target, sizeof(target) - 1);
		if (length < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : -errno;
		target[length] = '\0';
		directory = target[0] == '/' ? 0 : text_directory(path);
		if (directory + (size_t)length >= REPLACE_PATH)
			return -ENAMETOOLONG;
		memcpy(path + directory, target, (size_t)length + 1);
	}
	return -ELOOP;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
	return one->st_ino == other->st_ino && one->st_dev == other->st_dev;
}

static bool is_there(const char *path, int fd)
{
	struct stat ours, there;

	return !fd_stat(fd, "", &ours, 0) &&
		!fd_stat(AT_FDCWD, path, &there, AT_SYMLINK_NOFOLLOW) &&
		is_same(&ours, &there);
}

/*
 * Remove what a process that was killed left. Return: 0; -EBUSY where the process
 * is still there; or another -errno.
 */
static int remove_left(const char *path)
{
	struct stat stat;
	int fd = fd_open(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	int err = 0;

	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	if (fd_stat(fd, "", &stat, 0) < 0 || !S_ISREG(stat.st_mode))
		err = -EEXIST;
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		err = errno == EWOULDBLOCK ? -EBUSY : -errno;
	else if (is_there(path, fd) && unlink(path) < 0)
		err = -errno;
	close(fd);
	return err;
}

/* Make and lock the temporary file. Return: its descriptor, or -errno. */
static int open_temporary(const char *path)
{
	int fd, err = 0;

	while (!err) {
		fd = fd_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL |
			     O_NOFOLLOW);
		if (fd < 0) {
			err = fd == -EEXIST ? remove_left(path) : fd;
			continue;
		}
		/* it may be taken for one that was left before it is locked */
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_there(path, fd))
			return fd;
		close(fd);
	}
	return err;
}

/* The permissions that the new file is to have. */
static mode_t new_mode(const struct stat *old)
{
	mode_t mask;

	if (old)
		return old->st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

int replace_begin(struct replace *replace, const char *path,
		  struct reason *reason)
{
	struct stat old, found;
	bool exists = !fd_stat(AT_FDCWD, path, &old, 0);
	bool is_other = exists && !S_ISREG(old.st_mode);
	size_t directory;
	int err = 0;

	replace->temporary[0] = '\0';
	replace->fd = -1;
	if (format_text(replace->path, sizeof(replace->path), "%s", path) >=
	    sizeof(replace->path) - sizeof("..tmp"))
		err = -ENAMETOOLONG;
	else if (!is_other)
		err = follow_links(replace->path);
	if (err)
		return fail(replace, reason, err);
	/* /dev/stdout leads to a file that may have no name any more */
	if (is_other ||
	    (exists && (fd_stat(AT_FDCWD, replace->path, &found, 0) < 0 ||
			!is_same(&found, &old)))) {
		replace->fd = fd_open(AT_FDCWD, path, O_WRONLY | O_TRUNC);
		return replace->fd < 0 ?
			fail(replace, reason, replace->fd) : 0;
	}
	directory = text_directory(replace->path);
	format_text(replace->temporary, sizeof(replace->temporary),
		    "%.*s.%.*s.tmp", (int)directory, replace->path,
		    NAME_MAX - (int)sizeof("..tmp"),
		    replace->path + directory);
	replace->fd = open_temporary(replace->temporary);
	if (replace->fd == -EBUSY)
		return reason_set(reason, -EBUSY, "%s: another process is"
				  " writing it", replace->path);
	if (replace->fd == -EEXIST || replace->fd == -ELOOP)
		return reason_set(reason, -EEXIST, "%s: it is in the way:"
				  " remove it", replace->temporary);
	if (replace->fd < 0)
		return reason_error(reason, replace->fd, replace->temporary);
	/* the libc's fchmod() can do more, and is larger */
	if (syscall(SYS_fchmod, replace->fd,
		    new_mode(exists ? &old : NULL)) < 0) {
		err = -errno;
		replace_abort(replace);
		return fail(replace, reason, err);
	}
	return 0;
}

int replace_commit(struct replace *replace, struct reason *reason)
{
	int err = 0;

	if (replace->temporary[0] &&
	    (fsync(replace->fd) < 0 ||
	     rename(replace->temporary, replace->path) < 0))
		err = -errno;
	if (err) {
		replace_abort(replace);
		return fail(replace, reason, err);
	}
	/* the lock goes with it: only now may the next begin */
	if (close(replace->fd) < 0)
		err = -errno;
	return err ? fail(replace, reason, err) : 0;
}

void replace_abort(struct replace *replace)
{
	if (replace->fd < 0)
		return;
	if (replace->temporary[0])
		unlink(replace->temporary);
	close(replace->fd);
	replace->fd = -1;
}

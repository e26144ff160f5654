// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fd.h"
#include "format.h"
#include "replace.h"

#define LINKS_MAX	40	/* as many as the kernel follows */

static int fail(struct replace *replace, struct reason *reason, int err)
{
	return reason_set(reason, err, "%s: %s", replace->path, strerror(-err));
}

/* The end of a path's directory: where its last name begins. */
static size_t name_at(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
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
		directory = target[0] == '/' ? 0 : name_at(path);
		if (directory + (size_t)length >= REPLACE_PATH)
			return -ENAMETOOLONG;
		memcpy(path + directory, target, (size_t)length + 1);
	}
	return -ELOOP;
}

/*
 * Lock a temporary file and empty it. Return: 0; -EAGAIN where the one before us
 * has just put it in its place; -EBUSY; or another -errno.
 */
static int lock_temporary(const struct replace *replace, int fd)
{
	struct stat ours, there;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	if (fstat(fd, &ours) < 0)
		return -errno;
	if (stat(replace->temporary, &there) < 0 ||
	    ours.st_ino != there.st_ino || ours.st_dev != there.st_dev)
		return -EAGAIN;
	return ftruncate(fd, 0) < 0 ? -errno : 0;
}

/* Return: its descriptor, or -errno. */
static int open_temporary(const struct replace *replace)
{
	int fd, err;

	do {
		fd = fd_high(open(replace->temporary, O_WRONLY | O_CREAT |
				  O_NOFOLLOW | O_CLOEXEC, 0666));
		if (fd < 0)
			return fd;
		err = lock_temporary(replace, fd);
		if (err)
			close(fd);
	} while (err == -EAGAIN);
	return err ? err : fd;
}

int replace_begin(struct replace *replace, const char *path,
		  struct reason *reason)
{
	struct stat old;
	size_t directory;
	bool exists;
	int err;

	memset(replace, 0, sizeof(*replace));
	replace->fd = -1;
	if (format_text(replace->path, sizeof(replace->path), "%s", path) >=
	    sizeof(replace->path) - sizeof("..tmp"))
		return fail(replace, reason, -ENAMETOOLONG);
	err = follow_links(replace->path);
	if (err)
		return fail(replace, reason, err);
	exists = !stat(replace->path, &old);
	if (exists && !S_ISREG(old.st_mode)) {
		replace->fd = fd_high(open(replace->path, O_WRONLY |
					   O_CLOEXEC));
		return replace->fd < 0 ?
			fail(replace, reason, replace->fd) : 0;
	}
	directory = name_at(replace->path);
	format_text(replace->temporary, sizeof(replace->temporary),
		    "%.*s.%s.tmp", (int)directory, replace->path,
		    replace->path + directory);
	replace->fd = open_temporary(replace);
	if (replace->fd == -EBUSY)
		return reason_set(reason, -EBUSY, "%s: another process is"
				  " writing it", replace->path);
	if (replace->fd < 0)
		return reason_set(reason, replace->fd, "%s: %s",
				  replace->temporary, strerror(-replace->fd));
	if (exists && fchmod(replace->fd, old.st_mode & 07777) < 0) {
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

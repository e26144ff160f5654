// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../fd.h"

int fd_high(int fd)
{
	long high;

	if (fd < 0)
		return -errno;
	if (fd > STDERR_FILENO)
		return fd;
	/* the libc's fcntl() knows all that there is, half a kilobyte of it */
	high = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (high < 0)
		high = -errno;
	close(fd);
	return (int)high;
}

int fd_open(int directory, const char *path, int flags)
{
	return fd_high((int)syscall(SYS_openat, directory, path,
				    flags | O_CLOEXEC | O_LARGEFILE, 0600));
}

int fd_stat(int directory, const char *path, struct stat *stat, int flags)
{
	/* here the kernel's struct is the libc's, and nothing is to convert */
#if defined(__x86_64__) || defined(__aarch64__)
	return *path ? (int)syscall(SYS_newfstatat, directory, path, stat,
				    flags) :
		(int)syscall(SYS_fstat, directory, stat);
#else
	return *path ? fstatat(directory, path, stat, flags) :
		fstat(directory, stat);
#endif
}

ssize_t fd_read(int directory, const char *name, char *text, size_t size)
{
	int fd = fd_open(directory, name, O_RDONLY);
	ssize_t got;

	if (fd < 0)
		return fd;
	do {
		got = read(fd, text, size);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		got = -errno;
	close(fd);
	return got;
}

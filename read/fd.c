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

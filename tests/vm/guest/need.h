/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the programs of the guest share. NEED_STATUS: how they fail (1). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef NEED_STATUS
#define NEED_STATUS	1
#endif

static void need(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(NEED_STATUS);
	}
}

/* Go into a cgroup. */
__attribute__((unused)) static void enter(const char *dir)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	fd = open(path, O_WRONLY);
	need(fd >= 0 && write(fd, "0", 1) == 1, path);
	close(fd);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * churn DIR STOP - create cgroups in the cgroup DIR, charge memory to each and
 * remove them again, as fast as it goes, until there is a file STOP. Prints how
 * many there were.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "need.h"

#define ALIVE	8	/* cgroups at a time */
#define SIZE	(256 << 10)

/* A child that lives, charges and dies in the cgroup. */
static void charge(const char *dir)
{
	char procs[4096], *memory;
	pid_t child = fork();
	int fd;

	need(child >= 0, "fork");
	if (child) {
		need(waitpid(child, NULL, 0) == child, "wait");
		return;
	}
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", dir);
	fd = open(procs, O_WRONLY);
	need(fd >= 0 && write(fd, "0", 1) == 1, procs);
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(memory != MAP_FAILED, "mmap");
	memset(memory, 1, SIZE);
	_exit(0);
}

int main(int argc, char **argv)
{
	unsigned long count = 0;
	char dir[4000];

	if (argc != 3) {
		fprintf(stderr, "usage: churn DIR STOP\n");
		return 1;
	}
	for (; access(argv[2], F_OK); count++) {
		if (count >= ALIVE) {
			snprintf(dir, sizeof(dir), "%s/churn%lu", argv[1],
				 count - ALIVE);
			need(!rmdir(dir), dir);
		}
		snprintf(dir, sizeof(dir), "%s/churn%lu", argv[1], count);
		need(!mkdir(dir, 0755), dir);
		charge(dir);
	}
	printf("%lu\n", count);
	return 0;
}

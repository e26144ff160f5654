// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * hold [-h] DIR KIB [FILE KIB]... - charge memory to a cgroup and keep it.
 *
 * A child moves into the cgroup DIR, fills KIB of anonymous memory (-h: in huge
 * pages where there are any), writes KIB to each FILE, and sleeps. The parent
 * returns when all of that is there, or when the child was killed for it. Needs
 * no shell in the cgroup, which would be charged, too.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void need(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(1);
	}
}

/* Neither all zeroes, which is never stored, nor hard to compress. */
static void fill(char *to, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[i] = (char)(i >> 12 ^ i);
}

static void charge(char **arguments, int huge)
{
	size_t size = strtoul(arguments[1], NULL, 10) << 10;
	char *memory, dir[4096], pid[16];
	int fd;

	snprintf(dir, sizeof(dir), "%s/cgroup.procs", arguments[0]);
	snprintf(pid, sizeof(pid), "%d", getpid());
	fd = open(dir, O_WRONLY);
	need(fd >= 0 && write(fd, pid, strlen(pid)) > 0, dir);
	close(fd);
	memory = mmap(NULL, size + (2 << 20), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(memory != MAP_FAILED, "mmap");
	if (huge) {
		memory += -(size_t)memory & ((2 << 20) - 1);
		madvise(memory, size, MADV_HUGEPAGE);
	} else {
		madvise(memory, size, MADV_NOHUGEPAGE);
	}
	fill(memory, size);
	for (arguments += 2; arguments[0]; arguments += 2) {
		char page[4096];
		unsigned long kib = strtoul(arguments[1], NULL, 10);

		fill(page, sizeof(page));
		fd = open(arguments[0], O_WRONLY | O_CREAT | O_TRUNC, 0644);
		need(fd >= 0, arguments[0]);
		for (; kib >= 4; kib -= 4)
			need(write(fd, page, sizeof(page)) == sizeof(page),
			     arguments[0]);
		close(fd);
	}
}

int main(int argc, char **argv)
{
	int huge = argc > 1 && !strcmp(argv[1], "-h"), ready[2], status;
	char byte;
	pid_t child;

	argv += 1 + huge;
	argc -= 1 + huge;
	if (argc < 2 || argc % 2) {
		fprintf(stderr, "usage: hold [-h] DIR KIB [FILE KIB]...\n");
		return 1;
	}
	need(!pipe(ready), "pipe");
	child = fork();
	need(child >= 0, "fork");
	if (!child) {
		charge(argv, huge);
		need(write(ready[1], "", 1) == 1, "pipe");
		/* nobody waits for our output's end */
		for (status = 0; status < 3; status++)
			close(status);
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1)
		return 0;
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? 0 : 1;
}

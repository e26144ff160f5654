// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "churners.h"

/* As published, bytes. */
#define REGION		(256 << 10)	/* mapped, filled, unmapped */
#define RESIDENT	(128 << 10)	/* kept, so that anon is there */

#define READER_CPU	0

unsigned int churner_cpus(void)
{
	return (unsigned int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
}

/* Run on @count processors from @first on. */
static void pin(unsigned int first, unsigned int count)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	while (count--)
		CPU_SET(first + count, &set);
	need(!sched_setaffinity(0, sizeof(set), &set), "affinity");
}

static char *fill(size_t size)
{
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(memory != MAP_FAILED, "mmap");
	memset(memory, 1, size);
	return memory;
}

/* The child in a leaf. Each change of processor leaves counts behind there. */
static void churn(const struct churners *churners, const char *path,
		  unsigned int start, unsigned int cpus, int ready)
{
	unsigned int pool = churner_cpus(), turn = 0;

	if (cpus)
		pin(READER_CPU + 1 + start % pool, 1);
	else
		pin(READER_CPU + 1, pool);
	tree_enter(path);
	fill(RESIDENT);
	need(write(ready, "", 1) == 1, "pipe");
	close(ready);
	while (!*churners->stop) {
		if (cpus)
			pin(READER_CPU + 1 + (start + turn++ % cpus) % pool, 1);
		munmap(fill(REGION), REGION);
	}
	_exit(0);
}

void churners_start(struct churners *churners, const struct tree *tree,
		    size_t hot, unsigned int cpus)
{
	size_t i, leaf = 0;
	int ready[2];
	char byte;

	need(churner_cpus(), "a second processor is needed");
	pin(READER_CPU, 1);
	churners->count = 0;
	churners->children = calloc(tree->leaves, sizeof(pid_t));
	churners->stop = mmap(NULL, sizeof(bool), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	need(churners->children && churners->stop != MAP_FAILED &&
	     !pipe(ready), "churners");
	for (i = 0; i < tree->count; i++) {
		pid_t child;

		if (!tree->nodes[i].leaf || leaf++ * hot % tree->leaves >= hot)
			continue;
		child = fork();
		need(child >= 0, "fork");
		if (!child)
			churn(churners, tree->nodes[i].path,
			      (unsigned int)churners->count * cpus, cpus,
			      ready[1]);
		churners->children[churners->count++] = child;
	}
	close(ready[1]);
	for (i = 0; i < churners->count; i++)
		need(read(ready[0], &byte, 1) == 1, "a churner died");
	close(ready[0]);
}

void churners_stop(struct churners *churners)
{
	size_t i;
	int status;

	*churners->stop = true;
	for (i = 0; i < churners->count; i++)
		need(waitpid(churners->children[i], &status, 0) ==
		     churners->children[i] && !status, "a churner failed");
	munmap((void *)churners->stop, sizeof(bool));
	free(churners->children);
	pin(READER_CPU, churner_cpus() + 1);
}

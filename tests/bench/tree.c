// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

static char *charged;		/* what tree_charge() mapped */
static size_t charged_size;

static void write_file(const char *path, const char *name, const char *text)
{
	char file[128];
	int fd;

	snprintf(file, sizeof(file), TOP "%s/%s", path, name);
	fd = open(file, O_WRONLY | O_CLOEXEC);
	need(fd >= 0 && write(fd, text, strlen(text)) > 0, "%s", file);
	close(fd);
}

void tree_enter(const char *path)
{
	write_file(path, "cgroup.procs", "0");
}

static struct node *add(struct tree *tree, const char *path, bool leaf)
{
	struct node *node = &tree->nodes[tree->count++];
	char directory[128];
	struct stat stat;

	snprintf(directory, sizeof(directory), TOP "%s", path);
	need(!mkdir(directory, 0755) || errno == EEXIST, "mkdir %s", directory);
	need(!lstat(directory, &stat), "%s", directory);
	snprintf(node->path, sizeof(node->path), "%s", path);
	node->id = stat.st_ino;
	node->leaf = leaf;
	tree->leaves += leaf;
	return node;
}

static void grow(struct tree *tree, const char *path, unsigned int fanout,
		 unsigned int depth)
{
	char child[64];
	unsigned int i;

	add(tree, path, !depth);
	if (!depth)
		return;
	write_file(path, "cgroup.subtree_control", "+memory");
	for (i = 0; i < fanout; i++) {
		need(snprintf(child, sizeof(child), "%s/c%u", path, i) <
		     (int)sizeof(child), "%s is too long", child);
		grow(tree, child, fanout, depth - 1);
	}
}

static void open_top(struct tree *tree, const char *path)
{
	char directory[128];

	snprintf(directory, sizeof(directory), TOP "%s", path);
	tree->fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	need(tree->fd >= 0, "%s", directory);
}

void tree_make(struct tree *tree, const char *name, unsigned int fanout,
	       unsigned int depth)
{
	size_t size = 1, level = 1;
	unsigned int i;
	char path[64];

	memset(tree, 0, sizeof(*tree));
	tree->name = name;
	for (i = 0; i < depth; i++)
		size += level *= fanout;
	tree->nodes = calloc(size, sizeof(*tree->nodes));
	need(tree->nodes, "a tree of %zu", size);
	write_file("", "cgroup.subtree_control", "+memory");
	snprintf(path, sizeof(path), "/%s", name);
	grow(tree, path, fanout, depth);
	open_top(tree, path);
}

void tree_top(struct tree *tree)
{
	memset(tree, 0, sizeof(*tree));
	tree->name = "top";
	tree->nodes = calloc(1, sizeof(*tree->nodes));
	need(tree->nodes, "a tree of one");
	add(tree, "", true);
	open_top(tree, "");
}

/*
 * One process charges all: memory stays where it was first touched when its
 * process moves on.
 */
size_t tree_charge(struct tree *tree, unsigned int every)
{
	const size_t size = CHARGE_KIB << 10;
	size_t i, leaf = 0, count = 0;

	charged_size = size * (tree->leaves + every - 1) / every;
	charged = mmap(NULL, charged_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(charged != MAP_FAILED, "%zu bytes", charged_size);
	madvise(charged, charged_size, MADV_NOHUGEPAGE);
	for (i = 0; i < tree->count; i++) {
		if (!tree->nodes[i].leaf || leaf++ % every)
			continue;
		tree_enter(tree->nodes[i].path);
		memset(charged + count++ * size, 1, size);
	}
	tree_enter("");
	return count;
}

void tree_remove(struct tree *tree)
{
	char directory[128];
	size_t i;

	if (charged)
		munmap(charged, charged_size);
	charged = NULL;
	for (i = tree->count; i-- > 0;) {
		snprintf(directory, sizeof(directory), TOP "%s",
			 tree->nodes[i].path);
		need(!rmdir(directory), "rmdir %s", directory);
	}
	close(tree->fd);
	free(tree->nodes);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * scale COUNT... - what a cgroup costs in trees of so many empty cgroups, and
 * how long a walk, which holds cgroup_mutex, takes. The tree grows from count
 * to count, in groups of 100, and goes when the guest does.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#define GROUP		100
#define ROUNDS		3
#define FILES_MAX	1000	/* cgroups: of more the files take minutes */

/* Return: false where the kernel has no more to give; errno says why. */
static bool make(const char *path)
{
	char directory[128];

	snprintf(directory, sizeof(directory), TOP "%s", path);
	return !mkdir(directory, 0755);
}

static void enable(const char *path)
{
	char file[128];
	int fd;

	snprintf(file, sizeof(file), TOP "%s/cgroup.subtree_control", path);
	fd = open(file, O_WRONLY | O_CLOEXEC);
	need(fd >= 0 && write(fd, "+memory", 7) == 7, "%s", file);
	close(fd);
}

/* Each group is a cgroup with GROUP - 1 others below it. */
static bool grow(size_t *count, size_t to)
{
	char path[64];

	for (; *count < to; ++*count) {
		size_t group = *count / GROUP;
		bool is_parent = *count % GROUP == 0;

		if (is_parent)
			snprintf(path, sizeof(path), "/scale/g%zu", group);
		else
			snprintf(path, sizeof(path), "/scale/g%zu/c%zu", group,
				 *count % GROUP);
		if (!make(path))
			return false;
		if (is_parent)
			enable(path);
	}
	return true;
}

static void measure(const struct peer *peer, const struct tree *tree)
{
	uint64_t walks[ROUNDS], totals[ROUNDS];
	void *state = peer->open(peer, tree);
	struct summary walk, total;
	struct reading reading;
	int i;

	peer->read(state, &reading);
	for (i = 0; i < ROUNDS; i++) {
		peer->read(state, &reading);
		need(reading.cgroups == tree->count, "%s: %llu cgroups of %zu",
		     peer->name, (unsigned long long)reading.cgroups,
		     tree->count);
		walks[i] = reading.walk;
		totals[i] = reading.total;
	}
	peer->close(state);
	walk = summarize(walks, ROUNDS);
	total = summarize(totals, ROUNDS);
	printf("case=scale cgroups=%zu reader=%s rounds=%d walk_ns=%llu"
	       " total_ns=%llu cgroup_walk_ns=%.1f cgroup_ns=%.1f\n",
	       tree->count, peer->name, ROUNDS,
	       (unsigned long long)walk.least, (unsigned long long)total.least,
	       (double)walk.least / (double)tree->count,
	       (double)total.least / (double)tree->count);
	fflush(stdout);
}

/* The published ones need more of the tree than is known of it here. */
static bool is_wanted(const struct peer *peer, size_t count)
{
	bool is_file = !strncmp(peer->name, "file", 4);

	return peer_works(peer) && strcmp(peer->name, "file") &&
		strncmp(peer->name, "pinned", 6) &&
		strcmp(peer->name, "hash") && (!is_file || count <= FILES_MAX);
}

int bench_scale(int argc, char **argv)
{
	struct tree tree = { .name = "scale", .count = 1 };
	const struct peer *peer;
	size_t made = 0;
	bool more = true;
	int i;

	need(argc > 1, "usage: scale COUNT...");
	enable("");
	need(make("/scale"), "mkdir");
	enable("/scale");
	tree.fd = open(TOP "/scale", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	need(tree.fd >= 0, "open");
	for (i = 1; i < argc && more; i++) {
		/* the topmost one counts */
		more = grow(&made, strtoul(argv[i], NULL, 10) - 1);
		if (!more)
			printf("case=scale wanted=%s made=%zu reason=%s\n",
			       argv[i], made + 1, strerrorname_np(errno));
		tree.count = made + 1;
		msleep(5000);
		for (peer = peers; peer->name; peer++)
			if (is_wanted(peer, tree.count))
				measure(peer, &tree);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * writers - what it takes to print a large tree with all its keys as JSON, to
 * /dev/null, beside the walk that got them.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "../../write/json.h"
#include "peers.h"

#define ROUNDS	5

static struct out out;

static uint64_t write_json(struct snapshot *snapshot)
{
	uint64_t begin = now();

	need(!json_write(&out, snapshot, "0", "0") && !out_flush(&out), "json");
	return now() - begin;
}

static void measure(const struct peer *peer, const struct tree *tree)
{
	uint64_t walks[ROUNDS], jsons[ROUNDS];
	struct summary walk, json;
	struct reading reading;
	void *state;
	int i;

	state = peer->open(peer, tree);
	snapshot_sort(walk_peer_snapshot(state));
	write_json(walk_peer_snapshot(state));
	for (i = 0; i < ROUNDS; i++) {
		peer->read(state, &reading);
		walks[i] = reading.walk;
		jsons[i] = write_json(walk_peer_snapshot(state));
	}
	peer->close(state);
	walk = summarize(walks, ROUNDS);
	json = summarize(jsons, ROUNDS);
	printf("case=writers cgroups=%zu reader=%s rounds=%d walk_ns=%llu"
	       " json_ns=%llu\n", tree->count, peer->name, ROUNDS,
	       (unsigned long long)walk.least, (unsigned long long)json.least);
	fflush(stdout);
}

int bench_writers(int argc, char **argv)
{
	static const char *const names[] = { "kfunc-all", "raw-all" };
	struct tree tree;
	size_t i;
	int fd;

	(void)argv;
	need(argc == 1, "usage: writers");
	tree_make(&tree, "writers", 10, 3);
	tree_charge(&tree, 1);
	msleep(5000);
	fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	need(fd >= 0, "/dev/null");
	out_open(&out, fd);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (peer_works(peer_find(names[i])))
			measure(peer_find(names[i]), &tree);
	close(fd);
	tree_remove(&tree);
	return 0;
}

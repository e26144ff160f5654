// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * reader TREE - the published comparison of readers of a tree where nothing
 * happens. All have to agree on anon of every cgroup.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define WARM	1
#define ROUNDS	5
#define DEAR	3	/* rounds of a reader that takes seconds */

static const struct {
	const char *name;
	unsigned int fanout, depth, every;
} shapes[] = {
	{ "small", 4, 2, 1 },
	{ "medium", 10, 2, 1 },
	{ "large", 10, 3, 1 },
	{ "large_sparse", 10, 3, 8 },
};

static int by_id(const void *left, const void *right)
{
	const struct anon *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

/* What the first reader says is kept, what the others say compared to it. */
static void check(const struct peer *peer, void *state,
		  const struct tree *tree, struct anon *expected)
{
	struct anon *list = calloc(tree->count, sizeof(*list));
	uint64_t sum = 0;
	size_t i;

	need(list, "memory");
	need(peer->list(state, list, tree->count) == tree->count,
	     "%s does not see all of %s", peer->name, tree->name);
	qsort(list, tree->count, sizeof(*list), by_id);
	if (!expected[0].id)
		memcpy(expected, list, tree->count * sizeof(*list));
	errno = 0;
	for (i = 0; i < tree->count; i++) {
		need(list[i].id == expected[i].id &&
		     list[i].anon == expected[i].anon,
		     "%s: anon of cgroup %llu is %llu, of %llu it is %llu",
		     peer->name, (unsigned long long)list[i].id,
		     (unsigned long long)list[i].anon,
		     (unsigned long long)expected[i].id,
		     (unsigned long long)expected[i].anon);
		sum += list[i].anon;
	}
	need(sum, "%s: no anon at all", peer->name);
	free(list);
}

static void measure(const struct peer *peer, const struct tree *tree,
		    struct anon *expected)
{
	uint64_t walks[ROUNDS], totals[ROUNDS];
	size_t rounds = tree->count > 1000 && !strncmp(peer->name, "file", 4) ?
		DEAR : ROUNDS;
	void *state = peer->open(peer, tree);
	struct summary walk, total;
	struct reading reading;
	size_t i;

	for (i = 0; i < WARM + rounds; i++) {
		peer->read(state, &reading);
		need(reading.cgroups == tree->count, "%s: %llu cgroups of %zu",
		     peer->name, (unsigned long long)reading.cgroups,
		     tree->count);
		if (i < WARM)
			continue;
		walks[i - WARM] = reading.walk;
		totals[i - WARM] = reading.total;
	}
	if (peer->list)
		check(peer, state, tree, expected);
	peer->close(state);
	walk = summarize(walks, rounds);
	total = summarize(totals, rounds);
	printf("case=reader tree=%s cgroups=%zu reader=%s rounds=%zu"
	       " walk_ns=%llu total_ns=%llu total_median_ns=%llu"
	       " cgroup_ns=%.1f\n",
	       tree->name, tree->count, peer->name, rounds,
	       (unsigned long long)walk.least, (unsigned long long)total.least,
	       (unsigned long long)total.median,
	       (double)total.least / (double)tree->count);
	fflush(stdout);
}

int bench_reader(int argc, char **argv)
{
	const struct peer *peer;
	struct anon *expected;
	struct tree tree;
	size_t i = 0;

	need(argc == 2, "usage: reader TREE");
	while (i < sizeof(shapes) / sizeof(*shapes) &&
	       strcmp(shapes[i].name, argv[1]))
		i++;
	need(i < sizeof(shapes) / sizeof(*shapes), "no tree %s", argv[1]);
	tree_make(&tree, argv[1], shapes[i].fanout, shapes[i].depth);
	tree_charge(&tree, shapes[i].every);
	msleep(5000);	/* two periodic flushes */
	expected = calloc(tree.count, sizeof(*expected));
	need(expected, "memory");
	for (peer = peers; peer->name; peer++)
		if (peer_works(peer))
			measure(peer, &tree, expected);
	free(expected);
	tree_remove(&tree);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * churn CASE - the published comparisons of readers of a tree of 1,111 cgroups
 * whose statistics move:
 *
 *   quiet		nobody is busy, for comparison
 *   dense, sparse	a process in one leaf of 4, of 8
 *   narrow, wide	64 leaves, whose process migrates over 1 processor, over
 *			as many as there are, up to 8
 *
 * 50 ms go by before each reading, in narrow and wide after a flush. All are
 * read by one processor that has no churners, in alternating order.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "churners.h"

#define GAP		50	/* ms */
#define SAMPLES		6	/* even, for the order */
#define PEERS_MAX	16

struct churn_case {
	const char *name;
	size_t churners;
	unsigned int cpus;	/* each migrates over; 0: it does not */
};

static const struct churn_case cases[] = {
	{ "quiet", 0, 0 },
	{ "dense", 250, 0 },
	{ "sparse", 125, 0 },
	{ "narrow", 64, 1 },
	{ "wide", 64, 8 },
};

struct column {
	const struct peer *peer;
	void *state;
	uint64_t walks[SAMPLES], totals[SAMPLES];
};

/* Of the whole tree: so that each reading finds the same time's work. */
static void settle(const struct tree *tree)
{
	char text[8192];
	int fd = openat(tree->fd, "memory.stat", O_RDONLY | O_CLOEXEC);

	need(fd >= 0 && read(fd, text, sizeof(text)) > 0, "memory.stat");
	close(fd);
}

static void sample(struct column *column, const struct tree *tree,
		   bool settled, size_t i)
{
	struct reading reading;

	if (settled)
		settle(tree);
	msleep(GAP);
	column->peer->read(column->state, &reading);
	need(reading.cgroups == tree->count, "%s: %llu cgroups of %zu",
	     column->peer->name, (unsigned long long)reading.cgroups,
	     tree->count);
	column->walks[i] = reading.walk;
	column->totals[i] = reading.total;
}

/* What is known of a tree that moves: all of it is seen, and has anon. */
static void check(const struct column *column, const struct tree *tree)
{
	struct anon *list = calloc(tree->count, sizeof(*list));
	uint64_t sum = 0;
	size_t i;

	need(list && column->peer->list(column->state, list, tree->count) ==
	     tree->count, "%s does not see all", column->peer->name);
	for (i = 0; i < tree->count; i++)
		sum += list[i].anon;
	need(sum, "%s: no anon at all", column->peer->name);
	free(list);
}

static size_t open_columns(struct column *columns, const struct tree *tree)
{
	const struct peer *peer;
	size_t count = 0;

	for (peer = peers; peer->name; peer++) {
		if (!peer_works(peer) || !peer->list ||
		    strstr(peer->name, "-all"))
			continue;
		need(count < PEERS_MAX, "too many readers");
		columns[count].peer = peer;
		columns[count++].state = peer->open(peer, tree);
	}
	return count;
}

static void print(struct column *column, const struct churn_case *one,
		  size_t churners, unsigned int cpus)
{
	struct summary walk = summarize(column->walks, SAMPLES);
	struct summary total = summarize(column->totals, SAMPLES);

	printf("case=churn load=%s churners=%zu cpus=%u of=%u reader=%s"
	       " rounds=%d walk_ns=%llu walk_median_ns=%llu total_ns=%llu"
	       " total_median_ns=%llu\n", one->name, churners, cpus,
	       churner_cpus(), column->peer->name, SAMPLES,
	       (unsigned long long)walk.least, (unsigned long long)walk.median,
	       (unsigned long long)total.least,
	       (unsigned long long)total.median);
	fflush(stdout);
}

static void run(const struct churn_case *one, const struct tree *tree)
{
	static struct column columns[PEERS_MAX];
	unsigned int cpus = one->cpus > churner_cpus() ? churner_cpus() :
		one->cpus;
	struct churners churners = { 0 };
	size_t count = open_columns(columns, tree), i, j;

	if (one->churners)
		churners_start(&churners, tree, one->churners, cpus);
	for (i = 0; i < count; i++)	/* warm up */
		sample(&columns[i], tree, cpus, 0);
	for (i = 0; i < SAMPLES; i++)
		for (j = 0; j < count; j++)
			sample(&columns[i % 2 ? count - 1 - j : j], tree, cpus,
			       i);
	for (i = 0; i < count && one->churners; i++)
		check(&columns[i], tree);
	if (one->churners)
		churners_stop(&churners);
	for (i = 0; i < count; i++) {
		columns[i].peer->close(columns[i].state);
		print(&columns[i], one, churners.count, cpus);
	}
}

int bench_churn(int argc, char **argv)
{
	struct tree tree;
	size_t i = 0;

	need(argc == 2, "usage: churn CASE");
	while (i < sizeof(cases) / sizeof(*cases) &&
	       strcmp(cases[i].name, argv[1]))
		i++;
	need(i < sizeof(cases) / sizeof(*cases), "no load %s", argv[1]);
	tree_make(&tree, "churn", 10, 3);
	run(&cases[i], &tree);
	tree_remove(&tree);
	return 0;
}

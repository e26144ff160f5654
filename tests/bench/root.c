// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * root N - the first published comparison: the topmost cgroup alone, read N
 * times. control reads memory.stat by a descriptor that is kept, and looks at
 * nothing; parse is the same with every line parsed, by sscanf() and, as
 * parse-best, by this program's parser. A walk is linked once.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../read/parse.h"
#include "peers.h"

#define ROUNDS	3

struct file {
	int fd;
	char text[8192];
};

static void read_stat(struct file *file)
{
	ssize_t size;

	need(!lseek(file->fd, 0, SEEK_SET), "memory.stat: lseek");
	size = read(file->fd, file->text, sizeof(file->text) - 1);
	need(size > 0, "memory.stat");
	file->text[size] = '\0';
	sink += (uint64_t)size;
}

static void parse(struct file *file)
{
	uint64_t sum = 0;

	read_stat(file);
	parse_published(file->text, &sum);
	sink += sum;
}

static void parse_best(struct file *file)
{
	const char *at = file->text, *end, *key;
	uint64_t sum = 0, value;
	size_t length;

	read_stat(file);
	for (end = at; *end;)
		end++;
	while (parse_line(&at, end, &key, &length, &value) == PARSED_OK)
		sum += value;
	sink += sum;
}

static void print(const char *name, unsigned long n, uint64_t *times)
{
	struct summary summary = summarize(times, ROUNDS);

	printf("case=root reader=%s iterations=%lu rounds=%d total_ns=%llu"
	       " read_ns=%.1f\n", name, n, ROUNDS,
	       (unsigned long long)summary.least,
	       (double)summary.least / (double)n);
	fflush(stdout);
}

static void measure_file(const char *name, void (*action)(struct file *),
			 unsigned long n)
{
	struct file file = { open(TOP "/memory.stat", O_RDONLY), "" };
	uint64_t times[ROUNDS], begin;
	unsigned long i;
	int round;

	need(file.fd >= 0, "memory.stat");
	action(&file);
	for (round = 0; round < ROUNDS; round++) {
		begin = now();
		for (i = 0; i < n; i++)
			action(&file);
		times[round] = now() - begin;
	}
	close(file.fd);
	print(name, n, times);
}

static void measure_walk(const char *name, const char *source,
			 const char *list, const struct tree *tree,
			 unsigned long n)
{
	struct peer peer = *peer_find(source);
	uint64_t times[ROUNDS], begin;
	struct reading reading;
	unsigned long i;
	void *state;
	int round;

	if (!peer_works(&peer))
		return;
	peer.fields = list;
	state = peer.open(&peer, tree);
	peer.read(state, &reading);
	need(reading.cgroups == 1, "there are more cgroups than the topmost");
	for (round = 0; round < ROUNDS; round++) {
		begin = now();
		for (i = 0; i < n; i++)
			peer.read(state, &reading);
		times[round] = now() - begin;
	}
	peer.close(state);
	print(name, n, times);
}

int bench_root(int argc, char **argv)
{
	unsigned long n = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct tree tree;

	need(n, "usage: root N");
	tree_top(&tree);
	measure_file("control", read_stat, n);
	measure_file("parse", parse, n);
	measure_file("parse-best", parse_best, n);
	measure_walk("kfunc", "kfunc", "memory.stat", &tree, n);
	measure_walk("kfunc-anon", "kfunc", "anon", &tree, n);
	measure_walk("raw", "raw", "memory.stat", &tree, n);
	measure_walk("raw-anon", "raw", "anon", &tree, n);
	measure_walk("empty", "empty", NULL, &tree, n);
	return 0;
}

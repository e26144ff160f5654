// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * start, cold - whole processes, from vfork() to their end, with stdout at
 * /dev/null. start: one cgroup, to see what it takes to begin at all, and the
 * program that only tells its version. cold: a tree that grows, all its fields
 * read by the files, as memcgstat chooses by itself, by raw, and by a pin of
 * all fields; libbpf's program reads those of memory.stat.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define ROUNDS		7
#define DEAR		3
#define PROGRAM		"/bin/memcgstat"
#define LIBBPF		"/bin/hash_start"
#define EMPTY		"/bin/empty_start"
#define PIN		"/sys/fs/bpf/memcgstat"

static uint64_t run(char *const *command)
{
	uint64_t begin;
	int status;
	pid_t child;

	begin = now();
	child = vfork();
	if (!child) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execv(command[0], command);
		_exit(127);
	}
	need(child > 0 && waitpid(child, &status, 0) == child, "%s",
	     command[0]);
	need(!status, "%s %s has status %#x", command[0], command[1],
	     (unsigned int)status);
	return now() - begin;
}

struct summary process_measure(char *const *command, size_t rounds)
{
	uint64_t times[ROUNDS_MAX];
	size_t i;

	run(command);
	for (i = 0; i < rounds; i++)
		times[i] = run(command);
	return summarize(times, rounds);
}

static void start(const char *reader, const char *fields,
		  const char *const *command)
{
	struct summary summary =
		process_measure((char *const *)(uintptr_t)command, ROUNDS);

	printf("case=start reader=%s fields=%s rounds=%d total_ns=%llu"
	       " total_median_ns=%llu\n", reader, fields, ROUNDS,
	       (unsigned long long)summary.least,
	       (unsigned long long)summary.median);
	fflush(stdout);
}

static void start_source(const char *source, const char *name,
			 const char *fields)
{
	char option[32];
	const char *command[] = { PROGRAM, option, "--json", "-f", fields,
				  NULL };

	snprintf(option, sizeof(option), "--source=%s", source);
	start(source, name, command);
}

/* The pin that root made of all fields. */
static void pin(const char *option)
{
	const char *command[] = { PROGRAM, option, PIN, NULL };

	pinned_mount();
	run((char *const *)(uintptr_t)command);
}

int bench_start(int argc, char **argv)
{
	static const char *const sources[] = {
		"raw", "kfunc", "file", "pinned"
	};
	static const char *const nothing[] = { PROGRAM, "--version", NULL };
	static const char *const libbpf[] = { LIBBPF, TOP, "1", NULL };
	char id[16];
	const char *empty[] = { EMPTY, id, NULL };
	size_t i;

	(void)argv;
	need(argc == 1, "usage: start");
	pin("--pin");
	for (i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		if (!peer_works(peer_find(sources[i])))
			continue;
		start_source(sources[i], "stat", STAT_FIELDS);
		start_source(sources[i], "all", "all");
		start_source(sources[i], "anon", "anon");
	}
	pin("--unpin");
	if (peer_works(peer_find("hash")))
		start("libbpf", "stat", libbpf);
	snprintf(id, sizeof(id), "%u", empty_target());
	start("empty", "none", empty);
	start("nothing", "none", nothing);
	return 0;
}

static void cold(const struct tree *tree, const char *name,
		 const char *const *command)
{
	struct summary summary =
		process_measure((char *const *)(uintptr_t)command, DEAR);

	printf("case=cold cgroups=%zu reader=%s rounds=%d total_ns=%llu"
	       " total_median_ns=%llu\n", tree->count, name, DEAR,
	       (unsigned long long)summary.least,
	       (unsigned long long)summary.median);
	fflush(stdout);
}

static void cold_source(const struct tree *tree, const char *source)
{
	char option[32];
	const char *command[] = { PROGRAM, option, "--json",
				  tree->nodes[0].path, NULL };

	snprintf(option, sizeof(option), "--source=%s", source);
	cold(tree, source, command);
}

static void cold_libbpf(const struct tree *tree)
{
	char directory[80], count[24];
	const char *command[] = { LIBBPF, directory, count, NULL };

	if (!peer_works(peer_find("hash")))
		return;
	snprintf(directory, sizeof(directory), TOP "%s", tree->nodes[0].path);
	snprintf(count, sizeof(count), "%zu", tree->count);
	cold(tree, "libbpf", command);
}

int bench_cold(int argc, char **argv)
{
	struct tree tree;
	unsigned int depth;

	(void)argv;
	need(argc == 1, "usage: cold");
	for (depth = 0; depth <= 3; depth++) {
		tree_make(&tree, "cold", 10, depth);
		tree_charge(&tree, 1);
		msleep(5000);
		cold_source(&tree, "file");
		cold_source(&tree, "auto");
		cold_source(&tree, "raw");
		pin("--pin");
		cold_source(&tree, "pinned");
		pin("--unpin");
		cold_libbpf(&tree);
		tree_remove(&tree);
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The BPF source: plans what the walk is to copy and ask for, loads it, runs
 * it, and leaves the records where they are: in the map.
 */
#ifndef MEMCGSTAT_WALK_H
#define MEMCGSTAT_WALK_H

#include "../bpf.h"
#include "../steps.h"
#include "plan.h"
#include "selection.h"
#include "snapshot.h"

struct walk_options {
	const struct selection *selection;
	const char *btf;	/* file to read instead of the kernel's; or NULL */
	int cgroup;		/* directory where to start; -1: as bpf_attach() */
	int directory;		/* the same where it is to be read; or -1 */
	const char *path;	/* of the cgroup where to start */
	bool search;		/* cgroup is -1: look for path in the whole walk */
	uint64_t above;		/* see limit_fill() */
	uint32_t depth;		/* deepest level below the start */
	uint64_t count;		/* cgroups that there may be; 0: not known */
	uint64_t capacity;	/* cgroups to have room for; 0: by count */
	bool raw;		/* copy the kernel's counters; else ask kfuncs */
	bool log;		/* keep the verifier's words */
	struct steps *steps;	/* NULL: nobody asks */
};

struct walk_source {
	struct bpf_walk bpf;
	struct bpf_walk peek;		/* of raw, while it is loaded */
	uint32_t flush;			/* enum walk_flush */
	bool stale;			/* nothing could flush: up to 2 s old */
	bool unchecked;			/* see check_walk() */
	bool bad_btf;			/* it could not be read, or is none */
	struct walk_plan plan;
	struct bpf_resolved resolved;
	struct tables tables;		/* of raw */
	char log[1024];			/* the verifier's last words, or empty */
};

/*
 * walk_open - resolve, plan, load and attach
 * @snapshot: its columns are filled in
 *
 * Return: 0 or -errno with a @reason. Free with walk_close() in any case.
 */
int walk_open(struct walk_source *source, struct snapshot *snapshot,
	      const struct walk_options *options, struct reason *reason);

/*
 * walk_read - take one picture
 * @snapshot: its log points into the map until the next walk_read() or
 *	walk_close()
 *
 * Return: 0; -ENODATA where no cgroup has the memory controller; -ENOENT where
 * options->path is not there; or another -errno; with a @reason.
 */
int walk_read(struct walk_source *source, struct snapshot *snapshot,
	      const struct walk_options *options, struct reason *reason);

/*
 * walk_take - have a snapshot of what a walk found
 * @walk: it found all; must stay as long as the snapshot
 * @top: path of the cgroup where the walk began
 * @options: search, path and above count
 *
 * Return: as walk_read().
 */
int walk_take(const struct walk_plan *plan, struct snapshot *snapshot,
	      const struct walk_map *walk, const char *top,
	      const struct walk_options *options, struct reason *reason);

/*
 * Where no flush can be called (6.16 to 6.19): the kernel flushes a subtree
 * before it prints the top's memory.stat. Return: could that be read?
 */
bool walk_flush_by_file(int directory);

void walk_close(struct walk_source *source);

#endif

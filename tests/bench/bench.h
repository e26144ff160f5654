/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the experiments share. A bench that cannot do its part ends with a
 * message and status 1: a figure is printed only of what worked.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOP		"/sys/fs/cgroup"
#define STAT_FIELDS	"memory.stat,memory.current,memory.max"
#define ROUNDS_MAX	64

/* Kept so that no read of a value is left out by the compiler. */
extern volatile uint64_t sink;

uint64_t now(void);	/* ns */
void msleep(unsigned int milliseconds);

/* need - end with a message, and what errno says, unless @ok */
__attribute__((format(printf, 2, 3))) void need(bool ok, const char *format,
						...);

/* The least and the middle one; sorts them. */
struct summary {
	uint64_t least, median;
};

struct summary summarize(uint64_t *values, size_t count);

/*
 * process_measure - whole processes, from vfork() to their end, with stdout at
 * /dev/null; a first one is not counted, as its pages have to be got
 */
struct summary process_measure(char *const *command, size_t rounds);

/* A tree of cgroups, fanout^depth leaves, and what it holds. */
struct node {
	char path[64];		/* below TOP, "/bench/c0/c1" */
	uint64_t id;		/* inode number */
	bool leaf;
};

struct tree {
	const char *name;
	struct node *nodes;	/* in pre-order */
	size_t count, leaves;
	int fd;			/* of the topmost one's directory */
};

#define CHARGE_KIB	256	/* of anonymous memory a charged leaf */

/*
 * tree_make - make cgroups
 * @name: of the topmost one, below TOP, too
 */
void tree_make(struct tree *tree, const char *name, unsigned int fanout,
	       unsigned int depth);

/* Take a tree that consists of TOP alone. */
void tree_top(struct tree *tree);

/*
 * tree_charge - charge one leaf in @every, starting with the first
 *
 * Return: how many. The caller's memory holds it until tree_remove().
 */
size_t tree_charge(struct tree *tree, unsigned int every);

/* Put the calling process into a cgroup. */
void tree_enter(const char *path);

/* Remove all of it, whose processes are gone or have left it. */
void tree_remove(struct tree *tree);

/* One reading of a tree. */
struct reading {
	uint64_t walk;		/* ns, until the kernel's part is done */
	uint64_t total;		/* ns, until each value is read */
	uint64_t cgroups;
};

/* What one reader says of one cgroup. */
struct anon {
	uint64_t id, anon;
};

/* A way to read a tree. One without a list does not read anything. */
struct peer {
	const char *name;
	const char *fields;	/* for our sources */
	void *(*open)(const struct peer *peer, const struct tree *tree);
	void (*read)(void *state, struct reading *reading);
	/* anon of each cgroup as read last; return: how many */
	size_t (*list)(void *state, struct anon *list, size_t size);
	void (*close)(void *state);
};

/* The columns of the tables, in order; the last one has no name. */
extern const struct peer peers[];

const struct peer *peer_find(const char *name);

/* The type that the iterator of an empty program runs for. */
uint32_t empty_target(void);

/* Mount the BPF file system where pins are, once. */
void pinned_mount(void);

/* Does the running kernel offer what a peer needs? */
bool peer_works(const struct peer *peer);

/* One for each experiment; @argv begins with its name. */
int bench_root(int argc, char **argv);
int bench_reader(int argc, char **argv);
int bench_start(int argc, char **argv);
int bench_cold(int argc, char **argv);
int bench_writers(int argc, char **argv);
int bench_scale(int argc, char **argv);
int bench_allocinfo(int argc, char **argv);
int bench_churn(int argc, char **argv);

#endif

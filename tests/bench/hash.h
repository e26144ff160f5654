/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* hash.bpf.c loaded by libbpf, and how its map is drained. */
#ifndef BENCH_HASH_H
#define BENCH_HASH_H

#include <stdint.h>

#include "items.h"

struct bpf_link;
struct bpf_object;

struct hash {
	struct bpf_object *object;
	struct bpf_link *link;
	int map;
};

/* Load and attach for a tree of @count cgroups below @cgroup, a directory. */
int hash_open(struct hash *hash, int cgroup, uint32_t count);

/* Fill the map: read the iterator to its end. */
int hash_walk(const struct hash *hash);

/* The value that comes after a cgroup's; NULL: the first. Return: 0 if any. */
int hash_next(const struct hash *hash, const struct hash_value *after,
	      struct hash_value *value);

void hash_close(struct hash *hash);

#endif

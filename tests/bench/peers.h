/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The functions behind each struct peer; what they do is told in bench.h. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "../../bpf.h"
#include "../../read/snapshot.h"
#include "bench.h"

/* As published: open, read, parse by sscanf() three files of each path. */
void *file_peer_open(const struct peer *peer, const struct tree *tree);
void file_peer_read(void *state, struct reading *reading);
size_t file_peer_list(void *state, struct anon *list, size_t size);
void file_peer_close(void *state);

/* Parse a memory.stat as that one does. Return: anon; adds to @sum. */
uint64_t parse_published(char *text, uint64_t *sum);

/* As published: hash.bpf.c and libbpf. */
void *hash_peer_open(const struct peer *peer, const struct tree *tree);
void hash_peer_read(void *state, struct reading *reading);
size_t hash_peer_list(void *state, struct anon *list, size_t size);
void hash_peer_close(void *state);

/* This program's files. */
void *files_peer_open(const struct peer *peer, const struct tree *tree);
void files_peer_read(void *state, struct reading *reading);
size_t files_peer_list(void *state, struct anon *list, size_t size);
void files_peer_close(void *state);

/* This program's walks: raw and kfunc. */
void *walk_peer_open(const struct peer *peer, const struct tree *tree);
void walk_peer_read(void *state, struct reading *reading);
size_t walk_peer_list(void *state, struct anon *list, size_t size);
void walk_peer_close(void *state);

/* This program's pin of raw; closing it removes it. */
void *pinned_peer_open(const struct peer *peer, const struct tree *tree);
void pinned_peer_read(void *state, struct reading *reading);
size_t pinned_peer_list(void *state, struct anon *list, size_t size);
void pinned_peer_close(void *state);

/* A program that does nothing. */
extern const struct bpf_object empty_object;

/* A walk by it, which reads nothing: it has no list. */
void *empty_peer_open(const struct peer *peer, const struct tree *tree);
void empty_peer_read(void *state, struct reading *reading);
void empty_peer_close(void *state);

/* The anon of each record of a snapshot that has that field. */
size_t list_anon(const struct snapshot *snapshot, struct anon *list,
		 size_t size);

/* What a walk left behind; for writers. */
struct snapshot *walk_peer_snapshot(void *state);

/* Get out every value of every record. Return: records. */
uint64_t decode(const struct snapshot *snapshot);

#endif

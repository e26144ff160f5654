// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The published BPF reader. */
#include <stdlib.h>

#include "hash.h"
#include "peers.h"

struct state {
	struct hash hash;
	struct hash_value *values;	/* drained last */
	size_t size, count;
};

void *hash_peer_open(const struct peer *peer, const struct tree *tree)
{
	struct state *state = calloc(1, sizeof(*state));
	int err;

	(void)peer;
	need(state, "memory");
	state->size = tree->count + 8;
	state->values = calloc(state->size, sizeof(*state->values));
	need(state->values, "memory");
	err = hash_open(&state->hash, tree->fd, (uint32_t)tree->count);
	need(!err, "hash: libbpf says %d", err);
	return state;
}

static void use_values(const struct hash_value *value)
{
	uint64_t sum = value->usage + value->max;
	int i;

	for (i = 0; i < AT_COUNT; i++)
		sum += value->items[i];
	sink += sum;
}

void hash_peer_read(void *of, struct reading *reading)
{
	struct state *state = of;
	const struct hash_value *last = NULL;
	uint64_t begin = now();
	size_t count = 0;

	need(!hash_walk(&state->hash), "hash: walk");
	reading->walk = now() - begin;
	while (count < state->size &&
	       !hash_next(&state->hash, last, &state->values[count])) {
		last = &state->values[count++];
		use_values(last);
	}
	reading->total = now() - begin;
	reading->cgroups = state->count = count;
}

size_t hash_peer_list(void *of, struct anon *list, size_t size)
{
	struct state *state = of;
	size_t i;

	need(size >= state->count, "more cgroups than there are");
	for (i = 0; i < state->count; i++)
		list[i] = (struct anon){ state->values[i].id,
			state->values[i].items[AT_NR_ANON_MAPPED] };
	return state->count;
}

void hash_peer_close(void *of)
{
	struct state *state = of;

	hash_close(&state->hash);
	free(state->values);
	free(state);
}

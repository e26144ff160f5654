// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A walk whose program does nothing: what the kernel's cgroup iterator costs by
 * itself, and so the least that any reader by it can cost.
 */
#include <stdlib.h>

#include "../../bpf.h"
#include "peers.h"

struct state {
	struct bpf_walk walk;
	uint64_t cgroups;
};

static const uint8_t code[] = {
	0x01, 0xb7,		/* r0 = 0 */
	0x01, 0x95,		/* exit */
};

static const struct bpf_part parts[] = { { 0, 0 } };

const struct bpf_object empty_object = {
	.code = code,
	.parts = parts,
	.part_count = 1,
	.code_count = 2,
	.symbols = "",
};

uint32_t empty_target(void)
{
	static struct bpf_resolved resolved;
	struct reason reason;
	struct bpf_btf btf;

	need(!bpf_btf_open(&btf, NULL, &reason) &&
	     !bpf_resolve(&resolved, &empty_object, &btf.btf,
			  "bpf_iter_cgroup", &reason), "%s", reason.text);
	bpf_btf_close(&btf);
	return resolved.target;
}

void *empty_peer_open(const struct peer *peer, const struct tree *tree)
{
	static struct bpf_resolved resolved;
	struct state *state = calloc(1, sizeof(*state));
	struct reason reason;

	(void)peer;
	need(state, "memory");
	state->cgroups = tree->count;
	resolved.target = empty_target();
	need(!bpf_load(&state->walk, &empty_object, &resolved, 4096, NULL, 0,
		       &reason) &&
	     !bpf_attach(&state->walk, tree->fd, false, &reason), "%s",
	     reason.text);
	return state;
}

void empty_peer_read(void *of, struct reading *reading)
{
	struct state *state = of;
	struct reason reason;
	uint64_t begin = now();

	need(!bpf_walk_run(&state->walk, &reason), "%s", reason.text);
	reading->walk = reading->total = now() - begin;
	reading->cgroups = state->cgroups;	/* it counts none */
}

void empty_peer_close(void *of)
{
	struct state *state = of;

	bpf_unload(&state->walk);
	free(state);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* This program's pin: made by raw once, and read as a process without rights. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include "../../read/pin.h"
#include "peers.h"

#define PLACE	"/sys/fs/bpf"

struct state {
	struct pin pin;
	struct snapshot snapshot;
	struct selection selection;
	struct walk_options options;
	char directory[64];
};

void pinned_mount(void)
{
	static bool mounted;

	need(mounted || !mount("bpf", PLACE, "bpf", 0, NULL), PLACE);
	mounted = true;
}

/* With the room that --pin gives it (command/pin.c). */
static void make(struct state *state, const struct peer *peer, size_t count)
{
	struct walk_options options = state->options;
	struct pin_options pin = {
		.directory = state->directory, .fields = peer->fields,
		.mode = 0444, .group = UINT64_MAX,
	};
	static struct snapshot snapshot;	/* large */
	static struct walk_source source;
	struct reason reason;

	snapshot = (struct snapshot){ .page_size = state->snapshot.page_size };
	options.capacity = count + count / 2 + 32;
	need(!walk_open(&source, &snapshot, &options, &reason) &&
	     !walk_read(&source, &snapshot, &options, &reason) &&
	     !pin_make(&source, &snapshot, &options, &pin, &reason), "%s",
	     reason.text);
	walk_close(&source);
}

void *pinned_peer_open(const struct peer *peer, const struct tree *tree)
{
	struct state *state = calloc(1, sizeof(*state));
	struct reason reason;

	need(state, "memory");
	pinned_mount();
	snprintf(state->directory, sizeof(state->directory), PLACE "/%s",
		 peer->name);
	need(!selection_parse(&state->selection, peer->fields, false, &reason),
	     "%s", reason.text);
	state->snapshot.page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	state->options = (struct walk_options){
		.selection = &state->selection, .cgroup = tree->fd,
		.directory = tree->fd, .path = "/", .depth = UINT32_MAX,
		.raw = true, .above = VALUE_NO_LIMIT,
	};
	make(state, peer, tree->count);
	need(!pin_open(&state->pin, state->directory, &state->snapshot,
		       &state->selection, &reason), "%s", reason.text);
	return state;
}

void pinned_peer_read(void *of, struct reading *reading)
{
	struct state *state = of;
	struct reason reason;
	uint64_t begin = now();

	need(!pin_read(&state->pin, &state->snapshot, &state->options,
		       &reason), "%s", reason.text);
	reading->walk = now() - begin;
	reading->cgroups = decode(&state->snapshot);
	reading->total = now() - begin;
}

size_t pinned_peer_list(void *of, struct anon *list, size_t size)
{
	struct state *state = of;

	return list_anon(&state->snapshot, list, size);
}

void pinned_peer_close(void *of)
{
	struct state *state = of;
	struct reason reason;

	pin_close(&state->pin);
	need(!pin_remove(state->directory, &reason), "%s", reason.text);
	selection_free(&state->selection);
	free(state);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* This program's sources, as read/reader.c uses them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../read/check.h"
#include "../../read/files.h"
#include "peers.h"

struct walk_state {
	struct walk_source source;
	struct snapshot snapshot;
	struct selection selection;
	struct walk_options options;
};

struct files_state {
	struct files_source source;
	struct snapshot snapshot;
	struct selection selection;
	struct hierarchy hierarchy;
};

static void select_fields(struct selection *selection, const char *list)
{
	struct reason reason;

	need(!selection_parse(selection, list, false, &reason), "%s",
	     reason.text);
}

uint64_t decode(const struct snapshot *snapshot)
{
	static uint64_t values[COLUMNS_MAX];
	const char *at = snapshot->log, *end = at + snapshot->log_used;
	uint64_t sum = 0, count = 0;
	size_t i;

	for (; at < end; at += record_size((const void *)at)) {
		snapshot_values(snapshot, (const void *)at, values);
#pragma GCC unroll 8
		for (i = 0; i < snapshot->column_count; i++)
			sum += values[i];
		count++;
	}
	sink += sum;
	return count;
}

size_t list_anon(const struct snapshot *snapshot, struct anon *list,
		 size_t size)
{
	static uint64_t values[COLUMNS_MAX];
	const char *at = snapshot->log, *end = at + snapshot->log_used;
	int anon = snapshot_find(snapshot, "memory.stat", "anon", 4);
	size_t count = 0;

	need(anon >= 0, "%s has no anon", snapshot->source);
	for (; at < end; at += record_size((const void *)at)) {
		const struct record *record = (const void *)at;

		need(count < size, "more cgroups than there are");
		snapshot_values(snapshot, record, values);
		list[count++] = (struct anon){ record->id, values[anon] };
	}
	return count;
}

void *walk_peer_open(const struct peer *peer, const struct tree *tree)
{
	struct walk_state *state = calloc(1, sizeof(*state));
	struct reason reason;

	need(state, "memory");
	select_fields(&state->selection, peer->fields);
	state->snapshot.page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	state->options = (struct walk_options){
		.selection = &state->selection, .cgroup = tree->fd,
		.directory = tree->fd, .path = "/", .depth = UINT32_MAX,
		.raw = peer->name[0] == 'r',
	};
	need(!walk_open(&state->source, &state->snapshot, &state->options,
			&reason) &&
	     !walk_read(&state->source, &state->snapshot, &state->options,
			&reason) &&
	     !check_walk(&state->source, &state->snapshot, &state->options,
			 &reason), "%s: %s", peer->name, reason.text);
	return state;
}

void walk_peer_read(void *of, struct reading *reading)
{
	struct walk_state *state = of;
	struct reason reason;
	uint64_t begin = now();

	need(!walk_read(&state->source, &state->snapshot, &state->options,
			&reason), "%s", reason.text);
	reading->walk = now() - begin;
	reading->cgroups = decode(&state->snapshot);
	reading->total = now() - begin;
}

size_t walk_peer_list(void *of, struct anon *list, size_t size)
{
	struct walk_state *state = of;

	return list_anon(&state->snapshot, list, size);
}

struct snapshot *walk_peer_snapshot(void *of)
{
	struct walk_state *state = of;

	return &state->snapshot;
}

void walk_peer_close(void *of)
{
	struct walk_state *state = of;

	walk_close(&state->source);
	selection_free(&state->selection);
	free(state);
}

void *files_peer_open(const struct peer *peer, const struct tree *tree)
{
	struct files_state *state = calloc(1, sizeof(*state));

	need(state, "memory");
	select_fields(&state->selection, peer->fields);
	state->snapshot.page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	state->hierarchy.version = 2;
	state->hierarchy.fd = tree->fd;
	strcpy(state->hierarchy.path, "/");
	files_open(&state->source, &state->snapshot, &state->hierarchy,
		   &state->selection, UINT32_MAX, VALUE_NO_LIMIT);
	return state;
}

void files_peer_read(void *of, struct reading *reading)
{
	struct files_state *state = of;
	struct reason reason;
	uint64_t begin = now();

	need(!files_read(&state->source, &reason) &&
	     !state->snapshot.unreadable, "files: %s", reason.text);
	reading->walk = now() - begin;
	reading->cgroups = decode(&state->snapshot);
	reading->total = now() - begin;
}

size_t files_peer_list(void *of, struct anon *list, size_t size)
{
	struct files_state *state = of;

	return list_anon(&state->snapshot, list, size);
}

void files_peer_close(void *of)
{
	struct files_state *state = of;

	files_close(&state->source);
	selection_free(&state->selection);
	free(state);
}

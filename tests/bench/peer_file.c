// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The published reader of files: for each cgroup, whose path it knows, it
 * opens, reads and parses three files; memory.stat line by line, by sscanf().
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peers.h"

struct state {
	const struct tree *tree;
	struct anon *anons;
};

void *file_peer_open(const struct peer *peer, const struct tree *tree)
{
	struct state *state = calloc(1, sizeof(*state));

	(void)peer;
	need(state, "memory");
	state->tree = tree;
	state->anons = calloc(tree->count, sizeof(*state->anons));
	need(state->anons, "memory");
	return state;
}

static void read_file(char *text, size_t size, const char *path,
		      const char *name)
{
	char file[128];
	ssize_t length;
	int fd;

	snprintf(file, sizeof(file), TOP "%s/%s", path, name);
	fd = open(file, O_RDONLY);
	need(fd >= 0, "%s", file);
	length = read(fd, text, size - 1);
	need(length > 0, "%s", file);
	text[length] = '\0';
	close(fd);
}

uint64_t parse_published(char *text, uint64_t *sum)
{
	unsigned long long value;
	uint64_t anon = 0;
	char key[64], *rest, *line;

	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "%63s %llu", key, &value) != 2)
			continue;
		*sum += value;
		if (!strcmp(key, "anon"))
			anon = value;
	}
	return anon;
}

/* memory.current and memory.max: the top of all has neither. */
static uint64_t read_numbers(const char *path)
{
	char text[8192];
	uint64_t sum;

	if (!*path)
		return 0;
	read_file(text, sizeof(text), path, "memory.current");
	sum = strtoull(text, NULL, 10);
	read_file(text, sizeof(text), path, "memory.max");
	if (strncmp(text, "max", 3))
		sum += strtoull(text, NULL, 10);
	return sum;
}

void file_peer_read(void *of, struct reading *reading)
{
	struct state *state = of;
	const struct tree *tree = state->tree;
	uint64_t begin = now(), sum = 0;
	char text[8192];
	size_t i;

	for (i = 0; i < tree->count; i++) {
		const struct node *node = &tree->nodes[i];

		read_file(text, sizeof(text), node->path, "memory.stat");
		state->anons[i].id = node->id;
		state->anons[i].anon = parse_published(text, &sum);
		sum += read_numbers(node->path);
	}
	sink += sum;
	reading->walk = reading->total = now() - begin;
	reading->cgroups = tree->count;
}

size_t file_peer_list(void *of, struct anon *list, size_t size)
{
	struct state *state = of;

	need(size >= state->tree->count, "more cgroups than there are");
	memcpy(list, state->anons, state->tree->count * sizeof(*list));
	return state->tree->count;
}

void file_peer_close(void *of)
{
	struct state *state = of;

	free(state->anons);
	free(state);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "peers.h"

#define FILE_PEER(name) \
	{ name, NULL, file_peer_open, file_peer_read, file_peer_list, \
	  file_peer_close }
#define HASH_PEER(name) \
	{ name, NULL, hash_peer_open, hash_peer_read, hash_peer_list, \
	  hash_peer_close }
#define OUR_FILES(name, fields) \
	{ name, fields, files_peer_open, files_peer_read, files_peer_list, \
	  files_peer_close }
#define WALK(name, fields) \
	{ name, fields, walk_peer_open, walk_peer_read, walk_peer_list, \
	  walk_peer_close }
#define PINNED(name, fields) \
	{ name, fields, pinned_peer_open, pinned_peer_read, pinned_peer_list, \
	  pinned_peer_close }

const struct peer peers[] = {
	FILE_PEER("file"),
	OUR_FILES("file-best", STAT_FIELDS),
	OUR_FILES("file-best-all", "all"),
	HASH_PEER("hash"),
	WALK("kfunc", STAT_FIELDS),
	WALK("kfunc-all", "all"),
	WALK("raw", STAT_FIELDS),
	WALK("raw-all", "all"),
	PINNED("pinned", STAT_FIELDS),
	PINNED("pinned-all", "all"),
	{ "empty", NULL, empty_peer_open, empty_peer_read, NULL,
	  empty_peer_close },
	{ 0 }
};

const struct peer *peer_find(const char *name)
{
	const struct peer *peer;

	for (peer = peers; peer->name; peer++)
		if (!strcmp(peer->name, name))
			return peer;
	need(false, "no reader %s", name);
	return NULL;
}

/* The functions for BPF that hash and kfunc ask are there since 7.0. */
bool peer_works(const struct peer *peer)
{
	const char *series = getenv("series");

	return atoi(series ? series : "7") >= 7 ||
		(strncmp(peer->name, "hash", 4) &&
		 strncmp(peer->name, "kfunc", 5));
}

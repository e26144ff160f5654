// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../fd.h"
#include "buffer.h"
#include "limit.h"
#include "parse.h"

static const char limit[] = "limit";

int limit_column(struct snapshot *snapshot, const struct selection *selection,
		 unsigned int version, uint32_t offset)
{
	int column;
	size_t i;

	if (!selection_wants(selection, limit, NULL))
		return 0;
	for (i = 0; fields[i].from != FROM_LEAST ||
	     !(fields[i].version & version); i++)
		;
	column = snapshot_column(snapshot, limit, NULL, &fields[i],
				 selection_has(selection, limit, NULL));
	if (column < 0)
		return column;
	snapshot->columns[column].slot.kind = SLOT_VALUE;
	snapshot->columns[column].slot.offset = (uint16_t)offset;
	return 1;
}

uint64_t limit_above(const struct hierarchy *hierarchy,
		     const struct selection *selection, struct reason *reason)
{
	static const char up[] = "../", name[] = "memory.max";
	uint64_t least = VALUE_NO_LIMIT, value;
	char path[PATH_SIZE], text[32];
	char *at = path + sizeof(path) - sizeof(name);
	uint32_t levels = hierarchy->levels;
	ssize_t got;

	/* v1's own numbers tell of those above */
	if (hierarchy->fd < 0 || hierarchy->version == 1 ||
	    !selection_wants(selection, limit, NULL))
		return VALUE_NO_LIMIT;
	memcpy(at, name, sizeof(name));
	for (; levels; levels--) {
		got = -ENAMETOOLONG;
		if (at - path >= 3) {
			at -= 3;
			memcpy(at, up, 3);
			got = fd_read(hierarchy->fd, at, text, sizeof(text));
		}
		if (got == -ENOENT)	/* the root has none */
			continue;
		if (got >= 0 && parse_value(text, text + got, &value))
			got = -EINVAL;
		if (got < 0) {
			reason_set(reason, 0, "the limits above %.*s cannot be"
				   " read: %s: %s", 200, hierarchy->path, at,
				   error_text((int)got));
			return VALUE_ABSENT;
		}
		if (value < least)
			least = value;
	}
	return least;
}

int limit_fill(const struct snapshot *snapshot, uint64_t above)
{
	int column = snapshot_find(snapshot, limit, NULL, 0), own;
	struct buffer buffer = { 0 };	/* limits by level below the first */
	char *log = (char *)snapshot->log;	/* its owner's to change */
	const char *name;
	size_t offset = 0;
	uint32_t first = 0;

	if (column < 0)
		return 0;
	name = field_symbol(snapshot->columns[column].field);
	own = snapshot_find_name(snapshot, name, strlen(name));
	while (offset < snapshot->log_used) {
		struct record *record = (void *)(log + offset);
		uint64_t least = above, value = VALUE_NO_LIMIT, *limits;
		uint32_t below;

		if (!offset)
			first = record->level;
		below = record->level - first;
		buffer.used = below * sizeof(*limits);
		limits = buffer_reserve(&buffer, sizeof(*limits));
		if (!limits) {
			buffer_free(&buffer);
			return -ENOMEM;
		}
		if (below)
			least = limits[-1];
		if (own >= 0)
			value = snapshot_value(snapshot, record, (size_t)own);
		/* what is no number is more than any */
		if (above != VALUE_ABSENT && value < least)
			least = value;
		*limits = least;
		memcpy(record->data + snapshot->columns[column].slot.offset,
		       &least, sizeof(least));
		offset += record_size(record);
	}
	buffer_free(&buffer);
	return 0;
}

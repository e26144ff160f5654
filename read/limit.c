// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

/* Return: 0 or -errno; -ENOENT where the cgroup has no such file. */
static int read_limit(int directory, const char *path, uint64_t *value)
{
	int fd = fd_high(openat(directory, path, O_RDONLY | O_CLOEXEC));
	char text[32];
	ssize_t got;

	if (fd < 0)
		return fd;
	got = read(fd, text, sizeof(text));
	if (got < 0)
		got = -errno;
	close(fd);
	if (got < 0)
		return (int)got;
	return parse_value(text, text + got, value) ? -EINVAL : 0;
}

uint64_t limit_above(const struct hierarchy *hierarchy,
		     const struct selection *selection, struct reason *reason)
{
	static const char name[] = "memory.max";
	uint64_t least = VALUE_NO_LIMIT, value;
	char path[PATH_SIZE], *at = path;
	uint32_t i;
	int err;

	/* v1's own numbers tell of those above */
	if (hierarchy->fd < 0 || hierarchy->version == 1 ||
	    !selection_wants(selection, limit, NULL))
		return VALUE_NO_LIMIT;
	for (i = 0; i < hierarchy->levels; i++) {
		err = -ENAMETOOLONG;
		if (at + 3 + sizeof(name) <= path + sizeof(path)) {
			memcpy(at, "../", 3);
			at += 3;
			memcpy(at, name, sizeof(name));
			err = read_limit(hierarchy->fd, path, &value);
		}
		if (err == -ENOENT)	/* the root has none */
			continue;
		if (err) {
			reason_set(reason, err, "the limits above %.*s cannot"
				   " be read: %s: %s", 200, hierarchy->path,
				   path, error_text(err));
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
	const struct field *field;
	size_t offset = 0;
	uint32_t first = 0;

	if (column < 0)
		return 0;
	field = snapshot->columns[column].field;
	own = snapshot_find_name(snapshot, field->symbol,
				 strlen(field->symbol));
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

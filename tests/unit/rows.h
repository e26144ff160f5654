/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A snapshot that is made row by row; capture.h adds the columns before. */
#ifndef MEMCGSTAT_ROWS_H
#define MEMCGSTAT_ROWS_H

#include <stdlib.h>
#include <string.h>

#include "../../read/snapshot.h"

#define ROWS_SIZE	(4 << 20)

static struct snapshot snapshot;
static char rows_log[ROWS_SIZE];

static inline void begin_rows(void)
{
	memset(&snapshot, 0, sizeof(snapshot));
	snapshot.source = "file";
	snapshot.path = "/";
	snapshot.depth = 9;
	snapshot.page_size = 4096;
	snapshot.log = rows_log;
}

/* @name: empty for the first, else below it; @values: by column */
static inline void add_row(uint64_t id, const char *name,
			   const uint64_t *values)
{
	struct record *record = (void *)(rows_log + snapshot.log_used);
	size_t length = strlen(name) + 1;

	record->id = id;
	record->level = *name ? 1 : 0;
	record->data_length = (uint16_t)(snapshot.column_count * 8);
	record->name_length = (uint16_t)length;
	if (snapshot.log_used + record_size(record) > ROWS_SIZE)
		abort();
	memcpy(record->data, values, record->data_length);
	memcpy(record->data + record->data_length, name, length);
	snapshot.log_used += record_size(record);
}

#endif

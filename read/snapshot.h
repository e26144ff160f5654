/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One picture of a tree of cgroups: columns, which say what was read, and a
 * log of records (prog/record.h) in pre-order, which hold it. A BPF source
 * leaves the records as the kernel wrote them; a column's slot says how a
 * value is got out. Who prints a snapshot need not know who filled it.
 */
#ifndef MEMCGSTAT_SNAPSHOT_H
#define MEMCGSTAT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "../prog/record.h"
#include "buffer.h"
#include "fields.h"

/* A value is a number, or one of two states that are not numbers. */
#define VALUE_ABSENT	UINT64_MAX		/* not here */
#define VALUE_NO_LIMIT	(UINT64_MAX - 1)	/* "max" */

#define PARTS_MAX	4	/* of a sum */
#define COLUMNS_MAX	512

/* How a value lies in a record's data. */
enum slot_kind {
	SLOT_NONE,	/* nowhere */
	SLOT_VALUE,	/* 64 bits, as values are above */
	SLOT_LIMIT,	/* 64 bits, in pages; PAGE_COUNTER_MAX is no limit */
	SLOT_STATE,	/* 64 bits, in units; below 0 it reads as 0 */
	SLOT_INT,	/* 32 bits */
	SLOT_BYTE,	/* 8 bits */
	SLOT_SUM,	/* of parts */
	SLOT_DIFFERENCE,	/* of two parts */
	SLOT_KINDS
};

struct slot {
	uint8_t kind;		/* enum slot_kind */
	uint8_t not_on_root;	/* if not 0, absent in a record of level 0 */
	uint16_t offset;	/* bytes */
	uint32_t unit;		/* of SLOT_LIMIT and SLOT_STATE, bytes: a power
				   of 2 */
	uint16_t parts[PARTS_MAX];	/* columns before this one, plus 1 */
};

struct column {
	const char *file;
	const char *key;	/* NULL: the file's number */
	const struct field *field;	/* NULL: the list does not know it */
	struct slot slot;
	bool shown;		/* asked for, not only needed for another */
	bool is_rate;		/* thousandths a second */
};

/* What stands for a record's name where a snapshot has paths of its own. */
struct path_span {
	uint64_t offset, length;	/* in snapshot.paths, bytes */
};

/* Columns side by side whose values lie side by side, too. */
struct run {
	uint8_t kind;		/* enum slot_kind */
	uint8_t shift;		/* of SLOT_LIMIT and SLOT_STATE: the unit, log2 */
	uint16_t column, offset;	/* of the first */
	uint16_t count;
};

/* What --fields asks for; see selection.h. */
struct selection;

/* In this and other structs arrays are last: what is near is quick to reach. */
struct snapshot {
	const char *source;
	struct timespec time;	/* CLOCK_REALTIME */
	uint64_t clock;		/* CLOCK_MONOTONIC, nanoseconds */
	uint64_t rate_time;	/* that rates are over, nanoseconds; or 0 */
	size_t column_count;
	size_t run_count, states_begin, states_end;	/* of SLOT_STATE */
	uint32_t states_length;	/* of data that has all of these, bytes */
	const void *log;
	size_t log_used;	/* bytes */
	const char *path;	/* of the first record */
	const char *paths;	/* NULL: made from names, records in pre-order */
	uint32_t depth;		/* deepest level below the first to show */
	uint64_t page_size;	/* bytes */
	/* What a person may want to know under -v. */
	uint64_t skipped_lines;	/* that were no key and number */
	uint64_t negative;	/* values below 0, read as 0 */
	uint64_t unreadable;	/* files and directories */
	uint16_t order[COLUMNS_MAX];	/* columns as they are to be printed */
	struct run runs[COLUMNS_MAX];	/* all columns, kind by kind */
	struct column columns[COLUMNS_MAX];
};

/*
 * snapshot_column - add a column
 * @file, @key: kept, not copied
 *
 * Return: the column's index, or -ENOSPC.
 */
int snapshot_column(struct snapshot *snapshot, const char *file,
		    const char *key, const struct field *field, bool shown);

/* The index of a column, or -ENOENT; @key as in field_find(). */
int snapshot_find(const struct snapshot *snapshot, const char *file,
		  const char *key, size_t key_length);

/* The same of a full name, "file" or "file.key". */
int snapshot_find_name(const struct snapshot *snapshot, const char *name,
		       size_t length);

/*
 * snapshot_derive - add the columns that are made of others, as far as they are
 * asked for and their parts are there
 * @from: FROM_SUM or FROM_DIFFERENCE; see limit.h for the other
 *
 * Return: 0 or -ENOSPC.
 */
int snapshot_derive(struct snapshot *snapshot,
		    const struct selection *selection, enum field_from from,
		    unsigned int version);

/*
 * snapshot_prepare - after slots changed, have the next snapshot_values() heed it
 */
void snapshot_prepare(struct snapshot *snapshot);

/* Fill in order: as the list of fields has them, file by file; and prepare. */
void snapshot_sort(struct snapshot *snapshot);

/* The value of one column in a record. */
uint64_t snapshot_value(const struct snapshot *snapshot,
			const struct record *record, size_t column);

/* All values of a record, by column: quicker than one by one. */
void snapshot_values(const struct snapshot *snapshot,
		     const struct record *record, uint64_t *values);

/*
 * snapshot_states - the same of SLOT_STATE alone: most of what a walk costs
 * outside the kernel
 *
 * Return: false where some are below 0 or the record lacks one: then the values
 * are of no use.
 */
bool snapshot_states(const struct snapshot *snapshot,
		     const struct record *record, uint64_t *values);

/*
 * Statistics below 0 in records as the kernel wrote them, which read as 0: the
 * kernel has some for a moment, or by a fault in its accounting.
 */
uint64_t snapshot_negative(const struct snapshot *snapshot);

/* Note the time: values are read from now on. */
void snapshot_stamp(struct snapshot *snapshot);

/* Was it asked for, and may some cgroup have it? */
static inline bool column_is_printed(const struct column *column)
{
	return column->shown && column->slot.kind != SLOT_NONE;
}

/*
 * Is it a key that the list of fields should have? Those of subsystems in
 * cgroup.stat come and go with the kernel's configuration.
 */
bool column_is_unknown(const struct column *column);

/* The bytes that a record takes in the log. */
size_t record_size(const struct record *record);

/* Goes through a snapshot's records and builds their paths. */
struct rows {
	const struct snapshot *snapshot;
	const struct record *record;	/* the present one */
	size_t offset;			/* of the next */
	struct buffer path;		/* of the present one; not terminated */
	struct buffer ends;		/* path lengths by level below the first */
	uint32_t first_level;
};

/*
 * rows_begin, rows_next, rows_end - for every record:
 *
 *	rows_begin(&rows, snapshot);
 *	while ((err = rows_next(&rows)) > 0)
 *		... rows.record, rows.path
 *	rows_end(&rows);
 *
 * rows_next() returns 1, 0 past the last record, or -ENOMEM.
 */
void rows_begin(struct rows *rows, const struct snapshot *snapshot);
int rows_next(struct rows *rows);
void rows_end(struct rows *rows);

#endif

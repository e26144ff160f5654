/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The one list of statistics: field_list.h is the only place that names any. To
 * add one is to add a line there.
 */
#ifndef MEMCGSTAT_FIELDS_H
#define MEMCGSTAT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where a BPF source finds a field; its file has it in any case. From FROM_SUM
 * on: what it is derived from; the file source derives the last two.
 */
enum field_from {
	FROM_FILE,	/* only there */
	FROM_STAT,	/* an item of memcg->vmstats: page state or event */
	FROM_EVENT,	/* an element of memcg->memory_events */
	FROM_EVENT_LOCAL,	/* of memcg->memory_events_local */
	FROM_PAGES,	/* a member of struct mem_cgroup, long, in pages */
	FROM_LIMIT,	/* the same; PAGE_COUNTER_MAX means no limit */
	FROM_BOOL,	/* a member of struct mem_cgroup, bool */
	FROM_CGROUP,	/* a member of struct cgroup, int */
	FROM_SUM,	/* the sum of other fields */
	FROM_DIFFERENCE,	/* the first minus the second, not below 0 */
	FROM_LEAST,	/* of another, in the cgroup and all above: limit.h */
};

enum field_unit {
	UNIT_BYTES,
	UNIT_PAGES,
	UNIT_NUMBER,
};

enum field_type {
	TYPE_GAUGE,
	TYPE_COUNTER,	/* only rises */
	TYPE_LIMIT,	/* a gauge that may be "max" */
};

/* Files and keys of which cgroup version. */
#define FIELD_V1	1
#define FIELD_V2	2

/* The configuration under which a kernel has a field at all. */
enum field_needs {
	NEEDS_NOTHING,	/* that symbol is there tells */
	NEEDS_ZSWAP,	/* CONFIG_ZSWAP */
	NEEDS_SWAP,	/* CONFIG_SWAP */
	NEEDS_THP,	/* CONFIG_TRANSPARENT_HUGEPAGE */
	NEEDS_HUGETLB,	/* the mount option memory_hugetlb_accounting */
};

/* Small, since there are many. */
struct field {
	uint16_t text;		/* where its name and its symbol are */
	uint16_t file : 3;	/* see field_file() and field_key() */
	uint16_t version : 2;	/* FIELD_V1, FIELD_V2 */
	uint16_t from : 4;	/* enum field_from */
	uint16_t unit : 2;	/* enum field_unit */
	uint16_t type : 2;	/* enum field_type */
	uint16_t needs : 3;	/* enum field_needs */
};

extern const struct field fields[];
extern const size_t field_count;

/*
 * field_find - look up a field by the file and key that the kernel prints
 * @key: not terminated; NULL for a file of one number
 *
 * Return: the field, or NULL for one that the list does not know.
 */
const struct field *field_find(const char *file, const char *key,
			       size_t key_length);

/* A field's key in a file of many, else the file. */
const char *field_name(const struct field *field);

/* The file of a field, and its key there; NULL for a file of one number. */
const char *field_file(const struct field *field);
const char *field_key(const struct field *field);

/*
 * field_symbol - what the kernel or this list calls what a field is made of
 *
 * FROM_STAT: an enumerator, in small letters where they are the name's, or more
 * with spaces: the names that it has had. FROM_EVENT: an enumerator. FROM_PAGES,
 * FROM_LIMIT, FROM_BOOL, FROM_CGROUP: members, "a" or "a.b" where a is a struct
 * page_counter. From FROM_SUM on: full names with spaces. FROM_FILE: of no use.
 */
const char *field_symbol(const struct field *field);

#endif

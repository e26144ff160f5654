/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which fields a person asked for (--fields), and what has to be read for it. */
#ifndef MEMCGSTAT_SELECTION_H
#define MEMCGSTAT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "../reason.h"

#define SELECTION_MAX	256

/* One field by its full name: the file, and the key if the file has many. */
struct selected {
	const char *file;
	const char *key;	/* NULL: the file's number */
	bool hidden;		/* wanted, but not to be printed */
};

struct selection {
	bool all;
	bool is_default;	/* which means others on cgroup v1 */
	bool v1;		/* for cgroup v1: what a field is derived from */
	size_t count;
	size_t names_used;	/* bytes */
	struct selected items[SELECTION_MAX];	/* in the order asked for */
	char names[48 << 10];	/* what items point into, so they do not move */
};

/*
 * selection_parse - read a list of fields
 * @list: "anon,memory.current,events.oom_kill", "all" or "default"; names may
 *	be short as the README tells. A full name whose file is known but whose
 *	key is not is taken, for kernels newer than the list of fields.
 * @v1: what "default" means: the fields of cgroup v1, not of v2
 *
 * Return: 0, or -EINVAL with a @reason for a name that is no field.
 */
int selection_parse(struct selection *selection, const char *list, bool v1,
		    struct reason *reason);

/*
 * selection_want - add a field that is read, but not printed
 * @name: as in a list, of @length bytes; of one number
 *
 * Return: its index in items, or -EINVAL with a @reason for a name that is no
 * such field.
 */
int selection_want(struct selection *selection, const char *name,
		   size_t length, struct reason *reason);

/*
 * selection_for_v1 - what another selection means on cgroup v1
 * @selection: must stay as long as @v1, which is overwritten
 *
 * Return: 0 or -EINVAL with a @reason.
 */
int selection_for_v1(struct selection *v1, const struct selection *selection,
		     struct reason *reason);

/* Is a field to be printed? */
bool selection_has(const struct selection *selection, const char *file,
		   const char *key);

/* Is it asked for at all, printed or not? */
bool selection_wants(const struct selection *selection, const char *file,
		     const char *key);

/* Is a field needed, because it is wanted or part of one that is? */
bool selection_needs(const struct selection *selection, const char *file,
		     const char *key);

/* Is any field of that file needed? */
bool selection_needs_file(const struct selection *selection, const char *file);

/* The first that has a key which the list of fields does not know, or NULL. */
const struct selected *selection_unknown(const struct selection *selection);

#define FIELD_NAME_SIZE	160	/* a full name that is known, and its NUL */

/* field_short_name - the shortest name that the command line takes */
const char *field_short_name(char *to, size_t size, const char *file,
			     const char *key);

/* Empty it: as all zeroes. */
void selection_free(struct selection *selection);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The outcome of a health check, as monitoring plugins tell it: one line, and
 * an exit status (Monitoring Plugins Development Guidelines).
 */
#ifndef MEMCGSTAT_VERDICT_H
#define MEMCGSTAT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "out.h"

/* Each is its exit status. */
enum verdict_state {
	VERDICT_OK, VERDICT_WARNING, VERDICT_CRITICAL, VERDICT_UNKNOWN
};

enum verdict_unit {
	VERDICT_NUMBER, VERDICT_BYTES, VERDICT_PERCENT	/* in millionths of 1 */
};

struct verdict {
	enum verdict_state state;
	const char *kind;	/* what was looked at: "cgroup" */
	uint64_t count;		/* of these; 0: it was one thing alone */
	uint64_t exceeding;	/* of these */
	const char *subject;	/* name of the worst; NULL: there is none */
	size_t subject_size;
	const char *condition;	/* as it was written; NULL: nothing was compared */
	size_t left;		/* bytes of its left side, which is the label */
	uint64_t value;		/* as of expression_evaluate() */
	enum verdict_unit unit;
	bool is_below;		/* what is less is worse */
	uint64_t warn, crit;	/* thresholds, or VALUE_ABSENT */
	const char *note;	/* what could not be told, and why; or NULL */
};

/*
 * verdict_write - a line, with performance data behind a "|"; or one JSON object
 *
 * No name moves the cursor, ends the line or begins performance data: what could
 * is \xNN there.
 */
void verdict_write(struct out *out, const struct verdict *verdict, bool json);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_PROBE_H
#define MEMCGSTAT_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "../reason.h"
#include "../read/snapshot.h"
#include "out.h"

#define PROBES_MAX	4

/* What came of trying one source. */
struct probe {
	const char *source;
	const char *log;	/* the verifier's last words, or empty */
	const struct snapshot *snapshot;	/* if it works */
	bool works;
	struct reason reason;	/* why not */
};

/* What came of trying to read the kernel's allocation sites. */
struct probe_allocinfo {
	const char *state;	/* of alloc_state_names */
	const char *source;	/* NULL: it does not work */
	unsigned int sites;
	bool has_reason;
	struct reason reason;	/* why not; or what it lacks to be on */
};

struct probes {
	const char *chosen;	/* what auto would take, or NULL */
	size_t count;
	struct probe_allocinfo allocinfo;
	struct probe list[PROBES_MAX];	/* one for each source */
};

/*
 * probe_write - what works here and why the rest does not
 * @json: one JSON object instead of text
 */
void probe_write(struct out *out, const struct probes *probes,
		 const char *version, const char *kernel, bool json);

#endif

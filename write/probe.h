/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_PROBE_H
#define MEMCGSTAT_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "../reason.h"
#include "../read/snapshot.h"
#include "out.h"

/* What came of trying one source. */
struct probe {
	const char *source;
	bool works;
	struct reason reason;	/* why not */
	const char *log;	/* the verifier's last words, or empty */
	const struct snapshot *snapshot;	/* if it works */
};

/* What came of trying to read the kernel's allocation sites. */
struct probe_allocinfo {
	const char *state;	/* of alloc_state_names */
	const char *source;	/* NULL: it does not work */
	uint64_t sites;
	bool has_reason;
	struct reason reason;	/* why not; or what it lacks to be on */
};

/*
 * probe_write - what works here and why the rest does not
 * @probes, @count: one for each source
 * @chosen: what auto would take, or NULL
 * @allocinfo: of --allocinfo
 * @json: one JSON object instead of text
 */
void probe_write(struct out *out, const struct probe *probes, size_t count,
		 const char *chosen, const struct probe_allocinfo *allocinfo,
		 const char *version, const char *kernel, bool json);

#endif

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

/*
 * probe_write - what works here and why the rest does not
 * @probes, @count: one for each source
 * @chosen: what auto would take, or NULL
 * @json: one JSON object instead of text
 */
void probe_write(struct out *out, const struct probe *probes, size_t count,
		 const char *chosen, const char *version, const char *kernel, bool json);

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "snapshot.h"

/* They go two by two. */
bool snapshot_states(const struct snapshot *snapshot,
		     const struct record *record, uint64_t *values)
{
	typedef uint64_t pair __attribute__((vector_size(16)));
	const struct run *run = snapshot->runs + snapshot->states_begin;
	const struct run *end = snapshot->runs + snapshot->states_end;
	pair states, seen = { 0 };
	uint64_t state, last = 0;

	if (record->data_length < snapshot->states_length)
		return false;
	for (; run < end; run++) {
		const uint8_t *from = record->data + run->offset;
		uint64_t *to = values + run->column;
		size_t left = run->count;
		int shift = run->shift;

		for (; left > 1; left -= 2, from += 16, to += 2) {
			memcpy(&states, from, sizeof(states));
			seen |= states;
			states <<= shift;
			memcpy(to, &states, sizeof(states));
		}
		if (left) {
			memcpy(&state, from, sizeof(state));
			last |= state;
			*to = state << shift;
		}
	}
	return (seen[0] | seen[1] | last) <= INT64_MAX;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "snapshot.h"

/* Bytes from one value of a kind to the next. */
static const uint8_t steps[SLOT_KINDS] = {
	[SLOT_VALUE] = 8, [SLOT_LIMIT] = 8, [SLOT_STATE] = 8, [SLOT_INT] = 4,
	[SLOT_BYTE] = 1,
};

static uint8_t log2_of(uint32_t unit)
{
	return unit ? (uint8_t)__builtin_ctz(unit) : 0;
}

/* Can a column be told together with those of a run? */
static bool joins(const struct run *run, const struct slot *slot,
		  size_t column)
{
	return run->kind == slot->kind && run->shift == log2_of(slot->unit) &&
		run->column + run->count == (int)column &&
		run->offset + run->count * steps[run->kind] == slot->offset;
}

static void add_runs(struct snapshot *snapshot, enum slot_kind kind)
{
	struct run *run = NULL;
	size_t i;

	for (i = 0; i < snapshot->column_count; i++) {
		const struct slot *slot = &snapshot->columns[i].slot;

		if (slot->kind != kind)
			continue;
		if (!run || !joins(run, slot, i)) {
			run = &snapshot->runs[snapshot->run_count++];
			run->kind = (uint8_t)kind;
			run->shift = log2_of(slot->unit);
			run->column = (uint16_t)i;
			run->offset = slot->offset;
			run->count = 0;
		}
		run->count++;
	}
}

void snapshot_prepare(struct snapshot *snapshot)
{
	unsigned int kind;
	size_t i;

	snapshot->run_count = 0;
	for (kind = 0; kind < SLOT_KINDS; kind++) {
		if (kind == SLOT_STATE)
			snapshot->states_begin = snapshot->run_count;
		add_runs(snapshot, (enum slot_kind)kind);
		if (kind == SLOT_STATE)
			snapshot->states_end = snapshot->run_count;
	}
	snapshot->states_length = 0;
	for (i = snapshot->states_begin; i < snapshot->states_end; i++) {
		const struct run *run = &snapshot->runs[i];
		uint32_t end = run->offset + run->count * 8U;

		if (end > snapshot->states_length)
			snapshot->states_length = end;
	}
}

/* A value that has that many bytes; VALUE_ABSENT past the end of the data. */
static inline uint64_t load(const struct record *record, size_t offset,
			    size_t size)
{
	uint64_t value = 0;	/* less than 64 bits: little-endian, walk.c */

	if (offset + size > record->data_length)
		return VALUE_ABSENT;
	memcpy(&value, record->data + offset, size);
	return value;
}

/* A number of units, as memcg_page_state() has it: one below 0 is 0. */
static inline uint64_t state_value(uint64_t state, unsigned int shift)
{
	return state > INT64_MAX ? 0 : state << shift;
}

/* PAGE_COUNTER_MAX, include/linux/page_counter.h, is no limit. */
static uint64_t limit_value(uint64_t pages, unsigned int shift)
{
	if (pages > INT64_MAX)
		return VALUE_ABSENT;	/* it is none */
	return pages >= (uint64_t)INT64_MAX >> shift ? VALUE_NO_LIMIT :
		pages << shift;
}

static uint64_t add_parts(const struct slot *slot, const uint64_t *values)
{
	uint64_t sum = 0;
	bool any = false;
	int i;

	for (i = 0; i < PARTS_MAX && slot->parts[i]; i++) {
		uint64_t value = values[slot->parts[i] - 1];

		if (value < VALUE_NO_LIMIT) {
			sum += value;
			any = true;
		}
	}
	return any ? sum : VALUE_ABSENT;
}

static uint64_t subtract_parts(const struct slot *slot, const uint64_t *values)
{
	uint64_t value = values[slot->parts[0] - 1];
	uint64_t minus = values[slot->parts[1] - 1];

	if (value >= VALUE_NO_LIMIT || minus >= VALUE_NO_LIMIT)
		return VALUE_ABSENT;
	return value > minus ? value - minus : 0;
}

/*
 * All of SLOT_STATE: most of what a walk costs outside the kernel, so it goes two
 * by two. Only a walk has them, and all its records are of one length.
 */
static void load_states(const struct snapshot *snapshot,
			const struct record *record, uint64_t *values)
{
	typedef uint64_t pair __attribute__((vector_size(16)));
	const struct run *begin = snapshot->runs + snapshot->states_begin;
	const struct run *end = snapshot->runs + snapshot->states_end, *run;
	pair states, seen = { 0 };
	uint64_t state, last = 0;
	size_t i;

	for (run = begin; run < end; run++) {
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
	if ((seen[0] | seen[1] | last) <= INT64_MAX)
		return;
	for (run = begin; run < end; run++)	/* some are below 0 */
		for (i = 0; i < run->count; i++)
			values[run->column + i] =
				state_value(load(record, run->offset + i * 8,
						 8), run->shift);
}

/* How many values of a run a record has. */
static size_t there(const struct record *record, const struct run *run)
{
	size_t end = run->offset + run->count * sizeof(uint64_t);

	if (end <= record->data_length)
		return run->count;
	return run->offset < record->data_length ?
		(record->data_length - run->offset) / sizeof(uint64_t) : 0;
}

static void load_run(const struct snapshot *snapshot, const struct run *run,
		     const struct record *record, uint64_t *all)
{
	const struct column *columns = snapshot->columns + run->column;
	const uint8_t *from = record->data + run->offset;
	uint64_t *values = all + run->column;
	size_t i = 0;

	switch ((enum slot_kind)run->kind) {
	case SLOT_VALUE:
		i = there(record, run);
		memcpy(values, from, i * sizeof(*values));
		break;
	case SLOT_LIMIT:
		for (; i < run->count; i++)
			values[i] = limit_value(load(record, run->offset +
						     i * 8, 8), run->shift);
		break;
	case SLOT_INT:
		for (; i < run->count; i++)
			values[i] = load(record, run->offset + i * 4, 4);
		break;
	case SLOT_BYTE:
		for (; i < run->count; i++)
			values[i] = load(record, run->offset + i, 1);
		break;
	case SLOT_SUM:
		for (; i < run->count; i++)
			values[i] = add_parts(&columns[i].slot, all);
		break;
	case SLOT_DIFFERENCE:
		for (; i < run->count; i++)
			values[i] = subtract_parts(&columns[i].slot, all);
		break;
	case SLOT_NONE:
	case SLOT_STATE:	/* of a record that is too short */
	case SLOT_KINDS:
		break;
	}
	for (; i < run->count; i++)
		values[i] = VALUE_ABSENT;
}

/* What is absent on the root, which comes once in a picture. */
static void hide(const struct snapshot *snapshot, uint64_t *values)
{
	size_t i;

	for (i = 0; i < snapshot->column_count; i++)
		if (snapshot->columns[i].slot.not_on_root)
			values[i] = VALUE_ABSENT;
}

void snapshot_values(const struct snapshot *snapshot,
		     const struct record *record, uint64_t *values)
{
	size_t i = 0;

	while (i < snapshot->run_count && snapshot->runs[i].kind < SLOT_SUM) {
		if (i == snapshot->states_begin && i < snapshot->states_end &&
		    record->data_length >= snapshot->states_length) {
			load_states(snapshot, record, values);
			i = snapshot->states_end;
		} else {
			load_run(snapshot, &snapshot->runs[i++], record, values);
		}
	}
	if (!record->level)
		hide(snapshot, values);
	for (; i < snapshot->run_count; i++)
		load_run(snapshot, &snapshot->runs[i], record, values);
}

/* A sum or a difference: only its parts are loaded. */
static uint64_t derive(const struct snapshot *snapshot,
		       const struct record *record, const struct slot *slot)
{
	uint64_t values[COLUMNS_MAX];
	int i;

	for (i = 0; i < PARTS_MAX && slot->parts[i]; i++) {
		size_t column = slot->parts[i] - 1U;

		values[column] = snapshot_value(snapshot, record, column);
	}
	return slot->kind == SLOT_SUM ? add_parts(slot, values) :
		subtract_parts(slot, values);
}

uint64_t snapshot_value(const struct snapshot *snapshot,
			const struct record *record, size_t column)
{
	const struct slot *slot = &snapshot->columns[column].slot;

	if (slot->not_on_root && !record->level)
		return VALUE_ABSENT;
	switch (slot->kind) {
	case SLOT_VALUE:
		return load(record, slot->offset, 8);
	case SLOT_STATE:
		if (slot->offset + 8U > record->data_length)
			return VALUE_ABSENT;
		return state_value(load(record, slot->offset, 8),
				   log2_of(slot->unit));
	case SLOT_LIMIT:
		return limit_value(load(record, slot->offset, 8),
				   log2_of(slot->unit));
	case SLOT_INT:
		return load(record, slot->offset, 4);
	case SLOT_BYTE:
		return load(record, slot->offset, 1);
	case SLOT_SUM:
	case SLOT_DIFFERENCE:
		return derive(snapshot, record, slot);
	}
	return VALUE_ABSENT;
}

uint64_t snapshot_negative(const struct snapshot *snapshot)
{
	const char *log = snapshot->log;
	uint64_t count = 0;
	size_t offset = 0, run, i;

	while (offset < snapshot->log_used) {
		const struct record *record = (const void *)(log + offset);

		for (run = 0; run < snapshot->run_count; run++) {
			const struct run *at = &snapshot->runs[run];

			for (i = 0; at->kind == SLOT_STATE && i < at->count;
			     i++)
				count += load(record, at->offset + i * 8, 8) >
					INT64_MAX;
		}
		offset += record_size(record);
	}
	return count;
}

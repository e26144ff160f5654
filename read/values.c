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

/* @values: by column; those that are parts of a derived one are there */
static uint64_t load(const struct record *record, const struct slot *slot,
		     const uint64_t *values)
{
	const uint8_t *from = record->data + slot->offset;
	unsigned int shift = log2_of(slot->unit);
	size_t size = steps[slot->kind];
	uint64_t value = 0;	/* less than 64 bits: little-endian, walk.c */

	if (slot->not_on_root && !record->level)
		return VALUE_ABSENT;
	if (slot->kind == SLOT_SUM)
		return add_parts(slot, values);
	if (slot->kind == SLOT_DIFFERENCE)
		return subtract_parts(slot, values);
	if (!size || slot->offset + size > record->data_length)
		return VALUE_ABSENT;
	if (size == 8)
		memcpy(&value, from, 8);
	else if (size == 4)
		memcpy(&value, from, 4);
	else
		value = *from;
	/* as memcg_page_state() has it, one below 0 is 0 */
	if (slot->kind == SLOT_STATE)
		return value > INT64_MAX ? 0 : value << shift;
	if (slot->kind != SLOT_LIMIT)
		return value;
	/* PAGE_COUNTER_MAX, include/linux/page_counter.h, is no limit */
	if (value > INT64_MAX)
		return VALUE_ABSENT;	/* it is none */
	return value >= (uint64_t)INT64_MAX >> shift ? VALUE_NO_LIMIT :
		value << shift;
}

/* Values that only have to be copied. Return: is it so, and are all there? */
static bool copy_run(const struct run *run, const struct record *record,
		     uint64_t *values)
{
	const uint8_t *from = record->data + run->offset;
	size_t size = steps[run->kind], i;
	uint32_t number;

	if ((run->kind != SLOT_VALUE && run->kind != SLOT_INT) ||
	    run->offset + run->count * size > record->data_length)
		return false;
	if (size == 8) {
		memcpy(values + run->column, from, run->count * size);
		return true;
	}
	for (i = 0; i < run->count; i++) {
		memcpy(&number, from + i * 4, 4);
		values[run->column + i] = number;
	}
	return true;
}

void snapshot_values(const struct snapshot *snapshot,
		     const struct record *record, uint64_t *values)
{
	/* the root, which comes once in a picture, may have some to hide */
	bool has_states = record->level &&
		snapshot_states(snapshot, record, values);
	size_t i, column;

	for (i = 0; i < snapshot->run_count; i++) {
		const struct run *run = &snapshot->runs[i];
		size_t end = (size_t)run->column + run->count;

		if (has_states && run->kind == SLOT_STATE)
			continue;
		if (record->level && copy_run(run, record, values))
			continue;
		for (column = run->column; column < end; column++)
			values[column] = load(record,
				&snapshot->columns[column].slot, values);
	}
}

uint64_t snapshot_value(const struct snapshot *snapshot,
			const struct record *record, size_t column)
{
	const struct slot *slot = &snapshot->columns[column].slot;
	uint64_t values[COLUMNS_MAX];
	int i;

	for (i = 0; slot->kind >= SLOT_SUM && i < PARTS_MAX && slot->parts[i];
	     i++) {
		column = slot->parts[i] - 1U;
		values[column] = snapshot_value(snapshot, record, column);
	}
	return load(record, slot, values);
}

uint64_t snapshot_negative(const struct snapshot *snapshot)
{
	const char *log = snapshot->log;
	uint64_t count = 0, state;
	size_t offset, run, i;

	for (offset = 0; offset < snapshot->log_used;) {
		const struct record *record = (const void *)(log + offset);

		offset += record_size(record);
		if (record->data_length < snapshot->states_length)
			continue;
		for (run = snapshot->states_begin; run < snapshot->states_end;
		     run++) {
			const struct run *at = &snapshot->runs[run];

			for (i = 0; i < at->count; i++) {
				memcpy(&state, record->data + at->offset +
				       i * sizeof(state), sizeof(state));
				count += state > INT64_MAX;
			}
		}
	}
	return count;
}

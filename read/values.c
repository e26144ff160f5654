// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "snapshot.h"

void snapshot_prepare(struct snapshot *snapshot)
{
	struct decode *decode = snapshot->decodes;
	unsigned int kind;
	size_t i;

	snapshot->states_length = 0;
	for (kind = 0; kind < SLOT_KINDS; kind++) {
		for (i = 0; i < snapshot->column_count; i++) {
			const struct slot *slot = &snapshot->columns[i].slot;

			if (slot->kind != kind)
				continue;
			decode->column = (uint16_t)i;
			decode->offset = slot->offset;
			decode->unit = slot->unit;
			decode++;
			if (kind == SLOT_STATE &&
			    slot->offset + 8U > snapshot->states_length)
				snapshot->states_length = slot->offset + 8U;
		}
		snapshot->ends[kind] = (uint16_t)(decode - snapshot->decodes);
	}
}

/* The columns of one kind. */
#define FOR_EACH(decode, snapshot, kind) \
	for (decode = (snapshot)->decodes + \
	     ((kind) ? (snapshot)->ends[(kind) - 1] : 0); \
	     decode < (snapshot)->decodes + (snapshot)->ends[kind]; decode++)

static inline uint64_t load(const struct record *record, uint16_t offset,
			    size_t size)
{
	uint64_t value = 0;	/* less than 64 bits: little-endian, walk.c */

	if (offset + size > record->data_length)
		return VALUE_ABSENT;
	memcpy(&value, record->data + offset, size);
	return value;
}

/* A number of units that is there; memcg_page_state(): one below 0 is 0. */
static inline uint64_t load_state(const struct record *record, uint16_t offset,
				  uint32_t unit)
{
	uint64_t value;

	memcpy(&value, record->data + offset, sizeof(value));
	return value > INT64_MAX ? 0 : value * unit;
}

/* PAGE_COUNTER_MAX, include/linux/page_counter.h, is no limit. */
static uint64_t load_limit(const struct record *record, uint16_t offset,
			   uint32_t unit)
{
	uint64_t value = load(record, offset, sizeof(value));

	if (value > INT64_MAX)
		return VALUE_ABSENT;	/* it is none */
	return value >= INT64_MAX / unit ? VALUE_NO_LIMIT : value * unit;
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
 * Most columns are of this kind. Only a walk has them, and all its records are of
 * one length.
 */
static void load_states(const struct snapshot *snapshot,
			const struct record *record, uint64_t *values)
{
	const struct decode *decode =
		snapshot->decodes + snapshot->ends[SLOT_STATE - 1];
	const struct decode *end = snapshot->decodes +
		snapshot->ends[SLOT_STATE];
	bool there = record->data_length >= snapshot->states_length;

	/* most of what a walk costs outside the kernel */
#pragma GCC unroll 4
	for (; decode < end && there; decode++)
		values[decode->column] = load_state(record, decode->offset,
						    decode->unit);
	for (; decode < end; decode++)
		values[decode->column] = VALUE_ABSENT;
}

void snapshot_values(const struct snapshot *snapshot,
		     const struct record *record, uint64_t *values)
{
	const struct column *columns = snapshot->columns;
	const struct decode *decode;
	size_t i;

	FOR_EACH(decode, snapshot, SLOT_NONE)
		values[decode->column] = VALUE_ABSENT;
	FOR_EACH(decode, snapshot, SLOT_VALUE)
		values[decode->column] = load(record, decode->offset, 8);
	load_states(snapshot, record, values);
	FOR_EACH(decode, snapshot, SLOT_LIMIT)
		values[decode->column] = load_limit(record, decode->offset,
						    decode->unit);
	FOR_EACH(decode, snapshot, SLOT_INT)
		values[decode->column] = load(record, decode->offset, 4);
	FOR_EACH(decode, snapshot, SLOT_BYTE)
		values[decode->column] = load(record, decode->offset, 1);
	for (i = 0; !record->level && i < snapshot->column_count; i++)
		if (columns[i].slot.not_on_root)
			values[i] = VALUE_ABSENT;
	FOR_EACH(decode, snapshot, SLOT_SUM)
		values[decode->column] =
			add_parts(&columns[decode->column].slot, values);
	FOR_EACH(decode, snapshot, SLOT_DIFFERENCE)
		values[decode->column] =
			subtract_parts(&columns[decode->column].slot, values);
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
		return load_state(record, slot->offset, slot->unit);
	case SLOT_LIMIT:
		return load_limit(record, slot->offset, slot->unit);
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
	const struct decode *decode;
	uint64_t count = 0;
	size_t offset = 0;

	while (offset < snapshot->log_used) {
		const struct record *record = (const void *)(log + offset);

		FOR_EACH(decode, snapshot, SLOT_STATE)
			count += load(record, decode->offset, 8) > INT64_MAX;
		offset += record_size(record);
	}
	return count;
}

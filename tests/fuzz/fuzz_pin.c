// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A pin's plan and its map, as another may have written them: all that is told
 * by them is looked at. The input is what differs from one plan to another, and
 * then the map.
 */
#include <stdlib.h>
#include <string.h>

#include "../../read/pin_plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COLUMNS	12
#define TEXTS	96
#define PLAN	(sizeof(struct pin_head) + COLUMNS * \
		 sizeof(struct pin_column) + TEXTS)
#define LOG	2048
#define MAP	(sizeof(struct walk_map) + LOG)

static struct {
	_Alignas(8) char plan[PLAN];
} plan;

/* As get_map() has them: in a mapping of their own, with room behind the map. */
static _Alignas(8) char map[MAP + WALK_DATA_MAX];

/* Take some bytes of the input; where there are no more, zeroes. */
static void take(void *to, size_t length, const uint8_t **data, size_t *size)
{
	size_t some = length < *size ? length : *size;

	memset(to, 0, length);
	memcpy(to, *data, some);
	*data += some;
	*size -= some;
}

/* One of the columns, most often of those that can be. */
static void fill_column(struct pin_column *column, uint32_t length,
			const uint8_t **data, size_t *size)
{
	uint8_t from[8];
	int i;

	take(from, sizeof(from), data, size);
	column->field = from[0] < 200 ? from[0] : COLUMN_NEW;
	column->file = from[1] % TEXTS;
	column->key = from[1] / 2 % TEXTS;
	column->slot.kind = from[2] % (SLOT_KINDS + 1);
	column->slot.not_on_root = from[2] >> 7;
	column->slot.offset = (uint16_t)(from[3] % (length + 9));
	column->slot.unit = from[4];
	if (column->slot.kind >= SLOT_SUM)
		for (i = 0; i < 2; i++)
			column->slot.parts[i] = from[5 + i] % (COLUMNS + 1);
}

/* Small numbers, some of them wrong by a little. */
static void fill_plan(const uint8_t **data, size_t *size)
{
	struct pin_head *head = (void *)plan.plan;
	struct walk_plan *of = &head->plan;
	uint8_t small[12];
	int i;

	memset(&plan, 0, sizeof(plan));
	memcpy(head->version, PIN_PROGRAM VERSION, sizeof(PIN_PROGRAM VERSION));
	head->layout = pin_layout();
	head->size = sizeof(plan.plan);
	head->map = 7;
	head->texts = PLAN - TEXTS;
	take(small, sizeof(small), data, size);
	head->column_count = COLUMNS + (small[0] == 255);
	head->fields = small[1] < 240 ? TEXTS - 4 : small[1];
	head->top = small[2] / 2;
	head->depth = small[3];
	of->data_length = small[4] * 8U % 512;
	of->flag_column = small[5] % (COLUMNS + 2) - 1;
	of->flag = small[6];
	of->flag_kind = small[7] % (SLOT_SUM + 1);
	for (i = 0; i < 4; i++)
		of->subsys_columns[i & 1][i] = small[8 + i] % (COLUMNS + 2);
	for (i = 0; i < COLUMNS; i++)
		fill_column((struct pin_column *)(head + 1) + i,
			    of->data_length, data, size);
	take((char *)head + head->texts, TEXTS - 4, data, size);
	memcpy((char *)head + head->texts + TEXTS - 4, "all", 4);
}

/* Everything that is printed. Return: something of it all. */
static uint64_t look(const struct snapshot *snapshot)
{
	static uint64_t values[COLUMNS_MAX];
	struct rows rows;
	uint64_t sum = snapshot_negative(snapshot);
	size_t i;

	rows_begin(&rows, snapshot);
	while (rows_next(&rows) > 0) {
		snapshot_values(snapshot, rows.record, values);
		for (i = 0; i < snapshot->column_count; i++)
			sum += values[i] +
				snapshot_value(snapshot, rows.record, i);
		for (i = 0; i < rows.path.used; i++)
			sum += (uint8_t)rows.path.data[i];
	}
	rows_end(&rows);
	for (i = 0; i < snapshot->column_count; i++)
		sum += strlen(snapshot->columns[snapshot->order[i]].file);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct selection all = { .all = true };
	static struct snapshot snapshot;
	struct pin pin = {
		.directory = "pin", .plan = &plan, .plan_size = PLAN,
		.value = { .size = MAP, .id = 7 },
	};
	struct walk_options walk = {
		.selection = &all, .cgroup = -1, .directory = -1,
		.depth = UINT32_MAX, .path = "/a",
	};
	const struct pin_head *head = (const void *)&plan;
	struct walk_map *found = (void *)map;
	struct reason reason;

	memset(&snapshot, 0, sizeof(snapshot));
	snapshot.page_size = 4096;
	fill_plan(&data, &size);
	if (pin_take_plan(&pin, &snapshot, &all, &reason))
		return 0;
	if (size % 4)	/* else it is searched for */
		walk.path = pin_text(pin.plan, head->top);
	memset(map, 0, sizeof(map));
	take(&found->count, sizeof(found->count), &data, &size);
	take(&found->used, 2, &data, &size);
	take(&found->subsys_mask, 1, &data, &size);
	take(&found->hierarchy_flags, 1, &data, &size);
	take(found->log, LOG, &data, &size);
	if (!pin_take_walk(&pin, &snapshot, found, &walk, &reason) &&
	    look(&snapshot) == 0x5eed)
		abort();	/* never: it is only to be looked at */
	return 0;
}

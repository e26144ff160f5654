// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arrange.h"
#include "sort.h"

struct picture_row {
	uint64_t id;
	uint64_t key;		/* that it is sorted by, the smallest first */
	uint64_t number;	/* of the row in the picture */
	uint32_t level;
	struct path_span path;
};

static int compare_keys(const void *a, const void *b)
{
	const struct picture_row *left = a, *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return left->number < right->number ? -1 : 1;
}

static int compare_ids(const void *a, const void *b)
{
	const struct picture_row *left = a, *right = b;

	return left->id < right->id ? -1 : left->id > right->id;
}

/* Rows with the largest sum come first, those without a value last. */
static uint64_t sort_key(const uint64_t *values, const struct sum *sort)
{
	uint64_t sum = sum_value(sort, values);

	return sum == VALUE_ABSENT ? sum : VALUE_NO_LIMIT - sum;
}

/* Take in all values and paths. */
static int take(struct arranged *arranged, const struct snapshot *from)
{
	struct picture *now = &arranged->now;
	uint64_t values[COLUMNS_MAX];
	struct picture_row row;
	struct rows rows;
	int err = 0, more = 0;

	now->columns = from->column_count;
	now->clock = from->clock;
	now->count = now->values.used = now->rows.used = 0;
	arranged->paths.used = 0;
	memset(&row, 0, sizeof(row));
	rows_begin(&rows, from);
	while (!err && (more = rows_next(&rows)) > 0) {
		snapshot_values(from, rows.record, values);
		row.id = rows.record->id;
		row.level = rows.record->level;
		row.number = now->count++;
		row.path.offset = arranged->paths.used;
		row.path.length = rows.path.used;
		if (!buffer_add(&now->values, values,
				now->columns * sizeof(values[0])) ||
		    !buffer_add(&now->rows, &row, sizeof(row)) ||
		    !buffer_add(&arranged->paths, rows.path.data,
				rows.path.used))
			err = -ENOMEM;
	}
	rows_end(&rows);
	return err ? err : more;
}

static const uint64_t *row_values(const struct picture *picture,
				  const struct picture_row *row)
{
	return (const uint64_t *)picture->values.data +
		row->number * picture->columns;
}

static bool is_counter(const struct column *column)
{
	return column->field && column->field->type == TYPE_COUNTER;
}

/*
 * What a counter rose by, in thousandths a second. A double holds what can be
 * told of it: it is rounded to that in any case.
 */
static uint64_t rate(uint64_t now, uint64_t before, uint64_t time)
{
	double value = (double)(now - before) * 1e12 / (double)time + 0.5;

	if (now >= VALUE_NO_LIMIT || before >= VALUE_NO_LIMIT || now < before ||
	    !time || value > 1e18)
		return VALUE_ABSENT;
	return (uint64_t)value;
}

/* Its row in a picture whose rows are sorted by id; or NULL. */
static const struct picture_row *find(const struct picture *picture,
				      uint64_t id)
{
	const struct picture_row *rows = (const void *)picture->rows.data;
	size_t first = 0, end = picture->count, middle;

	while (first < end) {
		middle = first + (end - first) / 2;
		if (rows[middle].id == id)
			return &rows[middle];
		if (rows[middle].id < id)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

/* @before: the rows of the picture before are sorted by id. */
static void make_rates(uint64_t *values, const struct arranged *arranged,
		       const struct picture_row *row)
{
	const struct picture *before = &arranged->before;
	const struct snapshot *snapshot = &arranged->snapshot;
	const struct picture_row *old = find(before, row->id);
	size_t i;

	for (i = 0; i < snapshot->column_count; i++)
		if (snapshot->columns[i].is_rate)
			values[i] = !old || i >= before->columns ?
				VALUE_ABSENT :
				rate(values[i], row_values(before, old)[i],
				     arranged->now.clock - before->clock);
}

/* The columns stay, but for where their values are. */
static void describe(struct snapshot *to, const struct snapshot *from,
		     const struct arrangement *how)
{
	size_t i;

	*to = *from;
	to->log_used = 0;
	to->depth = UINT32_MAX;
	for (i = 0; i < to->column_count; i++) {
		struct column *column = &to->columns[i];

		column->is_rate = how->rate && is_counter(column);
		if (column->slot.kind == SLOT_NONE)
			continue;
		memset(&column->slot, 0, sizeof(column->slot));
		column->slot.kind = SLOT_VALUE;
		column->slot.offset = (uint16_t)(i * sizeof(uint64_t));
	}
	snapshot_prepare(to);
}

/* A row's values as they are to be shown, in @copy. */
static void show(uint64_t *copy, const struct arranged *arranged,
		 const struct picture_row *row, bool rate)
{
	const struct picture *now = &arranged->now;

	memcpy(copy, row_values(now, row), now->columns * sizeof(*copy));
	if (rate)
		make_rates(copy, arranged, row);
}

static int add_row(struct arranged *arranged, const struct picture_row *row,
		   bool rate)
{
	size_t size = arranged->now.columns * sizeof(uint64_t);
	struct record *record = buffer_reserve(&arranged->log,
		sizeof(*record) + size + sizeof(row->path));

	if (!record)
		return -ENOMEM;
	record->id = row->id;
	record->level = row->level;
	record->data_length = (uint16_t)size;
	record->name_length = sizeof(row->path);
	show((uint64_t *)record->data, arranged, row, rate);
	memcpy(record->data + size, &row->path, sizeof(row->path));
	arranged->log.used += record_size(record);
	return 0;
}

int arrange(struct arranged *arranged, const struct snapshot *from,
	    const struct arrangement *how)
{
	struct picture *now = &arranged->now, *before = &arranged->before, old;
	uint64_t values[COLUMNS_MAX], i;
	struct picture_row *rows;
	int err;

	if (how->rate) {
		old = *before;
		*before = *now;
		*now = old;
	}
	err = take(arranged, from);
	if (err)
		return err;
	describe(&arranged->snapshot, from, how);
	rows = (void *)now->rows.data;
	if (how->rate)
		sort_items(before->rows.data, before->count, sizeof(*rows),
			   compare_ids);
	for (i = 0; i < now->count && how->sort.count; i++) {
		show(values, arranged, &rows[i], how->rate);
		rows[i].key = sort_key(values, &how->sort);
	}
	if (how->sort.count)
		sort_items(rows, now->count, sizeof(*rows), compare_keys);
	arranged->log.used = 0;
	for (i = 0; i < now->count && i < how->top && !err; i++)
		err = add_row(arranged, &rows[i], how->rate);
	arranged->snapshot.log = arranged->log.data;
	arranged->snapshot.log_used = arranged->log.used;
	arranged->snapshot.paths = arranged->paths.data;
	arranged->snapshot.rate_time = how->rate ? now->clock - before->clock :
		0;
	return err;
}

static void picture_free(struct picture *picture)
{
	buffer_free(&picture->values);
	buffer_free(&picture->rows);
}

void arranged_free(struct arranged *arranged)
{
	picture_free(&arranged->now);
	picture_free(&arranged->before);
	buffer_free(&arranged->log);
	buffer_free(&arranged->paths);
}

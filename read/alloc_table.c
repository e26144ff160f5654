// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../write/format.h"
#include "alloc_table.h"

#define SLOTS_LEAST	4096

void alloc_table_begin(struct alloc_table *table,
		       const struct alloc_query *query)
{
	table->query = query;
	table->rows.used = table->names.used = table->order.used = 0;
	table->count = table->ranked = table->shown = 0;
	table->has_growth = false;
	if (table->slots)
		memset(table->index.data, 0, table->slots * sizeof(uint32_t));
}

/* Counters wrap around, as the kernel's do. */
static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static struct alloc_row *row_at(const struct alloc_table *table, size_t index)
{
	return (struct alloc_row *)(void *)table->rows.data + index;
}

static bool is_of_row(const struct alloc_query *query, enum alloc_by name)
{
	return query->by == ALLOC_SITE || query->by == name;
}

struct alloc_name alloc_table_name(const struct alloc_table *table,
				   const struct alloc_row *row,
				   enum alloc_by name)
{
	struct alloc_name found = { NULL, 0 };
	size_t at = row->names, i;

	if (!is_of_row(table->query, name))
		return found;
	for (i = 0; i < (size_t)name; i++)
		at += is_of_row(table->query, (enum alloc_by)i) ?
			row->lengths[i] + 1 : 0;
	found.text = table->names.data + at;
	found.length = row->lengths[name];
	return found;
}

static bool contains(struct alloc_name name, const char *part)
{
	size_t length = strlen(part), at;

	for (at = 0; length && at + length <= name.length; at++)
		if (!memcmp(name.text + at, part, length))
			return true;
	return !length;
}

static bool is_wanted(const struct alloc_query *query,
		      const struct alloc_tag *tag)
{
	size_t i;

	for (i = 0; i < ALLOC_NAMES; i++)
		if (query->parts[i] && !contains(tag->names[i],
						 query->parts[i]))
			return false;
	return true;
}

/* FNV-1a. A site's line and function tell nearly all apart. */
static uint32_t hash_tag(const struct alloc_query *query,
			 const struct alloc_tag *tag)
{
	bool by_site = query->by == ALLOC_SITE;
	const struct alloc_name *name =
		&tag->names[by_site ? ALLOC_FUNCTION : query->by];
	uint32_t hash = 2166136261u ^ (by_site ? tag->line : 0);
	size_t i;

	for (i = 0; i < name->length; i++)
		hash = (hash ^ (unsigned char)name->text[i]) * 16777619;
	return hash ^ hash >> 16;
}

static bool is_same(const struct alloc_table *table,
		    const struct alloc_row *row, const struct alloc_tag *tag)
{
	size_t i;

	if (table->query->by == ALLOC_SITE && row->line != tag->line)
		return false;
	for (i = 0; i < ALLOC_NAMES; i++) {
		struct alloc_name name = alloc_table_name(table, row,
							  (enum alloc_by)i);

		if (!name.text)
			continue;
		if (name.length != tag->names[i].length ||
		    (name.length && memcmp(name.text, tag->names[i].text,
					   name.length)))
			return false;
	}
	return true;
}

/* Where a tag's row stands in the index, or would: there is a free slot. */
static uint32_t *find(const struct alloc_table *table,
		      const struct alloc_tag *tag, uint32_t hash)
{
	uint32_t *slots = (void *)table->index.data;
	size_t at = hash & (table->slots - 1);

	for (; slots[at]; at = (at + 1) & (table->slots - 1)) {
		const struct alloc_row *row = row_at(table, slots[at] - 1);

		if (row->hash == hash && is_same(table, row, tag))
			break;
	}
	return slots + at;
}

/* Make the index so large that a third of it stays free. */
static int make_room(struct alloc_table *table)
{
	size_t slots = table->slots ? table->slots : SLOTS_LEAST, i, at;
	uint32_t *index;

	while ((table->count + 1) * 3 > slots * 2)
		slots *= 2;
	if (slots == table->slots)
		return 0;
	index = buffer_reserve(&table->index, slots * sizeof(*index));
	if (!index)
		return -ENOMEM;
	table->slots = slots;
	memset(index, 0, slots * sizeof(*index));
	for (i = 0; i < table->count; i++) {
		at = row_at(table, i)->hash & (slots - 1);
		while (index[at])
			at = (at + 1) & (slots - 1);
		index[at] = (uint32_t)i + 1;
	}
	return 0;
}

static struct alloc_row *add_row(struct alloc_table *table,
				 const struct alloc_tag *tag, uint32_t hash)
{
	struct alloc_row *row = buffer_reserve(&table->rows, sizeof(*row));
	char *to;
	size_t i;

	if (!row)
		return NULL;
	memset(row, 0, sizeof(*row));
	row->hash = hash;
	row->accurate = true;
	row->names = table->names.used;
	if (table->query->by == ALLOC_SITE)
		row->line = tag->line;
	for (i = 0; i < ALLOC_NAMES; i++) {
		const struct alloc_name *name = &tag->names[i];

		if (!is_of_row(table->query, (enum alloc_by)i))
			continue;
		to = buffer_reserve(&table->names, name->length + 1);
		if (!to)
			return NULL;
		if (name->length)
			memcpy(to, name->text, name->length);
		to[name->length] = '\0';
		table->names.used += name->length + 1;
		row->lengths[i] = (uint32_t)name->length;
	}
	table->rows.used += sizeof(*row);
	table->count++;
	return row;
}

int alloc_table_add(struct alloc_table *table, const struct alloc_tag *tag)
{
	struct alloc_row *row;
	uint32_t *slot, hash;

	if (!is_wanted(table->query, tag))
		return 0;
	if (make_room(table))
		return -ENOMEM;
	hash = hash_tag(table->query, tag);
	slot = find(table, tag, hash);
	row = *slot ? row_at(table, *slot - 1) : add_row(table, tag, hash);
	if (!row)
		return -ENOMEM;
	if (!*slot)
		*slot = (uint32_t)table->count;
	row->bytes = plus(row->bytes, tag->bytes);
	row->calls = plus(row->calls, tag->calls);
	row->accurate = row->accurate && tag->accurate;
	return 0;
}

void alloc_table_grow(struct alloc_table *table,
		      const struct alloc_table *before)
{
	struct alloc_tag tag;
	size_t at, i;

	table->has_growth = true;
	for (at = 0; at < table->count; at++) {
		struct alloc_row *row = row_at(table, at);
		const struct alloc_row *old = NULL;
		uint32_t number = 0;

		tag.line = row->line;
		for (i = 0; i < ALLOC_NAMES; i++)
			tag.names[i] = alloc_table_name(table, row,
							(enum alloc_by)i);
		if (before->slots)
			number = *find(before, &tag, row->hash);
		if (number)
			old = row_at(before, number - 1);
		row->bytes_growth = minus(row->bytes, old ? old->bytes : 0);
		row->calls_growth = minus(row->calls, old ? old->calls : 0);
	}
}

/* Is a row to be printed before another? */
static bool is_better(const struct alloc_table *table, uint32_t a, uint32_t b)
{
	const struct alloc_row *x = row_at(table, a), *y = row_at(table, b);
	bool calls = table->query->by_calls;
	int64_t grown_x = calls ? x->calls_growth : x->bytes_growth;
	int64_t grown_y = calls ? y->calls_growth : y->bytes_growth;
	int64_t size_x = calls ? x->calls : x->bytes;
	int64_t size_y = calls ? y->calls : y->bytes;

	if (grown_x != grown_y)
		return grown_x > grown_y;
	if (size_x != size_y)
		return size_x > size_y;
	return a < b;
}

/* Of a heap whose first is the best: let one sink to its place. */
static void sink(const struct alloc_table *table, uint32_t *heap, size_t at,
		 size_t count)
{
	uint32_t sinking = heap[at];
	size_t child;

	for (; (child = at * 2 + 1) < count; at = child) {
		if (child + 1 < count &&
		    is_better(table, heap[child + 1], heap[child]))
			child++;
		if (!is_better(table, heap[child], sinking))
			break;
		heap[at] = heap[child];
	}
	heap[at] = sinking;
}

int alloc_table_rank(struct alloc_table *table)
{
	const struct alloc_query *query = table->query;
	uint32_t *heap = buffer_reserve(&table->order, (table->count + 1) *
					sizeof(*heap)), best;
	size_t i, left;

	if (!heap)
		return -ENOMEM;
	table->ranked = table->shown = 0;
	for (i = 0; i < table->count; i++)
		if (!query->min_size ||
		    row_at(table, i)->bytes >= (int64_t)query->min_size)
			heap[table->ranked++] = (uint32_t)i;
	left = table->ranked;
	for (i = left / 2; i > 0; i--)
		sink(table, heap, i - 1, left);
	/* the best moves to the end of what is left, as often as is asked */
	for (; left && table->shown < query->top; table->shown++) {
		best = heap[0];
		heap[0] = heap[--left];
		sink(table, heap, 0, left);
		heap[left] = best;
	}
	return 0;
}

const struct alloc_row *alloc_table_row(const struct alloc_table *table,
					size_t place)
{
	const uint32_t *order = (const void *)table->order.data;

	return row_at(table, order[table->ranked - 1 - place]);
}

int alloc_table_text(const struct alloc_table *table,
		     const struct alloc_row *row, struct buffer *text)
{
	const char *first = table->names.data + row->names, *function, *module;
	size_t room = (size_t)row->lengths[ALLOC_FILE] +
		row->lengths[ALLOC_FUNCTION] + row->lengths[ALLOC_MODULE] + 40;
	char *to = buffer_reserve(text, room);

	if (!to)
		return -ENOMEM;
	if (table->query->by != ALLOC_SITE) {
		text->used += format_text(to, room, "%s", *first ? first : "-");
		return 0;
	}
	function = first + row->lengths[ALLOC_FILE] + 1;
	module = function + row->lengths[ALLOC_FUNCTION] + 1;
	text->used += format_text(to, room, "%s:%u%s%s%s func:%s", first,
				  row->line, *module ? " [" : "", module,
				  *module ? "]" : "", function);
	return 0;
}

void alloc_table_free(struct alloc_table *table)
{
	buffer_free(&table->rows);
	buffer_free(&table->names);
	buffer_free(&table->index);
	buffer_free(&table->order);
	memset(table, 0, sizeof(*table));
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../write/format.h"
#include "alloc_table.h"
#include "sort.h"

/* What rows are sorted by. */
struct rank {
	int64_t growth, size;
	uint64_t number;
};

void alloc_table_begin(struct alloc_table *table,
		       const struct alloc_query *query)
{
	table->query = query;
	table->rows.used = table->names.used = 0;
	table->count = table->shown = 0;
	table->has_growth = false;
	memset(table->chains, 0, sizeof(table->chains));
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

struct alloc_name alloc_table_name(const struct alloc_table *table,
				   const struct alloc_row *row,
				   enum alloc_by name)
{
	struct alloc_name found = { table->names.data + row->names, 0 };
	int i;

	for (i = 0; i < (int)name; i++)
		found.text += row->lengths[i] + 1;
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

/* What a row has of its tags: the names that rows are not by are empty. */
static struct alloc_tag key_of(const struct alloc_query *query,
			       const struct alloc_tag *tag)
{
	bool by_site = query->by == ALLOC_SITE;
	struct alloc_tag key = { .line = by_site ? tag->line : 0 };
	int i;

	for (i = 0; i < ALLOC_NAMES; i++) {
		key.names[i].text = "";
		if ((by_site || i == (int)query->by) && tag->names[i].length)
			key.names[i] = tag->names[i];
	}
	return key;
}

/* FNV-1a */
static uint32_t chain_of(const struct alloc_tag *key)
{
	uint32_t hash = 2166136261u ^ key->line;
	size_t i, at;

	for (i = 0; i < ALLOC_NAMES; i++)
		for (at = 0; at < key->names[i].length; at++)
			hash = (hash ^ (unsigned char)key->names[i].text[at]) *
				16777619;
	return (hash ^ hash >> 16) % ALLOC_CHAINS;
}

static bool is_same(const struct alloc_table *table,
		    const struct alloc_row *row, const struct alloc_tag *key)
{
	bool same = row->line == key->line;
	int i;

	for (i = 0; i < ALLOC_NAMES && same; i++) {
		struct alloc_name name = alloc_table_name(table, row,
							  (enum alloc_by)i);

		same = name.length == key->names[i].length &&
			!memcmp(name.text, key->names[i].text, name.length);
	}
	return same;
}

static struct alloc_row *find(const struct alloc_table *table,
			      const struct alloc_tag *key, uint32_t chain)
{
	struct alloc_row *row = NULL;
	uint32_t number = table->chains[chain];

	for (; number; number = row->next) {
		row = row_at(table, number - 1);
		if (is_same(table, row, key))
			return row;
	}
	return NULL;
}

static struct alloc_row *add_row(struct alloc_table *table,
				 const struct alloc_tag *key, uint32_t chain)
{
	struct alloc_row *row = buffer_reserve(&table->rows, sizeof(*row));
	size_t i;

	if (!row)
		return NULL;
	memset(row, 0, sizeof(*row));
	row->chain = chain;
	row->accurate = true;
	row->names = table->names.used;
	row->line = key->line;
	for (i = 0; i < ALLOC_NAMES; i++) {
		const struct alloc_name *name = &key->names[i];

		if (!buffer_add(&table->names, name->text, name->length) ||
		    !buffer_add(&table->names, "", 1))
			return NULL;
		row->lengths[i] = (uint32_t)name->length;
	}
	table->rows.used += sizeof(*row);
	row->next = table->chains[chain];
	table->chains[chain] = (uint32_t)++table->count;
	return row;
}

int alloc_table_add(struct alloc_table *table, const struct alloc_tag *tag)
{
	struct alloc_row *row;
	struct alloc_tag key;
	uint32_t chain;

	if (!is_wanted(table->query, tag))
		return 0;
	key = key_of(table->query, tag);
	chain = chain_of(&key);
	row = find(table, &key, chain);
	if (!row)
		row = add_row(table, &key, chain);
	if (!row)
		return -ENOMEM;
	row->bytes = plus(row->bytes, tag->bytes);
	row->calls = plus(row->calls, tag->calls);
	row->accurate = row->accurate && tag->accurate;
	return 0;
}

void alloc_table_grow(struct alloc_table *table,
		      const struct alloc_table *before)
{
	struct alloc_tag key;
	size_t at, i;

	table->has_growth = true;
	for (at = 0; at < table->count; at++) {
		struct alloc_row *row = row_at(table, at);
		const struct alloc_row *old;

		key.line = row->line;
		for (i = 0; i < ALLOC_NAMES; i++)
			key.names[i] = alloc_table_name(table, row,
							(enum alloc_by)i);
		old = find(before, &key, row->chain);
		row->bytes_growth = minus(row->bytes, old ? old->bytes : 0);
		row->calls_growth = minus(row->calls, old ? old->calls : 0);
	}
}

/* The best first. */
static int compare(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->growth != y->growth)
		return x->growth > y->growth ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

int alloc_table_rank(struct alloc_table *table)
{
	const struct alloc_query *query = table->query;
	struct rank *ranks = buffer_reserve(&table->order, (table->count + 1) *
					    sizeof(*ranks));
	size_t i;

	if (!ranks)
		return -ENOMEM;
	table->shown = 0;
	for (i = 0; i < table->count; i++) {
		const struct alloc_row *row = row_at(table, i);

		if (query->min_size && row->bytes < (int64_t)query->min_size)
			continue;
		ranks[table->shown++] = (struct rank){
			query->by_calls ? row->calls_growth : row->bytes_growth,
			query->by_calls ? row->calls : row->bytes, i
		};
	}
	sort_items(ranks, table->shown, sizeof(*ranks), compare);
	if (table->shown > query->top)
		table->shown = query->top;
	return 0;
}

const struct alloc_row *alloc_table_row(const struct alloc_table *table,
					size_t place)
{
	const struct rank *ranks = (const void *)table->order.data;

	return row_at(table, ranks[place].number);
}

int alloc_table_text(const struct alloc_table *table,
		     const struct alloc_row *row, struct buffer *text)
{
	const char *names[ALLOC_NAMES], *only;
	size_t room = 40, i;
	char *to;

	for (i = 0; i < ALLOC_NAMES; i++) {
		names[i] = alloc_table_name(table, row,
					    (enum alloc_by)i).text;
		room += row->lengths[i];
	}
	to = buffer_reserve(text, room);
	if (!to)
		return -ENOMEM;
	if (table->query->by != ALLOC_SITE) {
		only = names[table->query->by];
		text->used += format_text(to, room, "%s", *only ? only : "-");
		return 0;
	}
	only = names[ALLOC_MODULE];
	text->used += format_text(to, room, "%s:%u%s%s%s func:%s",
				  names[ALLOC_FILE], row->line,
				  *only ? " [" : "", only, *only ? "]" : "",
				  names[ALLOC_FUNCTION]);
	return 0;
}

void alloc_table_free(struct alloc_table *table)
{
	buffer_free(&table->rows);
	buffer_free(&table->names);
	buffer_free(&table->order);
	memset(table, 0, sizeof(*table));
}

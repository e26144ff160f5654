// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kernel's tables: an index in its three forms, and how they are asked. */
#include <errno.h>

#include "../../read/tables.h"
#include "test.h"

/*
 * Items that have a slot, in the order of the slots: memcg_node_stat_items[]
 * and memcg_stat_items[] of mm/memcontrol.c, numbered as some kernel has them.
 */
static const uint32_t states[] = { 0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15,
	16, 18, 19, 20, 21, 22, 23, 31, 32, 34, 35, 36, 37, 40, 42, 43, 44, 45,
	47, 48, 49, 50, 51, 52, 53 };
#define STATE_ITEMS	54

/* memcg_vm_event_stat[] */
static const uint32_t events[] = { 0, 1, 2, 3, 4, 5, 28, 29, 23, 24, 25, 26, 33,
	34, 35, 36, 22, 18, 19, 20, 40, 41, 42, 75, 82, 97, 98 };
#define EVENT_ITEMS	104

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* A table under construction; its entries are in a block of their own. */
struct index {
	uint32_t items, count, width;	/* of an entry, bytes */
	uint8_t *raw;
};

static void set(const struct index *index, uint32_t item, uint32_t value)
{
	memcpy(index->raw + (size_t)item * index->width, &value, index->width);
}

/* @base: what stands for slot 0; @none: for no slot */
static struct index make(const uint32_t *slots, uint32_t count, uint32_t items,
			 uint32_t width, uint32_t base, uint32_t none)
{
	struct index index = { items, count, width, NULL };
	uint32_t i;

	index.raw = malloc((size_t)items * width);
	for (i = 0; i < items; i++)
		set(&index, i, none);
	for (i = 0; i < count; i++)
		set(&index, slots[i], i + base);
	return index;
}

/* In a block of just the size that is asked for. */
static bool read_index(const struct index *index, uint32_t base,
		       uint8_t got[TABLE_ITEMS])
{
	uint8_t *slots = malloc(index->items);
	bool is = tables_index(slots, index->items, index->count, index->raw,
			       index->width, base);

	memcpy(got, slots, index->items);
	free(slots);
	return is;
}

/* It is a table of that form, and each item has the slot that it should. */
static void check_form(const char *name, const uint32_t *slots,
		       const struct index *index, uint32_t base)
{
	uint8_t got[TABLE_ITEMS], want[TABLE_ITEMS];
	uint32_t i;

	memset(want, SLOT_MISSING, sizeof(want));
	for (i = 0; i < index->count; i++)
		want[slots[i]] = (uint8_t)i;
	CHECK(read_index(index, base, got), "%s is one", name);
	for (i = 0; i < index->items; i++)
		CHECK(got[i] == want[i], "%s: item %u is in slot %u, not %u",
		      name, i, got[i], want[i]);
}

static const struct {
	const char *name;
	uint32_t width, base, none;
} forms[] = {
	{ "slots, all ones for none", 1, 0, 0xff },
	{ "slots, the highest positive for none", 1, 0, 0x7f },
	{ "bytes that are slots plus 1", 1, 1, 0 },
	{ "ints that are slots plus 1", 4, 1, 0 },
};

static void test_forms(void)
{
	size_t i;

	for (i = 0; i < COUNT(forms); i++) {
		struct index index = make(states, COUNT(states), STATE_ITEMS,
					  forms[i].width, forms[i].base,
					  forms[i].none);

		check_form(forms[i].name, states, &index, forms[i].base);
		free(index.raw);
		index = make(events, COUNT(events), EVENT_ITEMS,
			     forms[i].width, forms[i].base, forms[i].none);
		check_form(forms[i].name, events, &index, forms[i].base);
		free(index.raw);
	}
}

/* A table is read in the one form that it has; none passes for another. */
static void test_other_forms(void)
{
	uint8_t got[TABLE_ITEMS];
	size_t i, j;

	for (i = 0; i < COUNT(forms); i++) {
		struct index index = make(events, COUNT(events), EVENT_ITEMS,
					  forms[i].width, forms[i].base,
					  forms[i].none);

		for (j = 0; j < COUNT(forms); j++) {
			/* read beyond its end it must not be */
			index.width = forms[j].width;
			if (index.width > forms[i].width ||
			    (index.width == forms[i].width &&
			     forms[j].base == forms[i].base))
				continue;
			CHECK(!read_index(&index, forms[j].base, got),
			      "%s read as %s", forms[i].name, forms[j].name);
		}
		free(index.raw);
	}
}

/* In each form: one entry is wrong. */
static void test_refusals(void)
{
	static const struct {
		const char *name;
		uint32_t item;
		int slot;		/* -1: none */
	} cases[] = {
		{ "a slot twice, at another's place", 28, 0 },
		{ "a slot twice, where none was", 60, 0 },
		{ "the last slot twice", 60, (int)COUNT(events) - 1 },
		{ "the first slot missing", 0, -1 },
		{ "the last slot missing", 98, -1 },
		{ "one between missing", 33, -1 },
		{ "one out of range", 33, (int)COUNT(events) },
		{ "the last far out of range", 98, 100 },
	};
	uint8_t got[TABLE_ITEMS];
	size_t i, j;

	for (i = 0; i < COUNT(forms); i++) {
		for (j = 0; j < COUNT(cases); j++) {
			struct index index = make(events, COUNT(events),
				EVENT_ITEMS, forms[i].width, forms[i].base,
				forms[i].none);
			uint32_t value = cases[j].slot < 0 ? forms[i].none :
				(uint32_t)cases[j].slot + forms[i].base;

			set(&index, cases[j].item, value);
			CHECK(!read_index(&index, forms[i].base, got),
			      "%s: %s", forms[i].name, cases[j].name);
			free(index.raw);
		}
	}
}

/* The count is from elsewhere, a struct's size: it must be just that. */
static void test_counts(void)
{
	uint8_t got[TABLE_ITEMS];
	size_t i;

	for (i = 0; i < COUNT(forms); i++) {
		struct index index = make(events, COUNT(events), EVENT_ITEMS,
					  forms[i].width, forms[i].base,
					  forms[i].none);

		index.count++;
		CHECK(!read_index(&index, forms[i].base, got), "%s: too few",
		      forms[i].name);
		/* what is cut off is too few, too */
		index.count--;
		index.items = 98;
		CHECK(!read_index(&index, forms[i].base, got), "%s: cut off",
		      forms[i].name);
		free(index.raw);
	}
}

/* As many slots as there may be, backwards, and none at all. */
static void test_extremes(void)
{
	uint32_t slots[SLOT_MISSING - 1], i;
	struct index index;
	uint8_t got[TABLE_ITEMS];

	for (i = 0; i < COUNT(slots); i++)
		slots[i] = (uint32_t)COUNT(slots) - 1 - i;
	index = make(slots, COUNT(slots), TABLE_ITEMS, 4, 1, 0);
	check_form("most as ints", slots, &index, 1);
	free(index.raw);
	index = make(slots, COUNT(slots), TABLE_ITEMS, 1, 0, 0xff);
	check_form("most as bytes", slots, &index, 0);
	free(index.raw);
	index = make(slots, 0, TABLE_ITEMS, 4, 1, 0);
	CHECK(read_index(&index, 1, got), "none are 0 slots");
	CHECK_NUMBER("none", got[0], SLOT_MISSING);
	/* a negative one, and one whose lowest byte looks like a slot */
	set(&index, 5, (uint32_t)-1);
	set(&index, 6, 0x101);
	CHECK(read_index(&index, 1, got), "none are 0 slots");
	index.count = 1;
	CHECK(!read_index(&index, 1, got), "none is slot 0");
	free(index.raw);
}

static void test_stat_item(void)
{
	static struct tables tables = {
		.stats = { { "anon", 17 }, { "file", 0 }, { "kernel", 44 },
			   { "beyond", 3 } },
		.stat_count = 3,
	};

	CHECK_NUMBER("anon", tables_stat_item(&tables, "anon"), 17);
	CHECK_NUMBER("file", tables_stat_item(&tables, "file"), 0);
	CHECK_NUMBER("kernel", tables_stat_item(&tables, "kernel"), 44);
	CHECK_NUMBER("fil", tables_stat_item(&tables, "fil"), -ENOENT);
	CHECK_NUMBER("files", tables_stat_item(&tables, "files"), -ENOENT);
	CHECK_NUMBER("", tables_stat_item(&tables, ""), -ENOENT);
	CHECK_NUMBER("beyond", tables_stat_item(&tables, "beyond"), -ENOENT);
}

static void test_has_file(void)
{
	static struct tables tables = {
		.files = { "current", "stat", "events.local", "swap.current",
			   "beyond" },
		.file_count = 4,
	};

	CHECK(tables_has_file(&tables, "memory.current"), "current");
	CHECK(tables_has_file(&tables, "memory.events.local"), "events.local");
	CHECK(tables_has_file(&tables, "memory.swap.current"), "swap.current");
	CHECK(!tables_has_file(&tables, "memory.events"), "events");
	CHECK(!tables_has_file(&tables, "memory.peak"), "peak");
	CHECK(!tables_has_file(&tables, "memory.curren"), "curren");
	CHECK(!tables_has_file(&tables, "memory.current2"), "current2");
	CHECK(!tables_has_file(&tables, "memory."), "no name");
	CHECK(!tables_has_file(&tables, "memory.beyond"), "beyond");
	/* what is not memory's is not in its table */
	CHECK(tables_has_file(&tables, "cgroup.stat"), "cgroup.stat");
}

static const struct test tests[] = {
	{ "forms", test_forms },
	{ "other_forms", test_other_forms },
	{ "refusals", test_refusals },
	{ "counts", test_counts },
	{ "extremes", test_extremes },
	{ "stat_item", test_stat_item },
	{ "has_file", test_has_file },
};

int main(void)
{
	return TESTS_RUN("tables", tests);
}

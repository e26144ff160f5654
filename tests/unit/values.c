// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How values are got out of a record: each kind, its edges, all together. */
#include "../../read/snapshot.h"
#include "test.h"

#define PAGE	4096

static struct snapshot snapshot;

/* A record whose data is in a block of just its size. */
static struct record *make_record(uint32_t level, const void *data, size_t size)
{
	struct record *record = malloc(sizeof(*record) + size);

	memset(record, 0, sizeof(*record));
	record->level = level;
	record->data_length = (uint16_t)size;
	memcpy(record->data, data, size);
	return record;
}

static struct slot *put_slot(enum slot_kind kind, uint16_t offset,
			     uint32_t unit)
{
	int column = snapshot_column(&snapshot, "memory.stat", "key", NULL,
				     true);
	struct slot *slot = &snapshot.columns[column].slot;

	slot->kind = (uint8_t)kind;
	slot->offset = offset;
	slot->unit = unit;
	return slot;
}

/* By both ways that there are. */
static void check_value(const char *name, const struct record *record,
			size_t column, uint64_t want)
{
	static uint64_t values[COLUMNS_MAX];

	memset(values, 0x5a, sizeof(values));
	snapshot_values(&snapshot, record, values);
	CHECK_NUMBER(name, values[column], want);
	CHECK_NUMBER(name, snapshot_value(&snapshot, record, column), want);
}

static const struct {
	const char *name;
	enum slot_kind kind;
	uint32_t unit;
	uint64_t number, want;
} kinds[] = {
	{ "nothing", SLOT_NONE, 0, 5, VALUE_ABSENT },
	{ "value", SLOT_VALUE, 0, 5, 5 },
	{ "the largest", SLOT_VALUE, 0, VALUE_NO_LIMIT - 1,
	  VALUE_NO_LIMIT - 1 },
	{ "no limit", SLOT_VALUE, 0, VALUE_NO_LIMIT, VALUE_NO_LIMIT },
	{ "absent", SLOT_VALUE, 0, VALUE_ABSENT, VALUE_ABSENT },
	{ "pages", SLOT_STATE, PAGE, 3, 3 * PAGE },
	{ "bytes", SLOT_STATE, 1, 3, 3 },
	{ "most bytes", SLOT_STATE, 1, INT64_MAX, INT64_MAX },
	{ "-1 page", SLOT_STATE, PAGE, (uint64_t)-1, 0 },
	{ "least", SLOT_STATE, PAGE, (uint64_t)INT64_MIN, 0 },
	{ "limit", SLOT_LIMIT, PAGE, 3, 3 * PAGE },
	{ "limit 0", SLOT_LIMIT, PAGE, 0, 0 },
	{ "the highest limit", SLOT_LIMIT, PAGE, INT64_MAX / PAGE - 1,
	  (INT64_MAX / PAGE - 1) * PAGE },
	{ "PAGE_COUNTER_MAX", SLOT_LIMIT, PAGE, INT64_MAX / PAGE,
	  VALUE_NO_LIMIT },
	{ "that of 64 KiB pages", SLOT_LIMIT, 65536, INT64_MAX / 65536,
	  VALUE_NO_LIMIT },
	{ "int", SLOT_INT, 0, 0xaaaaaaaa00000007, 7 },
	{ "the largest int", SLOT_INT, 0, 0xffffffff, 0xffffffff },
	{ "byte", SLOT_BYTE, 0, 0xaaaaaaaaaaaaaa01, 1 },
	{ "the largest byte", SLOT_BYTE, 0, 0xff, 0xff },
};

static void test_kinds(void)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const uint64_t data[3] = { 0, kinds[i].number, 0 };
		struct record *record = make_record(1, data, sizeof(data));

		memset(&snapshot, 0, sizeof(snapshot));
		put_slot(kinds[i].kind, 8, kinds[i].unit);
		snapshot_prepare(&snapshot);
		check_value(kinds[i].name, record, 0, kinds[i].want);
		free(record);
	}
}

/* Data that ends before a value has none of it. */
static void test_ends(void)
{
	static const struct {
		enum slot_kind kind;
		size_t size;
	} sizes[] = {
		{ SLOT_VALUE, 8 }, { SLOT_STATE, 8 }, { SLOT_LIMIT, 8 },
		{ SLOT_INT, 4 }, { SLOT_BYTE, 1 },
	};
	const uint8_t data[32] = { 0 };
	size_t i, size;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		memset(&snapshot, 0, sizeof(snapshot));
		put_slot(sizes[i].kind, 16, 1);
		snapshot_prepare(&snapshot);
		for (size = 0; size <= 32; size++) {
			struct record *record = make_record(1, data, size);

			check_value("cut off", record, 0, size >= 16 +
				    sizes[i].size ? 0 : VALUE_ABSENT);
			free(record);
		}
	}
}

/* What the root does not have is not there, nor what is made of it. */
static void test_root(void)
{
	const uint64_t data[2] = { 50, 20 };
	struct record *root = make_record(0, data, sizeof(data));
	struct record *below = make_record(1, data, sizeof(data));
	struct slot *slot;

	memset(&snapshot, 0, sizeof(snapshot));
	/* made of columns behind it, too */
	slot = put_slot(SLOT_DIFFERENCE, 0, 0);
	slot->parts[0] = 2;
	slot->parts[1] = 3;
	put_slot(SLOT_VALUE, 0, 0)->not_on_root = true;
	put_slot(SLOT_VALUE, 8, 0);
	slot = put_slot(SLOT_SUM, 0, 0);
	slot->parts[0] = 2;
	slot->parts[1] = 3;
	snapshot_prepare(&snapshot);
	check_value("difference", below, 0, 30);
	check_value("sum", below, 3, 70);
	check_value("value", below, 1, 50);
	check_value("difference", root, 0, VALUE_ABSENT);
	check_value("sum of the rest", root, 3, 20);
	check_value("value", root, 1, VALUE_ABSENT);
	check_value("another", root, 2, 20);
	free(root);
	free(below);
}

static void check_derived(uint64_t first, uint64_t second, uint64_t sum,
			  uint64_t difference)
{
	const uint64_t data[2] = { first, second };
	struct record *record = make_record(1, data, sizeof(data));
	struct slot *slot;
	int kind;

	memset(&snapshot, 0, sizeof(snapshot));
	put_slot(SLOT_VALUE, 0, 0);
	put_slot(SLOT_VALUE, 8, 0);
	for (kind = SLOT_SUM; kind <= SLOT_DIFFERENCE; kind++) {
		slot = put_slot((enum slot_kind)kind, 0, 0);
		slot->parts[0] = 1;
		slot->parts[1] = 2;
	}
	snapshot_prepare(&snapshot);
	check_value("sum", record, 2, sum);
	check_value("difference", record, 3, difference);
	free(record);
}

static void test_derived(void)
{
	const uint64_t absent = VALUE_ABSENT;

	check_derived(7, 5, 12, 2);
	check_derived(5, 7, 12, 0);
	check_derived(5, 5, 10, 0);
	check_derived(0, 0, 0, 0);
	check_derived(absent, 5, 5, absent);
	check_derived(5, absent, 5, absent);
	check_derived(absent, absent, absent, absent);
	check_derived(VALUE_NO_LIMIT, 5, 5, absent);
	check_derived(5, VALUE_NO_LIMIT, 5, absent);
}

/* Any kind at any offset; the first is what those that are made are made of. */
static void put_random_slot(size_t n)
{
	enum slot_kind kind = n ? (enum slot_kind)(test_random() % SLOT_KINDS) :
		SLOT_VALUE;
	struct slot *slot = put_slot(kind, (uint16_t)(test_random() % 192),
				     1 + test_random() % PAGE);
	int i;

	if (kind != SLOT_SUM && kind != SLOT_DIFFERENCE)
		slot->not_on_root = test_random() % 3 == 0;
	for (i = 0; i < PARTS_MAX; i++)
		slot->parts[i] = 1;
}

/* Both ways say the same. */
static void test_both_ways(void)
{
	static uint64_t values[COLUMNS_MAX];
	struct record *record;
	uint8_t data[200];
	size_t round, i;

	for (round = 0; round < 300; round++) {
		memset(&snapshot, 0, sizeof(snapshot));
		for (i = 0; i < 50; i++)
			put_random_slot(i);
		snapshot_prepare(&snapshot);
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)(test_random() % 3 ? 0 :
					    test_random());
		record = make_record(round % 2, data, sizeof(data));
		snapshot_values(&snapshot, record, values);
		for (i = 0; i < 50; i++)
			CHECK(snapshot_value(&snapshot, record, i) ==
			      values[i], "kind %u at %u: %llu",
			      snapshot.columns[i].slot.kind,
			      snapshot.columns[i].slot.offset,
			      (unsigned long long)values[i]);
		free(record);
	}
}

/* Of a whole log, the numbers that were below 0. */
static void test_negative(void)
{
	static struct {
		uint64_t id;
		uint32_t level;
		uint16_t data_length, name_length;
		uint64_t data[3], name;
	} log[3] = {
		{ .data_length = 24, .name_length = 1,
		  .data = { 5, (uint64_t)-5, (uint64_t)-1 } },
		{ .data_length = 24, .name_length = 5,
		  .data = { 0, INT64_MAX, 0 } },
		{ .data_length = 24, .name_length = 8,
		  .data = { (uint64_t)INT64_MIN, 1, (uint64_t)-1 } },
	};

	memset(&snapshot, 0, sizeof(snapshot));
	put_slot(SLOT_STATE, 0, 1);
	put_slot(SLOT_STATE, 8, PAGE);
	put_slot(SLOT_VALUE, 16, 0);
	snapshot_prepare(&snapshot);
	snapshot.log = log;
	CHECK_NUMBER("none", snapshot_negative(&snapshot), 0);
	snapshot.log_used = sizeof(log);
	CHECK_NUMBER("below 0", snapshot_negative(&snapshot), 2);
}

static const struct test tests[] = {
	{ "kinds", test_kinds },
	{ "ends", test_ends },
	{ "root", test_root },
	{ "derived", test_derived },
	{ "both_ways", test_both_ways },
	{ "negative", test_negative },
};

int main(void)
{
	return TESTS_RUN("values", tests);
}

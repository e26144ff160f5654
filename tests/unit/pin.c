// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A pin's plan and map, of which each number in turn is made wrong: it is refused,
 * with the remedy, and the right one is taken.
 */
#include <errno.h>
#include <string.h>

#include "../../read/pin_plan.h"
#include "test.h"

#define TEXTS	"\0memory.stat.anon,limit\0/top"
#define LOG	1024

/* anon, memory.max, limit, and a difference of the first two. */
enum { ANON, MAX, LIMIT, WORKING, COLUMNS };

static struct {
	struct pin_head head;
	struct pin_column columns[COLUMNS];
	char texts[sizeof(TEXTS)];
} plan;

static _Alignas(8) char map_data[sizeof(struct walk_map) + LOG +
				 WALK_DATA_MAX];
static struct walk_map *const map = (void *)map_data;
static struct pin pin;
static struct snapshot snapshot;
static struct selection selection;
static struct reason reason;

static uint16_t number_of(const char *file, const char *key)
{
	return (uint16_t)(field_find(file, key, key ? strlen(key) : 0) -
			  fields);
}

static struct record *record_at(unsigned int index)
{
	return (void *)(map->log + index * 48);
}

/* Three records: /top, /top/a, /top/a/b. */
static void make(void)
{
	unsigned int i;

	memset(&plan, 0, sizeof(plan));
	memset(map_data, 0, sizeof(map_data));
	memset(&snapshot, 0, sizeof(snapshot));
	strcpy(plan.head.version, PIN_PROGRAM VERSION);
	plan.head.layout = pin_layout();
	plan.head.size = offsetof(__typeof__(plan), texts) + sizeof(TEXTS);
	plan.head.texts = offsetof(__typeof__(plan), texts);
	plan.head.map = 5;
	plan.head.column_count = COLUMNS;
	plan.head.fields = 1;
	plan.head.top = sizeof("\0memory.stat.anon,limit");
	plan.head.depth = UINT32_MAX;
	plan.head.plan.data_length = 24;
	plan.head.plan.flag_column = -1;
	memcpy(plan.texts, TEXTS, sizeof(TEXTS));
	for (i = 0; i < COLUMNS; i++) {
		plan.columns[i].slot.kind = i == WORKING ? SLOT_DIFFERENCE :
			SLOT_VALUE;
		plan.columns[i].slot.offset = (uint16_t)(i == WORKING ? 0 :
							 i * 8);
	}
	plan.columns[ANON].field = number_of("memory.stat", "anon");
	plan.columns[MAX].field = number_of("memory.max", NULL);
	plan.columns[LIMIT].field = number_of("limit", NULL);
	plan.columns[WORKING].field = number_of("working_set", NULL);
	plan.columns[WORKING].slot.parts[0] = ANON + 1;
	plan.columns[WORKING].slot.parts[1] = MAX + 1;
	for (i = 0; i < 3; i++) {
		struct record *record = record_at(i);
		uint64_t values[] = { 100 + i, 50 - i, 0 };

		record->level = 4 + i;
		record->data_length = 24;
		record->name_length = 2;
		memcpy(record->data, values, 24);
		record->data[24] = (uint8_t)('`' + i);
	}
	map->count = 3;
	map->used = 3 * 48;
	pin = (struct pin){
		.directory = "/pin", .plan = &plan,
		.plan_size = plan.head.size,
		.value = { .size = sizeof(struct walk_map) + LOG, .id = 5 },
	};
}

static int take_plan(const char *list)
{
	int err;

	CHECK(!selection_parse(&selection, list, false, &reason),
	      "%s", reason.text);
	memset(&reason, 0, sizeof(reason));
	err = pin_take_plan(&pin, &snapshot, &selection, &reason);
	selection_free(&selection);
	return err;
}

static int take_walk(const char *path)
{
	const struct walk_options walk = {
		.cgroup = -1, .directory = -1, .path = path,
		.depth = UINT32_MAX,
	};

	return pin_take_walk(&pin, &snapshot, map, &walk, &reason);
}

static void test_right(void)
{
	make();
	CHECK(!take_plan("anon,limit"), "%s", reason.text);
	CHECK(!take_walk("/top"), "%s", reason.text);
	CHECK(snapshot.log_used == 3 * 48 && snapshot.column_count == COLUMNS,
	      "%zu bytes", snapshot.log_used);
	CHECK(snapshot_value(&snapshot, record_at(1), ANON) == 101 &&
	      snapshot_value(&snapshot, record_at(1), WORKING) == 52,
	      "other values");
	/* nothing tells what is above it */
	CHECK(snapshot_value(&snapshot, record_at(1), LIMIT) == VALUE_ABSENT,
	      "a limit");
	CHECK(!take_walk("/top/a/b") && snapshot.log_used == 48, "%zu bytes",
	      snapshot.log_used);
	CHECK(take_walk("/top/b") == -ENOENT, "found");
}

static void test_selections(void)
{
	make();
	CHECK(take_plan("anon,file") == -ENODATA &&
	      strstr(reason.text, "memory.stat.file"), "%s", reason.text);
	make();
	CHECK(take_plan("memory.stat") == -ENODATA, "a part for a file");
	make();
	CHECK(take_plan("all") == -ENODATA, "a part for all");
	/* what is on cgroup v1 alone no pin can have */
	make();
	CHECK(!take_plan("anon,memory.usage_in_bytes"), "%s", reason.text);
}

/* Each is a number of the plan, or the map, and what it becomes. */
#define WRONG(number, value) do { \
	__typeof__(number) right; \
	\
	make(); \
	right = (number); \
	(number) = (__typeof__(number))(value); \
	CHECK(right != (number), #number ": that is right"); \
	CHECK((take_plan("anon") ?: take_walk("/top")) == -EBADF && \
	      strstr(reason.text, "--unpin /pin"), \
	      #number " = " #value ": %s", reason.text); \
} while (0)

static void test_wrong_plans(void)
{
	WRONG(plan.head.version[10], '9');
	WRONG(plan.head.layout, 1);
	WRONG(plan.head.size, plan.head.size - 1);
	WRONG(plan.head.map, 6);
	WRONG(plan.head.column_count, COLUMNS + 1);
	WRONG(plan.head.column_count, UINT32_MAX);
	WRONG(plan.head.texts, 0);
	WRONG(plan.texts[sizeof(TEXTS) - 1], 'x');
	WRONG(plan.head.plan.data_length, WALK_DATA_MAX + 8);
	WRONG(plan.head.plan.data_length, 16);	/* no room for limit */
	WRONG(plan.head.plan.flag_column, COLUMNS);
	WRONG(plan.head.plan.flag_kind, SLOT_DIFFERENCE);
	WRONG(plan.head.plan.subsys_columns[1][3], COLUMNS + 1);
	WRONG(plan.head.plan.subsys_columns[0][0], -1);
	WRONG(plan.columns[ANON].field, COLUMN_NEW);	/* without a key */
	WRONG(plan.columns[ANON].field,
	      number_of("memory.usage_in_bytes", NULL));
	WRONG(plan.columns[ANON].slot.kind, SLOT_KINDS);
	WRONG(plan.columns[LIMIT].slot.offset, 17);
	WRONG(plan.columns[WORKING].slot.parts[0], 0);
	WRONG(plan.columns[WORKING].slot.parts[1], WORKING + 1);
	WRONG(plan.columns[MAX].slot.kind, SLOT_DIFFERENCE);
	WRONG(pin.value.size, sizeof(struct walk_map));
	WRONG(pin.plan_size, plan.head.size + 1);
}

static void test_wrong_maps(void)
{
	WRONG(map->used, LOG + 8);
	WRONG(map->used, 3 * 48 + 8);
	WRONG(map->used, UINT64_MAX);
	WRONG(record_at(1)->data_length, 32);
	WRONG(record_at(1)->level, 4);
	WRONG(record_at(1)->level, 3);
	WRONG(record_at(2)->level, 7);
	WRONG(record_at(2)->name_length, 200);
	make();
	map->missed = 1;
	CHECK(!take_plan("anon") && take_walk("/top") == -EOVERFLOW &&
	      strstr(reason.text, "--capacity"), "%s", reason.text);
	make();
	map->count = 0;
	map->used = 0;
	CHECK(!take_plan("anon") && take_walk("/top") == -ENODATA, "%s",
	      reason.text);
}

static const struct test tests[] = {
	{ "right", test_right }, { "selections", test_selections },
	{ "wrong_plans", test_wrong_plans }, { "wrong_maps", test_wrong_maps },
};

int main(void)
{
	return TESTS_RUN("pin", tests);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pictures sorted, cut short and made into rates, one after another. */
#include "../../read/arrange.h"
#include "capture.h"
#include "rows.h"
#include "test.h"

#define SECOND	1000000000ULL

static struct arranged arranged;

/* A picture with a gauge, a limit and a counter. */
static void begin_picture(uint64_t clock)
{
	begin_rows();
	snapshot.clock = clock;
	add_column(&snapshot, "memory.current", NULL);
	add_column(&snapshot, "memory.max", NULL);
	add_column(&snapshot, "memory.stat", "pgfault");
	snapshot_sort(&snapshot);
}

static void add(uint64_t id, const char *name, uint64_t current, uint64_t max,
		uint64_t pgfault)
{
	const uint64_t values[] = { current, max, pgfault };

	add_row(id, name, values);
}

/* What it was made into, as "/:1,2,3 /a:-,max,5"; rates in thousandths. */
static void check(const char *name, const struct arrangement *how,
		  const char *want)
{
	static char got[64 << 10];
	uint64_t values[COLUMNS_MAX];
	struct rows rows;
	size_t used = 0, i;

	CHECK_NUMBER(name, arrange(&arranged, &snapshot, how), 0);
	got[0] = '\0';
	rows_begin(&rows, &arranged.snapshot);
	while (rows_next(&rows) > 0) {
		snapshot_values(&arranged.snapshot, rows.record, values);
		used += (size_t)snprintf(got + used, sizeof(got) - used,
			"%s%.*s:", used ? " " : "", (int)rows.path.used,
			rows.path.data);
		for (i = 0; i < arranged.snapshot.column_count; i++) {
			const char *comma = i ? "," : "";

			CHECK(snapshot_value(&arranged.snapshot, rows.record,
					     i) == values[i], "%s: one by one",
			      name);
			used += (size_t)(values[i] < VALUE_NO_LIMIT ?
				snprintf(got + used, sizeof(got) - used,
					 "%s%llu", comma,
					 (unsigned long long)values[i]) :
				snprintf(got + used, sizeof(got) - used, "%s%s",
					 comma, values[i] == VALUE_ABSENT ?
					 "-" : "max"));
		}
	}
	rows_end(&rows);
	CHECK_TEXT(name, got, want);
}

static void test_sort(void)
{
	struct arrangement how = {
		.sort = { .fields = { 0 }, .count = 1 }, .top = UINT64_MAX,
	};

	begin_picture(0);
	add(1, "", VALUE_ABSENT, VALUE_ABSENT, 9);
	add(2, "a", 5, VALUE_NO_LIMIT, 1);
	add(3, "b", 7, 10, VALUE_ABSENT);
	add(4, "c", 5, 0, 3);
	add(5, "d", 0, VALUE_NO_LIMIT, 0);
	check("the largest first, ties as they came, absent last", &how,
	      "/b:7,10,- /a:5,max,1 /c:5,0,3 /d:0,max,0 /:-,-,9");
	how.sort.fields[0] = 1;
	check("no limit is above any number", &how,
	      "/a:5,max,1 /d:0,max,0 /b:7,10,- /c:5,0,3 /:-,-,9");
	how.sort = (struct sum){ .fields = { 0, 2 }, .count = 2 };
	check("a sum, of which no part is absent", &how,
	      "/c:5,0,3 /a:5,max,1 /d:0,max,0 /:-,-,9 /b:7,10,-");
	how.sort.count = 0;
	check("as they come", &how,
	      "/:-,-,9 /a:5,max,1 /b:7,10,- /c:5,0,3 /d:0,max,0");
	how.top = 2;
	check("only two", &how, "/:-,-,9 /a:5,max,1");
	how.sort = (struct sum){ .fields = { 0 }, .count = 1 };
	check("the top", &how, "/b:7,10,- /a:5,max,1");
	how.top = 5;
	how.sort.fields[0] = 2;
	check("all is the top", &how,
	      "/:-,-,9 /c:5,0,3 /a:5,max,1 /d:0,max,0 /b:7,10,-");
	begin_picture(0);
	check("nothing", &how, "");
	arranged_free(&arranged);
}

/* Paths, ids and levels stay with their values. */
static void test_paths(void)
{
	struct arrangement how = {
		.sort = { .fields = { 0 }, .count = 1 }, .top = UINT64_MAX,
	};
	char name[16], want[64];
	struct rows rows;
	uint64_t i;

	begin_picture(0);
	snapshot.path = "/top";
	add(1, "", 0, 0, 0);
	for (i = 1; i <= 2000; i++) {
		snprintf(name, sizeof(name), "n%d", (int)i);
		add(i + 10, name, i * 7919 % 2003, 0, i);
	}
	CHECK_NUMBER("many", arrange(&arranged, &snapshot, &how), 0);
	rows_begin(&rows, &arranged.snapshot);
	for (i = 2002; rows_next(&rows) > 0; i--) {
		uint64_t number = rows.record->id - 10;

		if (rows.record->id == 1)
			break;
		snprintf(want, sizeof(want), "/top/n%d", (int)number);
		CHECK(rows.path.used == strlen(want) &&
		      !memcmp(rows.path.data, want, rows.path.used),
		      "%s is %.*s", want, (int)rows.path.used, rows.path.data);
		CHECK_NUMBER(want, snapshot_value(&arranged.snapshot,
						  rows.record, 2), number);
		CHECK(snapshot_value(&arranged.snapshot, rows.record, 0) <= i,
		      "%s is too large for its place", want);
		i = snapshot_value(&arranged.snapshot, rows.record, 0);
	}
	CHECK_NUMBER("the last", rows.record->id, 1);
	rows_end(&rows);
	arranged_free(&arranged);
}

static void test_rates(void)
{
	struct arrangement how = { .top = UINT64_MAX, .rate = true };

	begin_picture(5 * SECOND);
	add(1, "", VALUE_ABSENT, VALUE_ABSENT, 1000);
	add(2, "steady", 5, 9, 100);
	add(3, "fallen", 6, VALUE_NO_LIMIT, 100);
	add(4, "vanished", 7, 9, 100);
	add(5, "again", 8, 9, 100);
	add(6, "absent", 9, 9, VALUE_ABSENT);
	check("a first picture has none", &how,
	      "/:-,-,- /steady:5,9,- /fallen:6,max,- /vanished:7,9,-"
	      " /again:8,9,- /absent:9,9,-");
	begin_picture(7 * SECOND + SECOND / 2);
	add(1, "", VALUE_ABSENT, VALUE_ABSENT, 1001);
	add(7, "new", 1, 9, 50);
	add(2, "steady", 4, 9, 100);
	add(3, "fallen", 6, VALUE_NO_LIMIT, 99);
	add(8, "again", 8, 9, 300);
	add(6, "absent", 9, 9, 5);
	check("by the id; a counter that fell has none", &how,
	      "/:-,-,400 /new:1,9,- /steady:4,9,0 /fallen:6,max,-"
	      " /again:8,9,- /absent:9,9,-");
	CHECK_NUMBER("over", arranged.snapshot.rate_time, SECOND * 5 / 2);
	CHECK(arranged.snapshot.columns[2].is_rate &&
	      !arranged.snapshot.columns[0].is_rate &&
	      !arranged.snapshot.columns[1].is_rate, "counters alone");
	begin_picture(8 * SECOND + SECOND / 2);
	add(1, "", VALUE_ABSENT, VALUE_ABSENT, 1001);
	add(8, "again", 8, 9, 300 + 12345678901);
	add(6, "absent", 9, 9, 6);
	add(3, "fallen", 6, 9, 99);
	add(7, "new", 1, 9, UINT64_MAX - 2);
	check("each picture against the one before it", &how,
	      "/:-,-,0 /again:8,9,12345678901000 /absent:9,9,1000 /fallen:6,9,0"
	      " /new:1,9,-");
	begin_picture(8 * SECOND + SECOND / 2);
	add(1, "", VALUE_ABSENT, VALUE_ABSENT, 1002);
	check("no time went by", &how, "/:-,-,-");
	arranged_free(&arranged);
}

/* What is looked at is the rate, also by --sort. */
static void test_sorted_rates(void)
{
	struct arrangement how = {
		.sort = { .fields = { 2 }, .count = 1 }, .top = 2, .rate = true,
	};

	begin_picture(SECOND);
	add(1, "", 1, 1, 1000000);
	add(2, "a", 1, 1, 10);
	add(3, "b", 1, 1, 20);
	check("none yet", &how, "/:1,1,- /a:1,1,-");
	begin_picture(4 * SECOND);
	add(1, "", 1, 1, 1000001);
	add(2, "a", 1, 1, 12);
	add(3, "b", 1, 1, 120);
	add(4, "c", 1, 1, 1 << 20);
	check("by the rate, rounded", &how, "/b:1,1,33333 /a:1,1,667");
	how.sort.fields[0] = 0;
	how.top = 1;
	begin_picture(5 * SECOND);
	add(1, "", 1, 1, 1000001);
	add(2, "a", 2, 1, 15);
	check("by a gauge", &how, "/a:2,1,3000");
	arranged_free(&arranged);
}

/* A column that comes later has no value before; its first rate is absent. */
static void test_later_columns(void)
{
	struct arrangement how = { .top = UINT64_MAX, .rate = true };
	uint64_t values[] = { 1, 2, 100, 7 };

	begin_picture(SECOND);
	add(2, "", 1, 2, 50);
	check("three", &how, "/:1,2,-");
	begin_picture(2 * SECOND);
	add_column(&snapshot, "memory.events", "oom");
	snapshot_sort(&snapshot);
	add_row(2, "", values);
	check("four", &how, "/:1,2,50000,-");
	begin_picture(3 * SECOND);
	add_column(&snapshot, "memory.events", "oom");
	snapshot.columns[0].slot.kind = SLOT_NONE;
	snapshot_sort(&snapshot);
	values[3] = 8;
	add_row(2, "", values);
	check("one of them gone", &how, "/:-,2,0,1000");
	CHECK_NUMBER("nowhere", arranged.snapshot.columns[0].slot.kind,
		     SLOT_NONE);
	arranged_free(&arranged);
}

static const struct test tests[] = {
	{ "sort", test_sort },
	{ "paths", test_paths },
	{ "rates", test_rates },
	{ "sorted_rates", test_sorted_rates },
	{ "later_columns", test_later_columns },
};

int main(void)
{
	return TESTS_RUN("arrange", tests);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rows of allocation sites: what is summed up, chosen, compared, sorted. */
#include "../../read/alloc_table.h"
#include "test.h"

static struct alloc_query query;
static struct alloc_table table, before;

static struct alloc_name name_of(const char *text)
{
	struct alloc_name name = { text, strlen(text) };

	return name;
}

static void add(struct alloc_table *to, int64_t bytes, int64_t calls,
		const char *file, uint32_t line, const char *function,
		const char *module)
{
	struct alloc_tag tag = {
		.bytes = bytes, .calls = calls, .line = line, .accurate = true,
	};

	tag.names[ALLOC_FILE] = name_of(file);
	tag.names[ALLOC_FUNCTION] = name_of(function);
	if (module)
		tag.names[ALLOC_MODULE] = name_of(module);
	CHECK_NUMBER("add", alloc_table_add(to, &tag), 0);
}

static void begin(enum alloc_by by)
{
	memset(&query, 0, sizeof(query));
	query.by = by;
	query.top = UINT64_MAX;
	alloc_table_begin(&table, &query);
	alloc_table_begin(&before, &query);
}

static void fill(struct alloc_table *to)
{
	add(to, 100, 1, "mm/a.c", 1, "f", NULL);
	add(to, 200, 2, "mm/a.c", 2, "f", NULL);
	add(to, 400, 4, "mm/b.c", 1, "g", NULL);
	add(to, 800, 8, "fs/c.c", 7, "f", "xfs");
	add(to, 1600, 16, "mm/a.c", 1, "f", NULL);	/* the first, again */
	add(to, -50, -1, "fs/d.c", 7, "h", "nfs");
}

/* A row as "BYTES CALLS FILE:LINE FUNCTION MODULE", with "-" for no name. */
static const char *text_of(size_t place)
{
	const struct alloc_row *row = alloc_table_row(&table, place);
	static char text[200];
	struct alloc_name names[ALLOC_NAMES];
	int i;

	for (i = 0; i < ALLOC_NAMES; i++) {
		names[i] = alloc_table_name(&table, row, (enum alloc_by)i);
		CHECK_NUMBER("terminated", strlen(names[i].text),
			     names[i].length);
		if (query.by != ALLOC_SITE && query.by != i) {
			CHECK_NUMBER("not by it", names[i].length, 0);
			names[i].text = "-";
		}
	}
	snprintf(text, sizeof(text), "%lld %lld %s:%u %s %s",
		 (long long)row->bytes, (long long)row->calls,
		 names[ALLOC_FILE].text, row->line, names[ALLOC_FUNCTION].text,
		 names[ALLOC_MODULE].text);
	return text;
}

static void check_rows(const char *name, const char *const *want, size_t count)
{
	size_t i;

	CHECK_NUMBER(name, alloc_table_rank(&table), 0);
	CHECK_NUMBER(name, table.shown, count);
	for (i = 0; i < count && i < table.shown; i++)
		CHECK_TEXT(name, text_of(i), want[i]);
}

#define CHECK_ROWS(name, ...) do { \
	static const char *const want_[] = { __VA_ARGS__ }; \
	check_rows(name, want_, sizeof(want_) / sizeof(*want_)); \
} while (0)

static void test_groups(void)
{
	begin(ALLOC_SITE);
	fill(&table);
	CHECK_ROWS("site", "1700 17 mm/a.c:1 f ", "800 8 fs/c.c:7 f xfs",
		   "400 4 mm/b.c:1 g ", "200 2 mm/a.c:2 f ",
		   "-50 -1 fs/d.c:7 h nfs");
	begin(ALLOC_FILE);
	fill(&table);
	CHECK_ROWS("file", "1900 19 mm/a.c:0 - -", "800 8 fs/c.c:0 - -",
		   "400 4 mm/b.c:0 - -", "-50 -1 fs/d.c:0 - -");
	begin(ALLOC_FUNCTION);
	fill(&table);
	CHECK_ROWS("function", "2700 27 -:0 f -", "400 4 -:0 g -",
		   "-50 -1 -:0 h -");
	begin(ALLOC_MODULE);
	fill(&table);
	CHECK_ROWS("module", "2300 23 -:0 - ", "800 8 -:0 - xfs",
		   "-50 -1 -:0 - nfs");
}

/* The same place in two modules, and names whose borders move. */
static void test_apart(void)
{
	begin(ALLOC_SITE);
	add(&table, 1, 1, "a.h", 1, "f", NULL);
	add(&table, 2, 1, "a.h", 1, "f", "m");
	add(&table, 3, 1, "a.h", 1, "f", "mm");
	add(&table, 4, 1, "a.h", 1, "ff", "m");
	add(&table, 5, 1, "a.hf", 1, "", "fm");
	CHECK_ROWS("apart", "5 1 a.hf:1  fm", "4 1 a.h:1 ff m",
		   "3 1 a.h:1 f mm", "2 1 a.h:1 f m", "1 1 a.h:1 f ");
}

static void test_order(void)
{
	begin(ALLOC_SITE);
	query.by_calls = true;
	query.top = 2;
	add(&table, 900, 3, "a", 1, "f", NULL);
	add(&table, 100, 9, "b", 1, "f", NULL);
	add(&table, 500, 9, "c", 1, "f", NULL);
	CHECK_ROWS("calls, the first first", "100 9 b:1 f ", "500 9 c:1 f ");
	query.by_calls = false;
	CHECK_ROWS("bytes", "900 3 a:1 f ", "500 9 c:1 f ");
	query.top = 7;
	query.min_size = 500;
	CHECK_ROWS("large enough", "900 3 a:1 f ", "500 9 c:1 f ");
	query.min_size = 901;
	CHECK_NUMBER("none", alloc_table_rank(&table), 0);
	CHECK_NUMBER("none", table.shown, 0);
	begin(ALLOC_SITE);
	alloc_table_free(&table);
	alloc_table_begin(&table, &query);
	CHECK_NUMBER("empty", alloc_table_rank(&table), 0);
	CHECK_NUMBER("empty", table.shown, 0);
}

static void test_parts(void)
{
	begin(ALLOC_SITE);
	query.parts[ALLOC_FILE] = "b.c";
	fill(&table);
	CHECK_ROWS("file", "400 4 mm/b.c:1 g ");
	begin(ALLOC_FILE);
	query.parts[ALLOC_FUNCTION] = "f";
	query.parts[ALLOC_FILE] = "mm/";
	fill(&table);
	CHECK_ROWS("two", "1900 19 mm/a.c:0 - -");
	begin(ALLOC_SITE);
	query.parts[ALLOC_MODULE] = "fs";
	fill(&table);
	CHECK_ROWS("module", "800 8 fs/c.c:7 f xfs", "-50 -1 fs/d.c:7 h nfs");
	begin(ALLOC_MODULE);
	query.parts[ALLOC_MODULE] = "";
	fill(&table);
	CHECK_NUMBER("any", table.count, 3);
	begin(ALLOC_SITE);
	query.parts[ALLOC_FILE] = "mm/a.cc";
	fill(&table);
	CHECK_NUMBER("longer than all", table.count, 0);
}

static void test_growth(void)
{
	const struct alloc_row *row;

	begin(ALLOC_SITE);
	add(&before, 100, 1, "same", 1, "f", NULL);
	add(&before, 100, 5, "more", 1, "f", NULL);
	add(&before, 900, 9, "less", 1, "f", "m");
	add(&before, 700, 7, "gone", 1, "f", "m");
	add(&table, 800, 8, "less", 1, "f", "m");
	add(&table, 50, 2, "new", 1, "f", NULL);
	add(&table, 100, 1, "same", 1, "f", NULL);
	add(&table, 500, 6, "more", 1, "f", NULL);
	add(&table, 10, 1, "more", 1, "f", NULL);
	alloc_table_grow(&table, &before);
	CHECK_ROWS("by growth", "510 7 more:1 f ", "50 2 new:1 f ",
		   "100 1 same:1 f ", "800 8 less:1 f m");
	row = alloc_table_row(&table, 0);
	CHECK_NUMBER("more", row->bytes_growth, 410);
	CHECK_NUMBER("more", row->calls_growth, 2);
	row = alloc_table_row(&table, 1);
	CHECK_NUMBER("new", row->bytes_growth, 50);
	row = alloc_table_row(&table, 3);
	CHECK_NUMBER("less", row->bytes_growth, -100);
	CHECK_NUMBER("less", row->calls_growth, -1);
	query.by_calls = true;
	query.top = 1;
	CHECK_ROWS("by calls, then by size", "510 7 more:1 f ");
	/* nothing before, and not even a row */
	alloc_table_free(&before);
	alloc_table_begin(&before, &query);
	alloc_table_grow(&table, &before);
	CHECK_NUMBER("rank", alloc_table_rank(&table), 0);
	row = alloc_table_row(&table, 0);
	CHECK_NUMBER("all is new", row->calls_growth, row->calls);
}

/* So many that chains are long, in any order. */
static void test_many(void)
{
	enum { ROWS = 20000, STEP = 7919 };	/* a prime: each once */
	char file[40];
	size_t i;

	begin(ALLOC_SITE);
	for (i = 0; i < ROWS * 3; i++) {
		size_t number = i * STEP % ROWS;

		snprintf(file, sizeof(file), "dir/%zu.c", number % 100);
		add(&table, (int64_t)number, 1, file, (uint32_t)number, "f",
		    number % 2 ? "m" : NULL);
	}
	CHECK_NUMBER("rank", alloc_table_rank(&table), 0);
	CHECK_NUMBER("rows", table.shown, ROWS);
	for (i = 0; i < ROWS; i++) {
		const struct alloc_row *row = alloc_table_row(&table, i);

		if (row->line != ROWS - 1 - i ||
		    row->bytes != (int64_t)row->line * 3 || row->calls != 3)
			CHECK(false, "%zu: line %u, %lld bytes", i, row->line,
			      (long long)row->bytes);
	}
	/* again, with the memory that there is */
	alloc_table_begin(&table, &query);
	fill(&table);
	CHECK_NUMBER("few", table.count, 5);
}

static void test_accurate(void)
{
	struct alloc_tag tag = { .bytes = 1, .calls = 1, .line = 1 };

	begin(ALLOC_FILE);
	tag.names[ALLOC_FILE] = name_of("a");
	tag.names[ALLOC_FUNCTION] = name_of("f");
	add(&table, 1, 1, "a", 2, "g", NULL);
	add(&table, 9, 1, "b", 2, "g", NULL);
	CHECK_NUMBER("add", alloc_table_add(&table, &tag), 0);
	add(&table, 1, 1, "a", 3, "g", NULL);
	CHECK_ROWS("file", "9 1 b:0 - -", "3 3 a:0 - -");
	CHECK_NUMBER("all are", alloc_table_row(&table, 0)->accurate, true);
	CHECK_NUMBER("one is not", alloc_table_row(&table, 1)->accurate, false);
}

int main(void)
{
	static const struct test tests[] = {
		{ "groups", test_groups },
		{ "apart", test_apart },
		{ "order", test_order },
		{ "parts", test_parts },
		{ "growth", test_growth },
		{ "many", test_many },
		{ "accurate", test_accurate },
	};

	return TESTS_RUN("alloc_table", tests);
}

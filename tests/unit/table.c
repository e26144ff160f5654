// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "../../write/table.h"
#include "capture.h"
#include "test.h"

static const struct {
	uint64_t value;
	const char *brief, *exact;
} values[] = {
	{ 0, "0", "0" },
	{ 1, "1", "1" },
	{ 1023, "1023", "1023" },
	{ 1024, "1.0K", "1024" },
	{ 1025, "1.0K", "1025" },
	{ 1536, "1.5K", "1536" },
	{ 10239, "9.9K", "10239" },
	{ 10240, "10K", "10240" },
	{ (1 << 20) - 1, "1023K", "1048575" },
	{ 1 << 20, "1.0M", "1048576" },
	{ 1ULL << 30, "1.0G", "1073741824" },
	{ 1ULL << 40, "1.0T", "1099511627776" },
	{ (1ULL << 50) - 1, "1023T", "1125899906842623" },
	{ 1ULL << 50, "1.0P", "1125899906842624" },
	{ (1ULL << 60) - 1, "1023P", "1152921504606846975" },
	{ 1ULL << 60, "1.0E", "1152921504606846976" },
	{ 1ULL << 63, "8.0E", "9223372036854775808" },
	{ UINT64_MAX - 2, "15E", "18446744073709551613" },
	{ VALUE_NO_LIMIT, "max", "max" },
	{ VALUE_ABSENT, "-", "-" },
};

static void check_value(size_t i, enum field_unit unit, bool bytes,
			const char *want)
{
	/* of just the size that the header asks for */
	char *got = malloc(24);

	CHECK_NUMBER(want, table_value(got, values[i].value, unit, bytes),
		     strlen(want));
	CHECK_TEXT(values[i].exact, got, want);
	free(got);
}

static void test_values(void)
{
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		check_value(i, UNIT_BYTES, false, values[i].brief);
		check_value(i, UNIT_BYTES, true, values[i].exact);
		check_value(i, UNIT_PAGES, false, values[i].exact);
		check_value(i, UNIT_NUMBER, false, values[i].exact);
	}
}

/*
 * The text never claims more than there is, nor a tenth or a unit less (but for
 * the hundredth of a step that is lost to division).
 */
static void test_rounding(void)
{
	static const char units[] = "KMGTPE";
	int i;

	for (i = 0; i < 100000; i++) {
		uint64_t value = ((uint64_t)test_random() << 32 |
				  test_random()) >> test_random() % 54;
		char text[24], *end, unit;
		double shown, step;

		if (value < 1024 || value >= VALUE_NO_LIMIT)
			continue;
		/* the unit goes first: strtod() would take an E for its own */
		end = text + table_value(text, value, UNIT_BYTES, false) - 1;
		unit = *end;
		*end = '\0';
		CHECK(strchr(units, unit), "%s, unit %c", text, unit);
		step = (double)(1ULL << 10 * (strcspn(units, (char[]){ unit,
					      '\0' }) + 1));
		shown = strtod(text, NULL) * step;
		if (strchr(text, '.'))
			step /= 10;
		CHECK(shown <= (double)value &&
		      shown + step * 1.01 > (double)value,
		      "%llu is %s%c", (unsigned long long)value, text, unit);
		CHECK(strlen(text) <= 4, "%s", text);
	}
}

struct one_record {
	uint64_t id;
	uint32_t level;
	uint16_t data_length, name_length;
	uint64_t values[2];
	char name[24];
};

static const struct one_record records[] = {
	{ .id = 1, .level = 0, .data_length = 16, .name_length = 24,
	  .values = { VALUE_ABSENT, 5 } },
	{ .id = 2, .level = 1, .data_length = 16, .name_length = 24,
	  .values = { 1ULL << 63, VALUE_NO_LIMIT },
	  .name = "a\x1b[31m\x7f\n\xff\xc2\x9b\xc3\xa4" },
};

static void check_styled(const char *list, struct table_style style,
			 bool rate, const char *want)
{
	static struct snapshot snapshot;
	struct selection selection;
	struct reason reason;
	size_t size;
	char *text;

	memset(&snapshot, 0, sizeof(snapshot));
	snapshot.path = "/";
	snapshot.depth = 9;
	snapshot.log = records;
	snapshot.log_used = sizeof(records);
	add_column(&snapshot, "memory.current", NULL);
	add_column(&snapshot, "memory.stat", "anon");
	snapshot_sort(&snapshot);
	snapshot.columns[1].is_rate = rate;
	style.selection = &selection;
	CHECK_NUMBER(list, selection_parse(&selection, list, false, &reason),
		     0);
	CHECK_NUMBER(list, table_write(capture_begin(), &snapshot, &style), 0);
	text = capture_end(&size);
	CHECK_TEXT(list, text, want);
	selection_free(&selection);
	free(text);
}

static void check_table(const char *list, bool bytes, const char *want)
{
	const struct table_style style = {
		.bytes = bytes, .rows = SIZE_MAX, .width = SIZE_MAX,
		.end = "\n",
	};

	check_styled(list, style, false, want);
}

/* In the order asked for, each once, and apart however wide a value is. */
static void test_columns(void)
{
	#define NAME "/a\\x1b[31m\\x7f\\x0a\\xff\\xc2\\x9b\xc3\xa4\n"

	check_table("memory.current,anon", false,
		    "current  anon  cgroup\n"
		    "      -     5  /\n"
		    "   8.0E   max  " NAME);
	check_table("anon,memory.current,anon", true,
		    "anon              current  cgroup\n"
		    "   5                    -  /\n"
		    " max  9223372036854775808  " NAME);
	check_table("memory.stat", false,
		    "anon  cgroup\n"
		    "   5  /\n"
		    " max  " NAME);
	check_table("all", false,
		    "current  anon  cgroup\n"
		    "      -     5  /\n"
		    "   8.0E   max  " NAME);
}

/* A rate has thousandths, whatever its unit is. */
static void test_rate(void)
{
	const struct table_style style = {
		.rows = SIZE_MAX, .width = SIZE_MAX, .end = "\n",
	};

	check_styled("memory.current,anon", style, true,
		     "current  anon/s  cgroup\n"
		     "      -   0.005  /\n"
		     "   8.0E     max  " NAME);
}

/*
 * In a window: the end of a path is what tells it from others, and is cut between
 * characters; columns give way from the last on, which the head tells.
 */
static void test_window(void)
{
	struct table_style style = { .rows = SIZE_MAX, .end = "\n" };

	style.width = 49;
	check_styled("memory.current,anon", style, false,
		     "current  anon  cgroup\n"
		     "      -     5  /\n"
		     "   8.0E   max  " NAME);
	style.width = 43;
	check_styled("memory.current,anon", style, false,
		     "current  anon  cgroup\n"
		     "      -     5  /\n"
		     "   8.0E   max  ..[31m\\x7f\\x0a\\xff\\xc2\\x9b\xc3\xa4\n");
	style.width = 35;
	check_styled("memory.current,anon", style, false,
		     "current  anon  cgroup\n"
		     "      -     5  /\n"
		     "   8.0E   max  ..\\x0a\\xff\\xc2\\x9b\xc3\xa4\n");
	style.width = 34;
	check_styled("memory.current,anon", style, false,
		     "current  cgroup (+1 columns)\n"
		     "      -  /\n"
		     "   8.0E  ..1m\\x7f\\x0a\\xff\\xc2\\x9b\xc3\xa4\n");
	style.width = 1;
	check_styled("memory.current,anon", style, false,
		     "cgroup (+2 columns)\n/\n"
		     "..\\x0a\\xff\\xc2\\x9b\xc3\xa4\n");
	style.rows = 1;
	style.end = "$\n";
	check_styled("memory.current,anon", style, false,
		     "cgroup (+2 columns)$\n/$\n");
	/* a value that is not shown does not make its column wide */
	style.width = 80;
	check_styled("anon,memory.current", style, false,
		     "anon  current  cgroup$\n   5        -  /$\n");
	style.rows = 0;
	check_styled("anon", style, false, "anon  cgroup$\n");
}

static const struct test tests[] = {
	{ "values", test_values },
	{ "rounding", test_rounding },
	{ "columns", test_columns },
	{ "rate", test_rate },
	{ "window", test_window },
};

int main(void)
{
	return TESTS_RUN("table", tests);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CSV, against a reader of our own that keeps to RFC 4180. */
#include "../../write/csv.h"
#include "capture.h"
#include "rows.h"
#include "test.h"

static char *written(void)
{
	size_t size;
	char *text;

	CHECK_NUMBER("csv", csv_write(capture_begin(), &snapshot, true, false), 0);
	text = capture_end(&size);
	CHECK_NUMBER("no NUL", strlen(text), size);
	return text;
}

/*
 * Read one field into @to. Return: what ends it, ',' or '\n', or -1 where it is
 * malformed; @at is behind that.
 */
static int read_field(const char **at, char *to)
{
	const char *from = *at;

	if (*from == '"') {
		for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
			if (*from == '"')
				from++;
			*to++ = *from;
		}
		if (*from++ != '"')
			return -1;
	} else {
		while (*from && !strchr(",\"\r\n", *from))
			*to++ = *from++;
	}
	*to = '\0';
	if (*from == ',') {
		*at = from + 1;
		return ',';
	}
	if (from[0] != '\r' || from[1] != '\n')
		return -1;
	*at = from + 2;
	return '\n';
}

static void expect_field(const char **at, const char *want, int end)
{
	char got[1000];
	int ended;

	if (strlen(*at) >= sizeof(got) && !strchr(*at, '\n')) {
		CHECK(false, "no end of a line: %.40s", *at);
		return;
	}
	ended = read_field(at, got);
	CHECK(ended == end, "'%s' ends with %d, not %d", want, ended, end);
	if (ended >= 0)
		CHECK_TEXT("field", got, want);
}

static void test_text(void)
{
	static const uint64_t rows[][4] = {
		{ VALUE_ABSENT, VALUE_ABSENT, 5, VALUE_ABSENT },
		{ 10, VALUE_NO_LIMIT, 0, 18446744073709551613U },
	};
	char *text;

	begin_rows();
	add_column(&snapshot, "memory.current", NULL);
	add_column(&snapshot, "memory.max", NULL);
	add_column(&snapshot, "memory.stat", "anon");
	add_column(&snapshot, "memory.stat", "newer");
	add_column(&snapshot, "memory.stat", "file");
	snapshot.columns[4].slot.kind = SLOT_NONE;
	snapshot_sort(&snapshot);
	snapshot.column_count--;	/* the rows have four */
	add_row(1, "", rows[0]);
	add_row(22, "a\"b", rows[1]);
	snapshot.column_count++;
	text = written();
	CHECK_TEXT("rows", text, "path,id,memory.current,memory.max,"
		   "memory.stat.anon,\"memory.stat.newer\"\r\n"
		   "\"/\",1,,,5,\r\n"
		   "\"/a\"\"b\",22,10,max,0,18446744073709551613\r\n");
	free(text);
}

/* A path is any bytes but NUL and '/', and each comes back. */
static void test_paths(void)
{
	static const char special[] = "\"\",\r\n\\ ;'\x01\x7f\xff\xc3\xa4";
	static char names[200][20];
	static const uint64_t value = 7;
	char path[30], id[24], *text;
	const char *at;
	size_t i, j;

	begin_rows();
	add_column(&snapshot, "memory.stat", "a,\"\n\"key");
	snapshot_sort(&snapshot);
	add_row(0, "", &value);
	for (i = 1; i < 200; i++) {
		for (j = 0; j < 1 + i % 18; j++)
			names[i][j] = special[test_random() %
					      (sizeof(special) - 1)];
		add_row(i, names[i], &value);
	}
	text = written();
	at = text;
	expect_field(&at, "path", ',');
	expect_field(&at, "id", ',');
	expect_field(&at, "memory.stat.a,\"\n\"key", '\n');
	for (i = 0; i < 200; i++) {
		snprintf(path, sizeof(path), "/%s", names[i]);
		snprintf(id, sizeof(id), "%zu", i);
		expect_field(&at, path, ',');
		expect_field(&at, id, ',');
		expect_field(&at, "7", '\n');
	}
	CHECK(!*at, "more: %.40s", at);
	free(text);
}

/* In a series each row has its time; rates are decimals. */
static void test_series(void)
{
	static const uint64_t rows[][2] = { { 12500, 12500 },
					    { VALUE_ABSENT, VALUE_NO_LIMIT } };
	static const struct { bool head, time; const char *want; } cases[] = {
		{ true, true, "time,path,id,memory.stat.pgfault,memory.max\r\n"
			      "2026-11-29T14:35:54.123456Z,\"/\",1,12.5,12500"
			      "\r\n"
			      "2026-11-29T14:35:54.123456Z,\"/a\",2,,max\r\n" },
		{ false, true, "2026-11-29T14:35:54.123456Z,\"/\",1,12.5,12500"
			       "\r\n"
			       "2026-11-29T14:35:54.123456Z,\"/a\",2,,max\r\n" },
		{ true, false, "path,id,memory.stat.pgfault,memory.max\r\n"
			       "\"/\",1,12.5,12500\r\n\"/a\",2,,max\r\n" },
		{ false, false, "\"/\",1,12.5,12500\r\n\"/a\",2,,max\r\n" },
	};
	size_t size, i;
	char *text;

	begin_rows();
	snapshot.time = (struct timespec){ 1795962954, 123456789 };
	add_column(&snapshot, "memory.stat", "pgfault");
	add_column(&snapshot, "memory.max", NULL);
	snapshot_sort(&snapshot);
	/* as they were asked for, so that one stands before the other */
	snapshot.order[0] = 0;
	snapshot.order[1] = 1;
	snapshot.columns[0].is_rate = true;
	add_row(1, "", rows[0]);
	add_row(2, "a", rows[1]);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_NUMBER("csv", csv_write(capture_begin(), &snapshot,
					      cases[i].head, cases[i].time),
			     0);
		text = capture_end(&size);
		CHECK_TEXT("series", text, cases[i].want);
		free(text);
	}
}

static const struct test tests[] = {
	{ "text", test_text },
	{ "paths", test_paths },
	{ "series", test_series },
};

int main(void)
{
	return TESTS_RUN("csv", tests);
}

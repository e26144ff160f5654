// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Snapshots as JSON, against a plain writer of our own. With "TEXT LEAVES" the
 * program puts objects in one file and, as jq --stream tells them, what each of
 * their leaves should be in the other.
 */
#include <stdbool.h>

#include "../../write/json.h"
#include "capture.h"
#include "rows.h"
#include "test.h"

static FILE *texts, *leaves;	/* NULL: not asked for */

/* What json_write() makes of it, behind so many bytes. */
static char *written(size_t behind)
{
	struct out *out = capture_begin();
	size_t size;
	char *text;

	memset(out->buffer, ' ', behind);
	out->used = behind;
	if (json_write(out, &snapshot, "0.1\"", "6.1-x"))
		abort();
	text = capture_end(&size);
	CHECK(strlen(text) == size, "%zu bytes, a NUL among them", size);
	memmove(text, text + behind, size - behind + 1);
	return text;
}

static void put_value(FILE *to, uint64_t value)
{
	if (value == VALUE_NO_LIMIT)
		fputs("null", to);
	else
		fprintf(to, "%llu", (unsigned long long)value);
}

/* The @n-th column as they are to be printed, and its value; NULL: not there. */
static const struct column *nth(size_t n, const struct record *record,
				uint64_t *value)
{
	size_t index = snapshot.order[n];
	const struct column *column = &snapshot.columns[index];

	memcpy(value, record->data + index * 8, 8);
	return column->shown && column->slot.kind != SLOT_NONE &&
		*value != VALUE_ABSENT ? column : NULL;
}

/* One cgroup; of the keys in a file all that are there go in one object. */
static void expect_row(FILE *to, const char *path, const struct record *record)
{
	const char *open = NULL;
	uint64_t value;
	size_t i;

	fprintf(to, "{\"path\": \"%s\", \"id\": %llu", path,
		(unsigned long long)record->id);
	for (i = 0; i < snapshot.column_count; i++) {
		const struct column *column = nth(i, record, &value);

		if (!column)
			continue;
		if (open && (!column->key || strcmp(open, column->file))) {
			fputs("}", to);
			open = NULL;
		}
		fputs(", ", to);
		if (column->key && !open) {
			fprintf(to, "\"%s\": {", column->file);
			open = column->file;
		}
		fprintf(to, "\"%s\": ", column->key ? column->key :
			column->file);
		put_value(to, value);
	}
	fputs(open ? "}}" : "}", to);
}

/* Its leaves, one a line: where each is, and what. */
static void expect_leaves(FILE *to, size_t row, const char *path,
			  const struct record *record)
{
	uint64_t value;
	size_t i;

	fprintf(to, "[[\"cgroups\",%zu,\"path\"],\"%s\"]\n", row, path);
	fprintf(to, "[[\"cgroups\",%zu,\"id\"],%llu]\n", row,
		(unsigned long long)record->id);
	for (i = 0; i < snapshot.column_count; i++) {
		const struct column *column = nth(i, record, &value);

		if (!column)
			continue;
		fprintf(to, "[[\"cgroups\",%zu,\"%s\"%s%s%s],", row,
			column->file, column->key ? ",\"" : "",
			column->key ? column->key : "",
			column->key ? "\"" : "");
		put_value(to, value);
		fputs("]\n", to);
	}
}

/* All of it, or with @to_leaves its leaves. */
static void expect(FILE *to, bool to_leaves)
{
	static const char *const heads[][2] = { { "memcgstat", "0.1\\\"" },
		{ "kernel", "6.1-x" },
		{ "time", "1970-01-01T00:00:00.000000Z" },
		{ "source", "file" } };
	size_t offset = 0, row = 0, i;
	char path[300];

	for (i = 0; i < 4; i++)
		fprintf(to, to_leaves ? "[[\"%s\"],\"%s\"]\n" :
			i ? ", \"%s\": \"%s\"" : "{\"%s\": \"%s\"",
			heads[i][0], heads[i][1]);
	fputs(to_leaves ? "" : ", \"cgroups\": [", to);
	for (; offset < snapshot.log_used; row++) {
		const struct record *record = (void *)(rows_log + offset);

		snprintf(path, sizeof(path), "/%s", (const char *)
			 record->data + record->data_length);
		if (to_leaves) {
			expect_leaves(to, row, path, record);
		} else {
			fputs(row ? ",\n" : "\n", to);
			expect_row(to, path, record);
		}
		offset += record_size(record);
	}
	fputs(to_leaves ? "" : "\n]}\n", to);
}

/* Where two texts begin to differ, some bytes before. */
static size_t difference(const char *a, const char *b)
{
	size_t at = 0;

	while (a[at] && a[at] == b[at])
		at++;
	return at < 40 ? 0 : at - 40;
}

static void check_written(const char *name, size_t behind)
{
	char *text = written(behind), *want;
	size_t size, at;
	FILE *to = open_memstream(&want, &size);

	expect(to, false);
	fclose(to);
	at = difference(text, want);
	CHECK(!strcmp(text, want), "%s, behind %zu bytes: '%.90s', not '%.90s'",
	      name, behind, text + at, want + at);
	free(want);
	free(text);
}

/* To be looked at by jq, too; its numbers have 53 bits. */
static void check_by_jq(const char *name)
{
	char *text = written(0);

	check_written(name, 0);
	if (texts) {
		fputs(text, texts);
		expect(leaves, true);
	}
	free(text);
}

/* A record may lack any of them: a file's first, all of it, or all but it. */
static void test_absent(void)
{
	static const char *const names[][2] = { { "memory.current", NULL },
		{ "memory.max", NULL }, { "memory.events", "low" },
		{ "memory.events", "high" }, { "memory.events.local", "low" },
		{ "memory.stat", "anon" }, { "memory.stat", "file" },
		{ "cgroup.stat", "nr_descendants" } };
	uint64_t values[8];
	unsigned int there, i;
	char name[16];

	begin_rows();
	for (i = 0; i < 8; i++)
		add_column(&snapshot, names[i][0], names[i][1]);
	snapshot_sort(&snapshot);
	for (there = 0; there < 256; there++) {
		for (i = 0; i < 8; i++)
			values[i] = there & 1U << i ? i + 8 : VALUE_ABSENT;
		if (there % 3 == 0 && there & 2)
			values[1] = VALUE_NO_LIMIT;
		snprintf(name, sizeof(name), "%u", there);
		add_row(there + 1, there ? name : "", values);
	}
	check_by_jq("absent");
}

/* What that comes to, letter by letter. */
static void test_text(void)
{
	static const uint64_t rows[][6] = {
		{ VALUE_ABSENT, VALUE_ABSENT, VALUE_ABSENT, 4, 5, 6 },
		{ 10, VALUE_NO_LIMIT, 3, VALUE_ABSENT, 5, 0 },
		{ UINT64_MAX - 2, 9, VALUE_ABSENT, 4, VALUE_ABSENT,
		  VALUE_ABSENT },
		{ VALUE_ABSENT, VALUE_ABSENT, VALUE_ABSENT, VALUE_ABSENT,
		  VALUE_ABSENT, VALUE_ABSENT },
	};
	char *text;

	begin_rows();
	add_column(&snapshot, "memory.current", NULL);
	add_column(&snapshot, "memory.max", NULL);
	add_column(&snapshot, "memory.events", "low");
	add_column(&snapshot, "memory.events", "high");
	add_column(&snapshot, "memory.stat", "anon");
	add_column(&snapshot, "memory.stat", "file");
	snapshot_sort(&snapshot);
	add_row(1, "", rows[0]);
	add_row(22, "a", rows[1]);
	add_row(333, "b", rows[2]);
	add_row(4444, "c", rows[3]);
	text = written(0);
	CHECK_TEXT("rows", strchr(text, '\n'), "\n"
		   "{\"path\": \"/\", \"id\": 1,"
		   " \"memory.events\": {\"high\": 4},"
		   " \"memory.stat\": {\"anon\": 5, \"file\": 6}},\n"
		   "{\"path\": \"/a\", \"id\": 22, \"memory.current\": 10,"
		   " \"memory.max\": null, \"memory.events\": {\"low\": 3},"
		   " \"memory.stat\": {\"anon\": 5, \"file\": 0}},\n"
		   "{\"path\": \"/b\", \"id\": 333,"
		   " \"memory.current\": 18446744073709551613,"
		   " \"memory.max\": 9, \"memory.events\": {\"high\": 4}},\n"
		   "{\"path\": \"/c\", \"id\": 4444}\n]}\n");
	free(text);
	check_written("rows", 0);
}

/* Keys around the sizes in which they are copied, and much longer ones. */
static void test_long_keys(void)
{
	static char keys[140][160];
	uint64_t values[140];
	size_t i;

	begin_rows();
	for (i = 0; i < 140; i++) {
		memset(keys[i], 'a' + (char)(i % 26), i + 1);
		values[i] = i * 997;
		add_column(&snapshot, i % 2 ? "memory.stat" : "memory.events",
			   keys[i]);
	}
	snapshot_sort(&snapshot);
	add_row(1, "", values);
	/* each of them the first of its file */
	for (i = 0; i < 140; i++) {
		memset(values, 0xff, i * sizeof(values[0]));
		add_row(i + 2, "a", values);
	}
	check_by_jq("long keys");
}

/* A cgroup's values take more than a buffer holds. */
static void test_huge_keys(void)
{
	static const size_t lengths[] = { 20000, 30000, 60000, 65000, 5 };
	char *keys[5];
	uint64_t values[5];
	size_t i;

	begin_rows();
	for (i = 0; i < 5; i++) {
		keys[i] = calloc(1, lengths[i] + 1);
		memset(keys[i], 'a' + (char)i, lengths[i]);
		values[i] = i * 1000;
		add_column(&snapshot, "memory.stat", keys[i]);
	}
	snapshot_sort(&snapshot);
	add_row(1, "", values);
	values[0] = VALUE_ABSENT;
	add_row(2, "a", values);
	check_written("huge keys", 0);
	check_written("huge keys", 1000);
	for (i = 0; i < 5; i++)
		free(keys[i]);
}

/* Some fields of the list and some that it does not have, in any order. */
static size_t add_random_columns(void)
{
	static char keys[20][16];
	static const char *const files[] = { "memory.stat", "memory.events",
		"cgroup.stat", "memory.events.local" };
	size_t wanted = test_random() % 40, i;

	for (i = 0; i < wanted; i++) {
		const struct field *field = &fields[test_random() %
						    field_count];

		if (snapshot_find(&snapshot, field_file(field),
				  field_key(field), field_key(field) ?
				  strlen(field_key(field)) : 0) < 0)
			add_column(&snapshot, field_file(field),
				   field_key(field));
	}
	for (i = 0; i < wanted / 2; i++) {
		snprintf(keys[i], sizeof(keys[i]), "newer%zu", i);
		add_column(&snapshot, files[test_random() % 4], keys[i]);
	}
	for (i = 0; i < snapshot.column_count; i++) {
		struct column *column = &snapshot.columns[i];

		column->shown = test_random() % 10;
		if (test_random() % 10 == 0)
			column->slot.kind = SLOT_NONE;
	}
	return snapshot.column_count;
}

static uint64_t random_value(void)
{
	uint64_t value = (uint64_t)test_random() << 21 ^ test_random();

	switch (test_random() % 6) {
	case 0:
		return VALUE_ABSENT;
	case 1:
		return VALUE_NO_LIMIT;
	case 2:
		return value % 12;
	default:
		return value >> test_random() % 50;
	}
}

static void test_random_rows(void)
{
	static uint64_t values[COLUMNS_MAX];
	size_t count, row, i;
	char name[16];
	int round;

	for (round = 0; round < 200; round++) {
		begin_rows();
		count = add_random_columns();
		snapshot_sort(&snapshot);
		for (row = 0; row < 1 + test_random() % 20; row++) {
			for (i = 0; i < count; i++)
				values[i] = random_value();
			snprintf(name, sizeof(name), "%zu", row);
			add_row(row, row ? name : "", values);
		}
		check_by_jq("random");
	}
}

/* The buffer's end falls into each place of a row once. */
static void test_buffer_end(void)
{
	uint64_t values[COLUMNS_MAX];
	size_t left, i;

	begin_rows();
	for (i = 0; i < field_count; i++)
		if (fields[i].version & FIELD_V2 && i % 6 == 0)
			add_column(&snapshot, field_file(&fields[i]),
				   field_key(&fields[i]));
	snapshot_sort(&snapshot);
	for (i = 0; i < snapshot.column_count; i++)
		values[i] = UINT64_MAX - 2 - i;
	for (i = 0; i < 3; i++)
		add_row(i, i ? "name" : "", values);
	CHECK(snapshot.column_count > 12, "columns");
	for (left = 0; left < 2500; left++)
		check_written("behind", OUT_SIZE - left);
}

/* A line a cgroup: the same members, and in each when and how it was read. */
static void test_lines(void)
{
	static const uint64_t values[] = { 5, VALUE_NO_LIMIT, VALUE_ABSENT };
	static const uint64_t none[] = { VALUE_ABSENT, VALUE_ABSENT,
		VALUE_ABSENT };
	size_t size;
	char *text;

	begin_rows();
	add_column(&snapshot, "memory.current", NULL);
	add_column(&snapshot, "memory.max", NULL);
	add_column(&snapshot, "memory.stat", "anon");
	snapshot_sort(&snapshot);
	CHECK_NUMBER("none", json_write_lines(capture_begin(), &snapshot), 0);
	text = capture_end(&size);
	CHECK_TEXT("none", text, "");
	free(text);
	add_row(1, "", none);
	add_row(2, "a", values);
	CHECK_NUMBER("two", json_write_lines(capture_begin(), &snapshot), 0);
	text = capture_end(&size);
	CHECK_TEXT("two", text,
		   "{\"time\": \"1970-01-01T00:00:00.000000Z\", \"source\":"
		   " \"file\", \"path\": \"/\", \"id\": 1}\n"
		   "{\"time\": \"1970-01-01T00:00:00.000000Z\", \"source\":"
		   " \"file\", \"path\": \"/a\", \"id\": 2,"
		   " \"memory.current\": 5, \"memory.max\": null}\n");
	free(text);
}

/* More than a buffer holds, once and again. */
static void test_many_rows(void)
{
	uint64_t values[100];
	size_t i, row;
	char name[16];

	begin_rows();
	for (i = 0; i < field_count && snapshot.column_count < 100; i++)
		if (fields[i].version & FIELD_V2)
			add_column(&snapshot, field_file(&fields[i]),
				   field_key(&fields[i]));
	snapshot_sort(&snapshot);
	for (row = 0; row < 500; row++) {
		for (i = 0; i < snapshot.column_count; i++)
			values[i] = (row * 7 + i) % 11 ? row * i :
				VALUE_ABSENT;
		snprintf(name, sizeof(name), "%zu", row * 997);
		add_row(row, row ? name : "", values);
	}
	check_by_jq("many");
}

/* A key of a newer kernel joins its file's object: a key is there once. */
static void test_unknown_key(void)
{
	static const uint64_t values[] = { 1, 2, 3, VALUE_NO_LIMIT };
	char *text, *first;

	begin_rows();
	add_column(&snapshot, "memory.stat", "anon");
	add_column(&snapshot, "cgroup.stat", "nr_descendants");
	add_column(&snapshot, "memory.stat", "newer\n");
	add_column(&snapshot, "memory.max", NULL);
	snapshot_sort(&snapshot);
	add_row(7, "", values);
	text = written(0);
	first = strstr(text, "\"memory.stat\"");
	CHECK(first && !strstr(first + 1, "\"memory.stat\""),
	      "memory.stat once: %s", strstr(text, "{\"path"));
	CHECK(strstr(text, "\"anon\": 1") && strstr(text, "\"newer\\u000a\": 3")
	      && strstr(text, "\"nr_descendants\": 2") &&
	      strstr(text, "\"memory.max\": null"), "all values: %s", text);
	free(text);
}

static const struct test tests[] = {
	{ "absent", test_absent },
	{ "text", test_text },
	{ "long_keys", test_long_keys },
	{ "huge_keys", test_huge_keys },
	{ "random_rows", test_random_rows },
	{ "buffer_end", test_buffer_end },
	{ "lines", test_lines },
	{ "many_rows", test_many_rows },
	{ "unknown_key", test_unknown_key },
};

int main(int argc, char **argv)
{
	if (argc > 2) {
		texts = fopen(argv[1], "a");
		leaves = fopen(argv[2], "a");
		if (!texts || !leaves) {
			perror("json_write");
			return 1;
		}
	}
	return TESTS_RUN("json_write", tests);
}

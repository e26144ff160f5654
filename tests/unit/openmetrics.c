// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* OpenMetrics: letter by letter, and what holds of all fields. */
#include <ctype.h>

#include "../../write/openmetrics.h"
#include "capture.h"
#include "rows.h"
#include "test.h"

static char *written(void)
{
	size_t size;
	char *text;

	CHECK_NUMBER("openmetrics", openmetrics_write(capture_begin(),
						      &snapshot), 0);
	text = capture_end(&size);
	CHECK_NUMBER("no NUL", strlen(text), size);
	return text;
}

static void test_text(void)
{
	static const uint64_t rows[][6] = {
		{ VALUE_ABSENT, VALUE_ABSENT, 1, VALUE_ABSENT, 4,
		  VALUE_ABSENT },
		{ 10, VALUE_NO_LIMIT, 2, 3, VALUE_ABSENT, VALUE_ABSENT },
	};
	char *text;

	begin_rows();
	add_column(&snapshot, "memory.current", NULL);
	add_column(&snapshot, "memory.max", NULL);
	add_column(&snapshot, "memory.stat", "pgfault");
	add_column(&snapshot, "memory.events", "oom_kill");
	add_column(&snapshot, "memory.stat", "newer-key");
	add_column(&snapshot, "memory.high", NULL);	/* nobody has it */
	snapshot_sort(&snapshot);
	add_row(1, "", rows[0]);
	add_row(2, "a", rows[1]);
	text = written();
	CHECK_TEXT("begin", strtok(text, "\n"),
		   "# TYPE memcg_memory_current_bytes gauge");
#define NEXT(want) CHECK_TEXT("next", strtok(NULL, "\n"), want)
	NEXT("# UNIT memcg_memory_current_bytes bytes");
	NEXT("# HELP memcg_memory_current_bytes the cgroup's memory.current");
	NEXT("memcg_memory_current_bytes{cgroup=\"/a\"} 10");
	NEXT("# TYPE memcg_memory_max_bytes gauge");
	NEXT("# UNIT memcg_memory_max_bytes bytes");
	NEXT("# HELP memcg_memory_max_bytes the cgroup's memory.max");
	NEXT("memcg_memory_max_bytes{cgroup=\"/a\"} +Inf");
	NEXT("# TYPE memcg_memory_events_oom_kill counter");
	NEXT("# HELP memcg_memory_events_oom_kill oom_kill in the cgroup's"
	     " memory.events");
	NEXT("memcg_memory_events_oom_kill_total{cgroup=\"/a\"} 3");
	NEXT("# TYPE memcg_memory_stat_pgfault counter");
	NEXT("# HELP memcg_memory_stat_pgfault pgfault in the cgroup's"
	     " memory.stat");
	NEXT("memcg_memory_stat_pgfault_total{cgroup=\"/\"} 1");
	NEXT("memcg_memory_stat_pgfault_total{cgroup=\"/a\"} 2");
	/* no TYPE: Prometheus's text format does not know "unknown" */
	NEXT("# HELP memcg_memory_stat_newer_key A key in the cgroup's"
	     " memory.stat");
	NEXT("memcg_memory_stat_newer_key{cgroup=\"/\"} 4");
	NEXT("# EOF");
	CHECK(!strtok(NULL, "\n"), "nothing more");
	free(text);
}

static const struct {
	const char *name, *label;
} labels[] = {
	{ "plain", "{cgroup=\"/plain\"}" },
	{ "a\"b\\c\nd", "{cgroup=\"/a\\\"b\\\\c\\nd\"}" },
	{ "\xc3\xa4\xf0\x9f\x98\x80",
	  "{cgroup=\"/\xc3\xa4\xf0\x9f\x98\x80\"}" },
	/* no UTF-8: the id keeps them apart */
	{ "\xff", "{cgroup=\"/\xef\xbf\xbd\",id=\"3\"}" },
	{ "\xfe\xfe", "{cgroup=\"/\xef\xbf\xbd\xef\xbf\xbd\",id=\"4\"}" },
	{ "\xc3", "{cgroup=\"/\xef\xbf\xbd\",id=\"5\"}" },
	{ "}", "{cgroup=\"/}\"}" },
};

static void test_labels(void)
{
	static const uint64_t value = 7;
	const size_t count = sizeof(labels) / sizeof(labels[0]);
	char want[100], *text, *line;
	size_t i;

	begin_rows();
	add_column(&snapshot, "memory.oom.group", NULL);
	snapshot_sort(&snapshot);
	add_row(100, "", &value);
	for (i = 0; i < count; i++)
		add_row(i, labels[i].name, &value);
	text = written();
	strtok(text, "\n");	/* TYPE */
	strtok(NULL, "\n");	/* HELP */
	strtok(NULL, "\n");	/* the first */
	for (i = 0; i < count; i++) {
		line = strtok(NULL, "\n");
		snprintf(want, sizeof(want), "memcg_memory_oom_group%s 7",
			 labels[i].label);
		CHECK_TEXT(labels[i].name, line ? line : "", want);
	}
	free(text);
}

/* The longest name and path, all of whose bytes take most room. */
static void test_long_labels(void)
{
	static const uint64_t value = 7;
	char name[256], *text;
	size_t i;

	begin_rows();
	add_column(&snapshot, "memory.oom.group", NULL);
	snapshot_sort(&snapshot);
	add_row(100, "", &value);
	memset(name, 0xff, 255);
	name[255] = '\0';
	/* so many that what is reserved often ends where memory does */
	for (i = 0; i < 2000; i++)
		add_row(UINT64_MAX - i, name + i % 50, &value);
	text = written();
	CHECK(strstr(text, "\xef\xbf\xbd\",id=\"18446744073709551615\"} 7\n"),
	      "the whole id");
	free(text);
}

/* A name that a metric may have. */
static bool is_name(const char *at, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!isalnum((unsigned char)at[i]) && at[i] != '_')
			return false;
	return length && !isdigit((unsigned char)at[0]);
}

/* One group of lines: its TYPE names it, once, and its sample is its own. */
static void check_metric(const char *all, const char *type)
{
	const char *name = type + strlen("# TYPE "), *sample;
	size_t length = strcspn(name, " ");
	char again[200], begin[200];
	bool counter = !strncmp(name + length, " counter\n", 9);

	CHECK(is_name(name, length) && length < 150, "%.*s", (int)length, name);
	snprintf(again, sizeof(again), "# TYPE %.*s ", (int)length, name);
	CHECK(strstr(all, again) == type && !strstr(type + 1, again),
	      "%s, twice", again);
	snprintf(begin, sizeof(begin), "\n%.*s%s{cgroup=\"/\"} 5\n",
		 (int)length, name, counter ? "_total" : "");
	sample = strstr(type, begin);
	CHECK(sample, "no sample of %.*s", (int)length, name);
	/* a name with either ending would be another's sample */
	CHECK(length < 6 || strncmp(name + length - 6, "_total", 6),
	      "%.*s ends with _total", (int)length, name);
}

/* All fields of a version: no two have one name. */
static void check_version(unsigned int version)
{
	static uint64_t values[COLUMNS_MAX];
	char *text, *at;
	size_t count = 0, i;

	begin_rows();
	for (i = 0; i < field_count; i++) {
		if (!(fields[i].version & version))
			continue;
		add_column(&snapshot, field_file(&fields[i]),
			   field_key(&fields[i]));
		values[count++] = 5;
	}
	snapshot_sort(&snapshot);
	add_row(1, "", values);
	text = written();
	for (at = text; (at = strstr(at, "# TYPE ")); at++, count--)
		check_metric(text, at);
	CHECK_NUMBER("each has its own", count, 0);
	at = strstr(text, "# EOF\n");
	CHECK(at && !at[6], "the end");
	free(text);
}

static void test_fields(void)
{
	check_version(FIELD_V1);
	check_version(FIELD_V2);
}

static const struct test tests[] = {
	{ "text", test_text },
	{ "labels", test_labels },
	{ "long_labels", test_long_labels },
	{ "fields", test_fields },
};

int main(void)
{
	return TESTS_RUN("openmetrics", tests);
}

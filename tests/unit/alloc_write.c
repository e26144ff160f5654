// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Allocation sites in each format, letter by letter. */
#include "../../write/allocinfo.h"
#include "capture.h"
#include "test.h"

static struct alloc_query query;
static struct alloc_table table, before;
static struct alloc_report report;

static struct alloc_name name_of(const char *text)
{
	struct alloc_name name = { text, strlen(text) };

	return name;
}

static void add(struct alloc_table *to, int64_t bytes, int64_t calls,
		const char *file, const char *module, bool accurate)
{
	struct alloc_tag tag = {
		.bytes = bytes, .calls = calls, .line = 12,
		.accurate = accurate,
	};

	tag.names[ALLOC_FILE] = name_of(file);
	tag.names[ALLOC_FUNCTION] = name_of("get");
	tag.names[ALLOC_MODULE] = name_of(module);
	CHECK_NUMBER("add", alloc_table_add(to, &tag), 0);
}

/* Two rows; with growth, that of a smaller sample before. */
static void begin(enum alloc_by by, bool growth)
{
	memset(&query, 0, sizeof(query));
	query.by = by;
	query.top = UINT64_MAX;
	alloc_table_begin(&table, &query);
	add(&table, 3 << 20, 40, "mm/a.c", "", true);
	add(&table, -2048, -1, "fs/\"b\\\n\xff.c", "xfs", false);
	if (growth) {
		alloc_table_begin(&before, &query);
		add(&before, 1 << 20, 41, "mm/a.c", "", true);
		add(&before, -2048, -1, "fs/\"b\\\n\xff.c", "xfs", false);
		alloc_table_grow(&table, &before);
	}
	CHECK_NUMBER("rank", alloc_table_rank(&table), 0);
	memset(&report, 0, sizeof(report));
	report.table = &table;
	report.source = "ioctl";
	report.time.tv_sec = 1000000000;
	report.time.tv_nsec = 5000;
	report.head = true;
}

static void check(const char *name, const char *want)
{
	size_t size;
	char *text = capture_end(&size);

	CHECK_NUMBER("no NUL", strlen(text), size);
	CHECK_TEXT(name, text, want);
	free(text);
}

static void test_table(void)
{
	begin(ALLOC_SITE, false);
	alloc_write_table(capture_begin(), &report);
	check("site", "bytes  calls  site\n"
	      " 3.0M     40  mm/a.c:12 func:get\n"
	      "-2.0K     -1  fs/\"b\\\\x0a\\xff.c:12 [xfs] func:get"
	      " accurate:no\n");
	begin(ALLOC_FILE, true);
	report.bytes = true;
	alloc_write_table(capture_begin(), &report);
	check("file", "  bytes    +bytes  calls  +calls  file\n"
	      "3145728  +2097152     40      -1  mm/a.c\n"
	      "  -2048         0     -1       0  fs/\"b\\\\x0a\\xff.c"
	      " accurate:no\n");
	begin(ALLOC_MODULE, false);
	alloc_write_table(capture_begin(), &report);
	check("module", "bytes  calls  module\n"
	      " 3.0M     40  -\n"
	      "-2.0K     -1  xfs accurate:no\n");
	begin(ALLOC_FUNCTION, false);
	alloc_write_table(capture_begin(), &report);
	check("function", "bytes  calls  function\n"
	      " 2.9M     39  get accurate:no\n");
}

static void test_json(void)
{
	begin(ALLOC_SITE, false);
	alloc_write_json(capture_begin(), &report, "1", "7.3");
	check("site", "{\"memcgstat\": \"1\", \"kernel\": \"7.3\", \"time\":"
	      " \"2001-09-09T01:46:40.000005Z\", \"source\": \"ioctl\","
	      " \"allocinfo\": [\n"
	      "{\"bytes\": 3145728, \"calls\": 40, \"file\": \"mm/a.c\","
	      " \"line\": 12, \"function\": \"get\", \"module\": null,"
	      " \"accurate\": true},\n"
	      "{\"bytes\": -2048, \"calls\": -1, \"file\":"
	      " \"fs/\\\"b\\\\\\u000a\\udcff.c\", \"line\": 12, \"function\":"
	      " \"get\", \"module\": \"xfs\", \"accurate\": false}\n]}\n");
	begin(ALLOC_MODULE, true);
	alloc_write_json_lines(capture_begin(), &report);
	check("lines", "{\"time\": \"2001-09-09T01:46:40.000005Z\","
	      " \"source\": \"ioctl\", \"bytes\": 3145728, \"calls\": 40,"
	      " \"bytes_growth\": 2097152, \"calls_growth\": -1,"
	      " \"module\": null, \"accurate\": true}\n"
	      "{\"time\": \"2001-09-09T01:46:40.000005Z\","
	      " \"source\": \"ioctl\", \"bytes\": -2048, \"calls\": -1,"
	      " \"bytes_growth\": 0, \"calls_growth\": 0,"
	      " \"module\": \"xfs\", \"accurate\": false}\n");
	alloc_table_begin(&table, &query);
	CHECK_NUMBER("rank", alloc_table_rank(&table), 0);
	alloc_write_json(capture_begin(), &report, "1", "7.3");
	check("none", "{\"memcgstat\": \"1\", \"kernel\": \"7.3\", \"time\":"
	      " \"2001-09-09T01:46:40.000005Z\", \"source\": \"ioctl\","
	      " \"allocinfo\": [\n]}\n");
}

static void test_csv(void)
{
	begin(ALLOC_SITE, false);
	alloc_write_csv(capture_begin(), &report);
	check("site", "bytes,calls,file,line,function,module,accurate\r\n"
	      "3145728,40,\"mm/a.c\",12,\"get\",,true\r\n"
	      "-2048,-1,\"fs/\"\"b\\\n\xff.c\",12,\"get\",\"xfs\",false\r\n");
	report.series = true;
	alloc_write_csv(capture_begin(), &report);
	check("first", "time,bytes,calls,bytes_growth,calls_growth,file,line,"
	      "function,module,accurate\r\n"
	      "2001-09-09T01:46:40.000005Z,3145728,40,,,\"mm/a.c\",12,\"get\","
	      ",true\r\n"
	      "2001-09-09T01:46:40.000005Z,-2048,-1,,,\"fs/\"\"b\\\n\xff.c\",12,"
	      "\"get\",\"xfs\",false\r\n");
	begin(ALLOC_MODULE, true);
	report.series = true;
	report.head = false;
	alloc_write_csv(capture_begin(), &report);
	check("next", "2001-09-09T01:46:40.000005Z,3145728,40,2097152,-1,,"
	      "true\r\n"
	      "2001-09-09T01:46:40.000005Z,-2048,-1,0,0,\"xfs\",false\r\n");
}

static void test_openmetrics(void)
{
	begin(ALLOC_SITE, true);
	CHECK_NUMBER("site", alloc_write_openmetrics(capture_begin(), &report),
		     0);
	check("site", "# TYPE kernel_alloc_bytes gauge\n"
	      "# UNIT kernel_alloc_bytes bytes\n"
	      "# HELP kernel_alloc_bytes memory not yet freed\n"
	      "kernel_alloc_bytes{file=\"mm/a.c\",line=\"12\","
	      "function=\"get\"} 3145728\n"
	      "kernel_alloc_bytes{file=\"fs/\\\"b\\\\\\n\xef\xbf\xbd.c\","
	      "line=\"12\",function=\"get\",module=\"xfs\"} -2048\n"
	      "# TYPE kernel_alloc_calls gauge\n"
	      "# HELP kernel_alloc_calls allocations not yet freed\n"
	      "kernel_alloc_calls{file=\"mm/a.c\",line=\"12\","
	      "function=\"get\"} 40\n"
	      "kernel_alloc_calls{file=\"fs/\\\"b\\\\\\n\xef\xbf\xbd.c\","
	      "line=\"12\",function=\"get\",module=\"xfs\"} -1\n"
	      "# EOF\n");
	begin(ALLOC_MODULE, false);
	query.top = 1;
	CHECK_NUMBER("rank", alloc_table_rank(&table), 0);
	CHECK_NUMBER("module", alloc_write_openmetrics(capture_begin(),
						       &report), 0);
	check("module", "# TYPE kernel_alloc_bytes gauge\n"
	      "# UNIT kernel_alloc_bytes bytes\n"
	      "# HELP kernel_alloc_bytes memory not yet freed\n"
	      "kernel_alloc_bytes 3145728\n"
	      "# TYPE kernel_alloc_calls gauge\n"
	      "# HELP kernel_alloc_calls allocations not yet freed\n"
	      "kernel_alloc_calls 40\n"
	      "# EOF\n");
}

int main(void)
{
	static const struct test tests[] = {
		{ "table", test_table },
		{ "json", test_json },
		{ "csv", test_csv },
		{ "openmetrics", test_openmetrics },
	};

	return TESTS_RUN("alloc_write", tests);
}

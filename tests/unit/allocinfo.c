// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * /proc/allocinfo as a whole: the file's states, the text, and the ioctls of a
 * kernel that is made up here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "../../read/allocinfo.h"
#include "test.h"

/* Another reading of include/uapi/linux/alloc_tag.h: where things lie. */
#define STRINGS		64
#define FUNCTION	64
#define FILENAME	128
#define LINE		192
#define BYTES		200
#define CALLS		208
#define ACCURATE	216
#define DATA		224	/* bytes of one tag's data */
#define AT_MASK		8
#define AT_MIN		216
#define AT_MAX		224
#define AT_INACCURATE	232
#define AT_DATA		240

static struct {
	const char *file, *function, *module;
	int64_t bytes;
	int accurate;
} tags[] = {
	{ "mm/a.c", "f", "", 4096, 1 },
	{ "mm/a.c", "g", "", 0, 1 },
	{ "mm/b.c", "h", "", 0, 0 },
	{ "fs/c.c", "i", "xfs", 512, 1 },
	{ "mm/b.c", "h", "", 64, 1 },
	{ "mm/d.c", "j", "", -64, 1 },
};

#define TAGS	(sizeof(tags) / sizeof(*tags))

static bool has_ioctls;
static int changes;		/* of the content's id, yet to come */
static int fails;		/* with that error, at the last tag */
static size_t position, calls_made;
static uint64_t mask, min_size, max_size, inaccurate;

static bool passes(size_t i)
{
	uint64_t bytes = (uint64_t)tags[i].bytes;

	return !((mask & 1 << 4 && tags[i].accurate == (int)inaccurate) ||
		 (mask & 1 << 5 && bytes < min_size) ||
		 (mask & 1 << 6 && bytes > max_size));
}

static int give_next(char *data)
{
	uint64_t line = 7, bytes, calls;

	while (position < TAGS && !passes(position))
		position++;
	if (fails && position == TAGS - 1)
		return fails;
	if (position == TAGS) {
		position = 0;
		return ENOENT;
	}
	memset(data, 0, DATA);
	strcpy(data, tags[position].module);
	/* a name keeps its end */
	strcpy(data + FUNCTION, tags[position].function);
	strcpy(data + FILENAME, strlen(tags[position].file) < STRINGS ?
	       tags[position].file : tags[position].file +
	       strlen(tags[position].file) - STRINGS + 1);
	bytes = (uint64_t)tags[position].bytes;
	calls = bytes / 64;
	memcpy(data + LINE, &line, 8);
	memcpy(data + BYTES, &bytes, 8);
	memcpy(data + CALLS, &calls, 8);
	data[ACCURATE] = (char)tags[position++].accurate;
	return 0;
}

static int fake_ioctl(unsigned int request, char *argument)
{
	static uint64_t id;

	if (!has_ioctls)
		return ENOTTY;
	calls_made++;
	switch (request) {
	case 0x8008a600:
		id += changes > 0;
		changes -= changes > 0;
		memcpy(argument, &id, sizeof(id));
		return 0;
	case 0xc1d0a601:
		memcpy(&mask, argument + AT_MASK, 8);
		memcpy(&min_size, argument + AT_MIN, 8);
		memcpy(&max_size, argument + AT_MAX, 8);
		memcpy(&inaccurate, argument + AT_INACCURATE, 8);
		position = 0;
		return give_next(argument + AT_DATA);
	case 0x80e0a602:
		return give_next(argument);
	}
	return ENOTTY;
}

/* In place of the libc's: ioctl() is ours, the others are what they are. */
long syscall(long number, ...);
long syscall(long number, ...)
{
	va_list arguments;
	long list[4];
	int i;

	va_start(arguments, number);
	for (i = 0; i < 4; i++)
		list[i] = va_arg(arguments, long);
	va_end(arguments);
	switch (number) {
	case SYS_clock_gettime:
		return clock_gettime((int)list[0], (void *)list[1]);
	case SYS_openat:
		return openat((int)list[0], (void *)list[1], (int)list[2],
			      (mode_t)list[3]);
	case SYS_mremap:
		return (long)mremap((void *)list[0], (size_t)list[1],
				    (size_t)list[2], (int)list[3]);
	case SYS_ioctl:
		errno = fake_ioctl((unsigned int)list[1], (void *)list[2]);
		return errno ? -1 : 0;
	}
	abort();
}

static char proc[200];
static struct alloc_query query;
static struct alloc_table table;
static struct allocinfo allocinfo;
static struct reason reason;

static void write_file(const char *name, const char *text)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", proc, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text), "%s",
	      path);
	close(fd);
}

static void make_directory(const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", proc, name);
	CHECK(!mkdir(path, 0700), "%s", path);
}

static void begin(void)
{
	snprintf(proc, sizeof(proc), "%s/allocinfoXXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	CHECK(mkdtemp(proc), "%s", proc);
	memset(&allocinfo, 0, sizeof(allocinfo));
	allocinfo.proc = proc;
	query.by = ALLOC_SITE;
	query.top = UINT64_MAX;
	alloc_table_begin(&table, &query);
}

static void end(void)
{
	static const char *const names[] = {
		"allocinfo", "version", "sys/vm/mem_profiling", "sys/vm", "sys",
		"",
	};
	char path[300];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", proc, names[i]);
		remove(path);
	}
	alloc_table_free(&table);
}

static int read_it(bool all)
{
	reason.text[0] = '\0';
	alloc_table_begin(&table, &query);
	calls_made = 0;
	return allocinfo_read(&allocinfo, &table, all, &reason);
}

static int64_t sum(void)
{
	int64_t bytes = 0;
	size_t i;

	CHECK_NUMBER("rank", alloc_table_rank(&table), 0);
	for (i = 0; i < table.shown; i++)
		bytes += alloc_table_row(&table, i)->bytes;
	return bytes;
}

static void check_state(enum alloc_state want, const char *says)
{
	reason.text[0] = '\0';
	CHECK_NUMBER(alloc_state_names[want], allocinfo_state(proc, &reason),
		     want);
	CHECK(strstr(reason.text, says), "%s: %s", says, reason.text);
	if (want != ALLOC_ABSENT && want != ALLOC_NEVER)
		return;
	CHECK_NUMBER("read", read_it(true), -ENOENT);
	CHECK(strstr(reason.text, says), "%s: %s", says, reason.text);
}

static void test_states(void)
{
	begin();
	check_state(ALLOC_ABSENT, "not mounted");
	write_file("version", "Linux\n");
	check_state(ALLOC_ABSENT, "CONFIG_MEM_ALLOC_PROFILING");
	make_directory("sys");
	make_directory("sys/vm");
	write_file("sys/vm/mem_profiling", "0\n");
	check_state(ALLOC_NEVER, "sysctl.vm.mem_profiling=1");
	write_file("allocinfo", "");
	check_state(ALLOC_OFF, "sysctl vm.mem_profiling=1");
	write_file("sys/vm/mem_profiling", "1\n");
	check_state(ALLOC_ON, "");
	CHECK_TEXT("no reason", reason.text, "");
	write_file("sys/vm/mem_profiling", "");
	check_state(ALLOC_UNSEEN, "");
	CHECK_NUMBER("empty", read_it(true), -EPROTONOSUPPORT);
	end();
}

static void test_text(void)
{
	static const char *const text = "allocinfo - version: 2.0\n#\n"
		"  4096  1 mm/a.c:1 func:f \n"
		"  nonsense\n"
		"   512  2 fs/c.c:2 [xfs] func:i accurate:no \n"
		"\n";

	begin();
	write_file("allocinfo", text);
	CHECK_NUMBER("read", read_it(false), 0);
	CHECK_TEXT("source", allocinfo.source, "text");
	CHECK_NUMBER("rows", table.count, 2);
	CHECK_NUMBER("sum", sum(), 4608);
	CHECK_NUMBER("bad lines", allocinfo.bad_lines, 2);
	CHECK(allocinfo.time.tv_sec > 1600000000, "%lld",
	      (long long)allocinfo.time.tv_sec);
	CHECK_NUMBER("again", read_it(true), 0);
	CHECK_NUMBER("rows", table.count, 2);
	CHECK_NUMBER("bad lines", allocinfo.bad_lines, 2);
	write_file("allocinfo", "allocinfo - version: 3.0\n");
	CHECK_NUMBER("newer", read_it(true), -EPROTONOSUPPORT);
	CHECK(strstr(reason.text, "3.0"), "%s", reason.text);
	end();
	begin();
	make_directory("allocinfo");
	CHECK_NUMBER("a directory", read_it(true), -EISDIR);
	CHECK(strstr(reason.text, "/allocinfo: "), "%s", reason.text);
	end();
}

/* More than is read at once. */
static void test_much(void)
{
	enum { ROWS = 5000 };
	char *text = malloc(ROWS * 80), *at = text;
	int i;

	begin();
	at += sprintf(at, "allocinfo - version: 1.0\n");
	for (i = 0; i < ROWS; i++)
		at += sprintf(at, "%12d %8d drivers/some/where/file.c:%d"
			      " func:name \n", i, i, i);
	write_file("allocinfo", text);
	CHECK_NUMBER("read", read_it(true), 0);
	CHECK_NUMBER("rows", table.count, ROWS);
	CHECK_NUMBER("sum", sum(), (int64_t)ROWS * (ROWS - 1) / 2);
	free(text);
	end();
}

static void test_ioctl(void)
{
	const struct alloc_row *row;
	size_t i;

	begin();
	write_file("allocinfo", "");
	has_ioctls = true;
	CHECK_NUMBER("all", read_it(true), 0);
	CHECK_TEXT("source", allocinfo.source, "ioctl");
	CHECK_NUMBER("rows", table.count, 5);
	CHECK_NUMBER("calls", calls_made, TAGS + 1 + 2);
	CHECK_NUMBER("sum", sum(), 4608);
	CHECK_NUMBER("those used", read_it(false), 0);
	CHECK_NUMBER("rows", table.count, 4);	/* but g */
	CHECK_NUMBER("sum", sum(), 4608);
	row = alloc_table_row(&table, 0);
	CHECK_NUMBER("bytes", row->bytes, 4096);
	CHECK_NUMBER("calls", row->calls, 64);
	CHECK_NUMBER("line", row->line, 7);
	CHECK_TEXT("function", alloc_table_name(&table, row,
						ALLOC_FUNCTION).text, "f");
	CHECK_TEXT("module", alloc_table_name(&table,
					      alloc_table_row(&table, 1),
					      ALLOC_MODULE).text, "xfs");
	/* of the two tags of h, that without bytes is not accurate */
	for (i = 0; i < table.shown; i++) {
		row = alloc_table_row(&table, i);
		CHECK_NUMBER("accurate", row->accurate, row->bytes != 64);
	}
	/* the query's own filters do not depend on the kernel's */
	query.parts[ALLOC_FILE] = "mm/";
	CHECK_NUMBER("a part", read_it(false), 0);
	CHECK_NUMBER("sum", sum(), 4096);
	end();
}

static void test_changes(void)
{
	begin();
	write_file("allocinfo", "allocinfo - version: 2.0\n"
		   "1 1 a.c:1 func:f \n");
	has_ioctls = true;
	/* from the first id on: the second walk is not disturbed */
	changes = 2;
	CHECK_NUMBER("once", read_it(true), 0);
	CHECK_NUMBER("rows", table.count, 5);
	CHECK_NUMBER("sum", sum(), 4608);
	CHECK_TEXT("source", allocinfo.source, "ioctl");
	changes = 1000000;
	CHECK_NUMBER("always", read_it(true), -EAGAIN);
	CHECK(strstr(reason.text, "modules"), "%s", reason.text);
	changes = 0;
	fails = EFAULT;
	CHECK_NUMBER("an error: the text", read_it(true), 0);
	CHECK_TEXT("source", allocinfo.source, "text");
	CHECK_NUMBER("rows", table.count, 1);
	end();
}

static void test_long_names(void)
{
	static const char text[] = "allocinfo - version: 2.0\n"
		"1 1 a.c:1 func:f \n";
	char name[100];

	begin();
	write_file("allocinfo", text);
	has_ioctls = true;
	memset(name, 'n', sizeof(name));
	name[62] = '\0';
	tags[3].file = name;
	CHECK_NUMBER("62 bytes", read_it(true), 0);
	CHECK_TEXT("source", allocinfo.source, "ioctl");
	CHECK_NUMBER("rows", table.count, 5);
	/* from 63 on, nobody knows whether it was cut */
	name[62] = 'n';
	name[63] = '\0';
	CHECK_NUMBER("63 bytes", read_it(true), 0);
	CHECK_TEXT("source", allocinfo.source, "text");
	CHECK_NUMBER("rows", table.count, 1);
	CHECK_NUMBER("calls", calls_made, 1 + 4 + 1);
	/* and it is not tried again */
	CHECK_NUMBER("again", read_it(true), 0);
	CHECK_NUMBER("calls", calls_made, 0);
	name[63] = 'n';
	name[99] = '\0';
	allocinfo.long_names = false;
	CHECK_NUMBER("99 bytes, and only those used", read_it(false), 0);
	CHECK_TEXT("source", allocinfo.source, "text");
	end();
}

int main(void)
{
	static const struct test all[] = {
		{ "states", test_states },
		{ "text", test_text },
		{ "much", test_much },
		{ "ioctl", test_ioctl },
		{ "changes", test_changes },
		{ "long_names", test_long_names },
	};

	return TESTS_RUN("allocinfo", all);
}

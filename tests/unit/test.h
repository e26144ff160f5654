/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A unit test program: functions, each run in a process of its own, so that one
 * that crashes does not take the others along. Each prints one line, "ok NAME"
 * or "FAIL NAME: why"; what else failed in it is on stderr.
 */
#ifndef MEMCGSTAT_TEST_H
#define MEMCGSTAT_TEST_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Messages, and what is made up for a case, may be cut off. */
#pragma GCC diagnostic ignored "-Wformat-truncation"

struct test {
	const char *name;
	void (*run)(void);
};

static unsigned long test_checks, test_failures;
static char test_why[512];	/* of the first failure */

__attribute__((format(printf, 3, 4), unused)) static void
test_fail(const char *file, int line, const char *format, ...)
{
	char text[400], *at;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	for (at = text; *at; at++)	/* why is one line */
		if (*at == '\n')
			*at = ' ';
	fprintf(stderr, "%s:%d: %s\n", file, line, text);
	if (!test_failures++)
		snprintf(test_why, sizeof(test_why), "%s:%d: %s", file, line,
			 text);
}

/* Something holds; the rest names the case and its values, as printf does. */
#define CHECK(condition, ...) do { \
	test_checks++; \
	if (!(condition)) { \
		char detail[300]; \
		snprintf(detail, sizeof(detail), __VA_ARGS__); \
		test_fail(__FILE__, __LINE__, "%s: not %s", detail, \
			  #condition); \
	} \
} while (0)

/* Two whole numbers are equal. */
#define CHECK_NUMBER(name, got, want) do { \
	long long got_ = (long long)(got), want_ = (long long)(want); \
	test_checks++; \
	if (got_ != want_) \
		test_fail(__FILE__, __LINE__, "%s: %s is %lld, not %lld", \
			  name, #got, got_, want_); \
} while (0)

/* Two texts are equal. */
#define CHECK_TEXT(name, got, want) do { \
	const char *got_ = (got), *want_ = (want); \
	test_checks++; \
	if (strcmp(got_, want_)) \
		test_fail(__FILE__, __LINE__, "%s: %s is '%.120s'," \
			  " not '%.120s'", name, #got, got_, want_); \
} while (0)

/* Bytes in a block of just their size: ASan sees any access beyond. */
__attribute__((unused))
static void *test_copy(const void *bytes, size_t size)
{
	void *copy = malloc(size);

	if (!copy)
		abort();
	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

/* The same numbers in each run: a failure can be repeated. */
__attribute__((unused)) static uint32_t test_random(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32);
}

/* Return: 0, or 1 where it failed. */
static int test_run(const char *program, const struct test *test)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		alarm(30);	/* what hangs fails, too */
		test->run();
		if (!test_checks)
			test_fail(__FILE__, __LINE__, "nothing was checked");
		if (test_failures > 1)
			printf("FAIL %s.%s: %s (and %lu more)\n", program,
			       test->name, test_why, test_failures - 1);
		else if (test_failures)
			printf("FAIL %s.%s: %s\n", program, test->name,
			       test_why);
		fflush(NULL);
		/* by exit(): so that memory leaks are looked for */
		exit(test_failures ? 3 : 0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status) {
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 3)
			printf("FAIL %s.%s: it died, wait status 0x%x: see"
			       " build/tests/%s.log\n", program, test->name,
			       (unsigned int)status, program);
		return 1;
	}
	printf("ok %s.%s\n", program, test->name);
	return 0;
}

#define TESTS_RUN(program, tests) \
	tests_run(program, tests, sizeof(tests) / sizeof((tests)[0]))

static int tests_run(const char *program, const struct test *tests,
		     size_t count)
{
	int failed = 0;
	size_t i;

	for (i = 0; i < count; i++)
		failed |= test_run(program, &tests[i]);
	return failed;
}

#endif

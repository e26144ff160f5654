// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* When samples are due, against the clock. */
#include <signal.h>
#include <time.h>

#include "../../command/sampler.h"
#include "test.h"

#define MS	1000000ULL

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 * MS + (uint64_t)time.tv_nsec;
}

static void spend(uint64_t time)
{
	uint64_t end = now() + time;

	while (now() < end)
		usleep(1000);
}

static void begin(struct sampler *sampler, uint64_t interval, uint64_t count)
{
	const struct options options = {
		.repeat = true, .interval = interval, .count = count,
	};

	sampler_begin(sampler, &options);
}

/* How many samples the options ask for. */
static void check_count(const char *name, struct options options, int want)
{
	struct sampler sampler;
	int count = 0;

	sampler_begin(&sampler, &options);
	sampler.interval = 0;
	while (count < 1000 && sampler_wait(&sampler, -1) == SAMPLER_DUE)
		count++;
	CHECK_NUMBER(name, count, want);
}

static void test_count(void)
{
	check_count("once", (struct options){ .count = UINT64_MAX }, 1);
	check_count("-c 1", (struct options){ .count = 1 }, 1);
	check_count("-c 3", (struct options){ .count = 3 }, 3);
	check_count("-i 5 -c 3", (struct options){ .count = 3, .repeat = true,
		    .interval = 5000 * MS }, 3);
	check_count("-i 5", (struct options){ .count = UINT64_MAX,
		    .repeat = true, .interval = 5000 * MS }, 1000);
	check_count("-r", (struct options){ .count = UINT64_MAX,
		    .rate = true }, 2);
	check_count("-r -c 3", (struct options){ .count = 3, .rate = true }, 4);
}

/* Without --interval there is a second between samples. */
static void test_second(void)
{
	const struct options options = { .count = 2 };
	struct sampler sampler;
	uint64_t start = now();

	sampler_begin(&sampler, &options);
	sampler_wait(&sampler, -1);
	CHECK(now() < start + 500 * MS, "the first is at once");
	sampler_wait(&sampler, -1);
	CHECK(now() >= start + 1000 * MS, "the second is a second later");
}

/* What samples take, and that waits end late, does not add up. */
static void test_drift(void)
{
	struct sampler sampler;
	uint64_t first, last = 0;
	int i;

	begin(&sampler, 20 * MS, UINT64_MAX);
	sampler_wait(&sampler, -1);
	first = sampler.due;
	for (i = 1; i <= 20; i++) {
		spend(5 * MS);
		CHECK_NUMBER("due", sampler_wait(&sampler, -1), SAMPLER_DUE);
		CHECK(now() >= sampler.due, "not before its time");
		CHECK(sampler.due > last, "each has another time");
		CHECK_NUMBER("on the grid", (sampler.due - first) % (20 * MS),
			     0);
		last = sampler.due;
	}
}

/* A slow sample skips times; the next is on time again. */
static void test_slow(void)
{
	struct sampler sampler;
	uint64_t first;

	begin(&sampler, 40 * MS, UINT64_MAX);
	sampler_wait(&sampler, -1);
	first = sampler.due;
	spend(90 * MS);
	sampler_wait(&sampler, -1);
	CHECK(sampler.due >= first + 120 * MS, "not late: %llu ms",
	      (unsigned long long)((sampler.due - first) / MS));
	CHECK_NUMBER("on the grid", (sampler.due - first) % (40 * MS), 0);
	CHECK(now() >= sampler.due, "not before its time");
	/* the count is of samples, not of times */
	begin(&sampler, MS, 3);
	sampler_wait(&sampler, -1);
	spend(10 * MS);
	CHECK_NUMBER("second", sampler_wait(&sampler, -1), SAMPLER_DUE);
	CHECK_NUMBER("third", sampler_wait(&sampler, -1), SAMPLER_DUE);
	CHECK_NUMBER("no more", sampler_wait(&sampler, -1), SAMPLER_END);
}

static void check_signal(int number, uint64_t interval)
{
	struct sampler sampler;
	uint64_t start = now();

	begin(&sampler, interval, UINT64_MAX);
	CHECK_NUMBER("first", sampler_wait(&sampler, -1), SAMPLER_DUE);
	/* within a sample: it is taken as a whole */
	raise(number);
	CHECK_NUMBER("end", sampler_wait(&sampler, -1), SAMPLER_END);
	CHECK(now() < start + 5000 * MS, "at once");
}

static void test_interrupt(void)
{
	check_signal(SIGINT, 3600000 * MS);
}

static void test_terminate(void)
{
	check_signal(SIGTERM, 0);
}

/* While it waits. */
static void test_asleep(void)
{
	struct sampler sampler;
	pid_t child;
	int status;

	child = fork();
	if (!child) {
		begin(&sampler, 3600000 * MS, UINT64_MAX);
		sampler_wait(&sampler, -1);
		_exit(sampler_wait(&sampler, -1) == SAMPLER_END ? 7 : 1);
	}
	usleep(200000);
	kill(child, SIGTERM);
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	      WEXITSTATUS(status) == 7, "status 0x%x", (unsigned int)status);
}

/* A second one does not wait for the end of a sample. */
static void test_twice(void)
{
	struct sampler sampler;
	pid_t child;
	int status;

	child = fork();
	if (!child) {
		begin(&sampler, 0, UINT64_MAX);
		sampler_wait(&sampler, -1);
		raise(SIGTERM);
		raise(SIGTERM);
		_exit(1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
	      WTERMSIG(status) == SIGTERM, "status 0x%x",
	      (unsigned int)status);
}

/* One sample is left as the shell has it: a signal ends it at once. */
static void test_single(void)
{
	struct sigaction action;
	struct sampler sampler;

	begin(&sampler, 1000 * MS, 1);
	sigaction(SIGINT, NULL, &action);
	CHECK(action.sa_handler == SIG_DFL, "as it was");
}

/* Of a terminal: keys and sizes, also where it is always time for a sample. */
static void test_input(void)
{
	static const uint64_t intervals[] = { 0, 3600000 * MS };
	struct sampler sampler;
	int ends[2], i;

	for (i = 0; i < 2; i++) {
		CHECK_NUMBER("pipe", pipe(ends), 0);
		begin(&sampler, intervals[i], UINT64_MAX);
		CHECK_NUMBER("first", sampler_wait(&sampler, ends[0]),
			     SAMPLER_DUE);
		raise(SIGWINCH);
		CHECK_NUMBER("size", sampler_wait(&sampler, ends[0]),
			     SAMPLER_RESIZED);
		raise(SIGCONT);
		CHECK_NUMBER("continued", sampler_wait(&sampler, ends[0]),
			     SAMPLER_RESIZED);
		CHECK_NUMBER("key", write(ends[1], "x", 1), 1);
		CHECK_NUMBER("key", sampler_wait(&sampler, ends[0]),
			     SAMPLER_INPUT);
		close(ends[1]);
		close(ends[0]);
	}
}

static const struct test tests[] = {
	{ "count", test_count },
	{ "second", test_second },
	{ "drift", test_drift },
	{ "slow", test_slow },
	{ "interrupt", test_interrupt },
	{ "terminate", test_terminate },
	{ "asleep", test_asleep },
	{ "twice", test_twice },
	{ "single", test_single },
	{ "input", test_input },
};

int main(void)
{
	return TESTS_RUN("sampler", tests);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../clock.h"
#include "sampler.h"

#define SECOND	1000000000ULL

static volatile sig_atomic_t was_told_to_end, has_resized;

static void note_signal(int number)
{
	if (number == SIGINT || number == SIGTERM)
		was_told_to_end = 1;
	else
		has_resized = 1;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_read(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

void sampler_begin(struct sampler *sampler, const struct options *options)
{
	struct sigaction action;

	memset(sampler, 0, sizeof(*sampler));
	sampler->interval = options->repeat ? options->interval : SECOND;
	sampler->left = options->count;
	/* "-i 5" goes on, "-c 3" is one a second, neither is one sample */
	if (!options->repeat && options->count == UINT64_MAX)
		sampler->left = 1;
	if (options->rate && sampler->left != UINT64_MAX)
		sampler->left++;	/* the first is what rates begin with */
	if (sampler->left == 1)
		return;
	memset(&action, 0, sizeof(action));
	action.sa_handler = note_signal;
	sigaction(SIGWINCH, &action, NULL);
	sigaction(SIGCONT, &action, NULL);	/* others drew meanwhile */
	action.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/*
 * The kernel's own sets of signals are of 64 bits: what the libc has to do with
 * its larger ones is a third of a kilobyte.
 */
#define BIT(signal) (1ULL << ((signal) - 1))

#ifdef SYS_ppoll_time64	/* where a long is less than the time */
#define SYS_PPOLL SYS_ppoll_time64
#else
#define SYS_PPOLL SYS_ppoll
#endif

static void set_mask(int how, uint64_t mask, uint64_t *before)
{
	syscall(SYS_rt_sigprocmask, how, &mask, before, sizeof(mask));
}

/* Wait until @time. Signals come in only here, so that none is missed. */
static enum sampler_event wait_until(uint64_t time, int input)
{
	struct pollfd poll = { .fd = input, .events = POLLIN };
	enum sampler_event event = SAMPLER_DUE;
	uint64_t before;
	struct timespec left;
	uint64_t present;
	int ready;

	set_mask(SIG_BLOCK, BIT(SIGINT) | BIT(SIGTERM) | BIT(SIGWINCH) |
		 BIT(SIGCONT), &before);
	do {
		if (was_told_to_end) {
			event = SAMPLER_END;
			break;
		}
		if (has_resized && input >= 0) {
			has_resized = 0;
			event = SAMPLER_RESIZED;
			break;
		}
		/* also where it is time: a signal or a key comes first */
		present = now();
		present = time > present ? time - present : 0;
		left.tv_sec = (time_t)(present / SECOND);
		left.tv_nsec = (long)(present % SECOND);
		ready = (int)syscall(SYS_PPOLL, &poll, 1, &left, &before,
				     sizeof(before));
		if (ready > 0)
			event = SAMPLER_INPUT;
	} while (ready < 0);
	set_mask(SIG_SETMASK, before, NULL);
	return event;
}

enum sampler_event sampler_wait(struct sampler *sampler, int input)
{
	uint64_t present = now(), due = sampler->due + sampler->interval;
	enum sampler_event event;

	if (!sampler->left)
		return SAMPLER_END;
	if (!sampler->started)
		due = present;
	else if (sampler->interval && present > due)
		due += (present - due + sampler->interval - 1) /
			sampler->interval * sampler->interval;
	event = wait_until(due, input);
	if (event == SAMPLER_DUE) {
		sampler->due = due;
		sampler->started = true;
		if (sampler->left != UINT64_MAX)
			sampler->left--;
	}
	return event;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pty FILE LINESxCOLUMNS STEP... -- COMMAND [ARGUMENT]... - run a command in a
 * terminal, and write to FILE what it writes there. Steps, in their order:
 *
 *   see TEXT     wait until it has written TEXT, once more than before
 *   type TEXT    press these keys
 *   size LxC     the window is another size
 *   signal N     send it a signal
 *   stopped      wait until it is stopped; the terminal must be as it was
 *
 * Returns what the command returns, or 128 and the signal that ended it; 125 with
 * a message if a step does not come about within ten seconds, if it does not end
 * within ten more, or if the terminal is then not as it was.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define NEED_STATUS	125
#include "need.h"

#define PATIENCE	10000	/* ms */
#define STEP		20

static int terminal, slave, file;
static pid_t child;
static struct termios before;
static char seen[4 << 20];	/* all of it */
static size_t used, at;		/* at: up to where steps have looked */

static void fail(const char *what, const char *text)
{
	fprintf(stderr, "pty: %s %s\n", what, text);
	kill(child, SIGKILL);
	exit(125);
}

/* Take what has been written, for up to @ms. */
static void take(int ms)
{
	struct pollfd poll_of = { .fd = terminal, .events = POLLIN };
	ssize_t got;

	if (poll(&poll_of, 1, ms) <= 0 || !(poll_of.revents & POLLIN))
		return;
	got = read(terminal, seen + used, sizeof(seen) - 1 - used);
	if (got <= 0)
		return;
	need(write(file, seen + used, (size_t)got) == got, "write");
	used += (size_t)got;
	if (used == sizeof(seen) - 1)
		fail("too much is", "written");
}

static void see(const char *text)
{
	char *found;
	int ms;

	for (ms = 0; ms < PATIENCE; ms += STEP) {
		found = memmem(seen + at, used - at, text, strlen(text));
		if (found) {
			at = (size_t)(found - seen) + strlen(text);
			return;
		}
		take(STEP);
	}
	fail("it did not write", text);
}

static void set_size(const char *text)
{
	struct winsize size = { 0 };
	char *end;

	size.ws_row = (unsigned short)strtoul(text, &end, 10);
	need(*end == 'x', text);
	size.ws_col = (unsigned short)strtoul(end + 1, &end, 10);
	need(!*end && !ioctl(terminal, TIOCSWINSZ, &size), text);
}

static void check_terminal(const char *when)
{
	struct termios now;

	memset(&now, 0, sizeof(now));	/* the kernel's is smaller */
	need(!tcgetattr(slave, &now), "tcgetattr");
	if (now.c_iflag != before.c_iflag || now.c_oflag != before.c_oflag ||
	    now.c_lflag != before.c_lflag || now.c_cflag != before.c_cflag ||
	    memcmp(now.c_cc, before.c_cc, sizeof(now.c_cc)))
		fail("the terminal is not as it was,", when);
}

/* Wait for a change of the command's state. Return: it. */
static int wait_for(int options, const char *what)
{
	int status, ms;

	for (ms = 0; ms < PATIENCE; ms += STEP) {
		if (waitpid(child, &status, WNOHANG | options) == child)
			return status;
		take(STEP);
	}
	fail("it did not", what);
	return 0;
}

static char **do_step(char **word)
{
	if (!strcmp(*word, "stopped")) {
		need(WIFSTOPPED(wait_for(WUNTRACED, "stop")), "it ended");
		check_terminal("stopped");
		return word + 1;
	}
	need(word[1] != NULL, *word);
	if (!strcmp(*word, "see"))
		see(word[1]);
	else if (!strcmp(*word, "type"))
		need(write(terminal, word[1], strlen(word[1])) > 0, "type");
	else if (!strcmp(*word, "size"))
		set_size(word[1]);
	else if (!strcmp(*word, "signal"))
		need(!kill(child, (int)strtol(word[1], NULL, 10)), "signal");
	else
		fail("what is", *word);
	return word + 2;
}

static void open_terminal(const char *size)
{
	terminal = posix_openpt(O_RDWR | O_NOCTTY);
	need(terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal),
	     "posix_openpt: is devpts mounted?");
	set_size(size);
	/* one end stays open here: else what is set is gone with the last */
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	need(slave >= 0 && !tcgetattr(slave, &before), "the terminal's end");
}

static void run(char **command)
{
	int fd;

	setsid();
	need(!ioctl(slave, TIOCSCTTY, 0), "TIOCSCTTY");
	for (fd = 0; fd < 3; fd++)
		dup2(slave, fd);
	close(slave);
	close(terminal);
	close(file);
	execvp(command[0], command);
	perror(command[0]);
	_exit(125);
}

int main(int argc, char **argv)
{
	char **command = argv + 3;
	int status;

	while (argc > 3 && *command && strcmp(*command, "--"))
		command++;
	if (argc < 5 || !*command || !command[1]) {
		fprintf(stderr, "usage: pty FILE LINESxCOLUMNS STEP... --"
			" COMMAND\n");
		return 125;
	}
	file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
	need(file >= 0, argv[1]);
	open_terminal(argv[2]);
	child = fork();
	need(child >= 0, "fork");
	if (!child)
		run(command + 1);
	for (argv += 3; argv < command;)
		argv = do_step(argv);
	status = wait_for(0, "end");
	while (used < sizeof(seen)) {
		size_t last = used;

		take(STEP);
		if (used == last)
			break;
	}
	check_terminal("at the end");
	return WIFEXITED(status) ? WEXITSTATUS(status) :
		128 + WTERMSIG(status);
}

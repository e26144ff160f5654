// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "../text.h"
#include "live.h"

/* Of a terminal that does not tell. */
#define LINES	24
#define COLUMNS	80

static struct termios before;

/* Also after a stop, when the shell has set its own ways. */
static void take_over(void)
{
	struct termios now = before;

	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	now.c_cc[VQUIT] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

static void stop(int number)
{
	(void)number;
	live_end();
	kill(getpid(), SIGSTOP);
}

bool live_begin(void)
{
	const char *kind = "dumb";
	char **variable;
	struct sigaction action;
	struct termios ignored;

	/* the libc's getenv() and what it brings are 340 bytes */
	for (variable = environ; *variable; variable++) {
		if (!strncmp(*variable, "TERM=", 5)) {
			kind = *variable + 5;
			break;
		}
	}
	if (!*kind || !strcmp(kind, "dumb") ||
	    tcgetattr(STDIN_FILENO, &before) < 0 ||
	    tcgetattr(STDOUT_FILENO, &ignored) < 0)
		return false;
	memset(&action, 0, sizeof(action));
	action.sa_handler = stop;
	sigaction(SIGTSTP, &action, NULL);
	take_over();
	return true;
}

struct live_size live_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_row ||
	    !size.ws_col)
		return (struct live_size){ LINES, COLUMNS };
	return (struct live_size){ size.ws_row, size.ws_col };
}

void live_home(struct out *out)
{
	take_over();
	out_text(out, "\033[?7l\033[H\033[K");
}

void live_done(struct out *out)
{
	out_text(out, "\033[J\033[?7h");
}

bool live_quits(void)
{
	char keys[64];
	ssize_t count = read(STDIN_FILENO, keys, sizeof(keys));

	return count <= 0 ||
		text_find(keys, keys + count, 'q') < keys + count;
}

void live_end(void)
{
	tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "../write/format.h"
#include "../write/replace.h"
#include "output.h"

struct out output;		/* large, so all zeroes to begin with */
static struct replace replacement;	/* where it goes */
static bool is_replacing;

void complain(const char *format, ...)
{
	static const char name[] = "memcgstat: ";
	char text[2048];
	va_list arguments;
	size_t length;

	memcpy(text, name, sizeof(name));
	va_start(arguments, format);
	format_list(text + sizeof(name) - 1, sizeof(text) - sizeof(name),
		    format, arguments);
	va_end(arguments);
	/* names of cgroups can hold anything: nothing moves the cursor */
	for (length = 0; text[length]; length++)
		if ((unsigned char)text[length] < 0x20 || text[length] == 0x7f)
			text[length] = '?';
	text[length++] = '\n';
	/* one write: lines of several processes stay apart */
	if (write(STDERR_FILENO, text, length) < 0)
		return;		/* there is nobody left to tell */
}

bool output_begin(const char *file)
{
	struct reason reason;

	is_replacing = file;
	out_open(&output, STDOUT_FILENO);
	if (!file)
		return true;
	if (replace_begin(&replacement, file, &reason)) {
		complain("%s", reason.text);
		return false;
	}
	out_open(&output, replacement.fd);
	return true;
}

int output_finish(int status)
{
	int err = out_flush(&output);
	struct reason reason;

	if (err) {
		complain("write error on %s: %s", is_replacing ?
			 replacement.path : "stdout", error_text(err));
		output_abort();
	} else if (is_replacing) {
		err = replace_commit(&replacement, &reason);
		if (err)
			complain("%s", reason.text);
	}
	return err ? FAILED : status;
}

void output_abort(void)
{
	if (is_replacing)
		replace_abort(&replacement);
}

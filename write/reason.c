// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../reason.h"

/* What can happen to who reads and writes files, maps memory and loads BPF. */
#define ERRORS(X) \
	X(EPERM, "Operation not permitted") \
	X(ENOENT, "No such file or directory") \
	X(EIO, "I/O error") \
	X(EBADF, "Bad file descriptor") \
	X(EAGAIN, "Try again") \
	X(ENOMEM, "Out of memory") \
	X(EACCES, "Permission denied") \
	X(EBUSY, "Resource busy") \
	X(EEXIST, "File exists") \
	X(ENODEV, "No such device") \
	X(ENOTDIR, "Not a directory") \
	X(EISDIR, "Is a directory") \
	X(EINVAL, "Invalid argument") \
	X(EMFILE, "Too many open files") \
	X(EFBIG, "File too large") \
	X(ENOSPC, "No space left on device") \
	X(EROFS, "Read-only file system") \
	X(EPIPE, "Broken pipe") \
	X(ENAMETOOLONG, "Filename too long") \
	X(ENOSYS, "Not implemented") \
	X(ELOOP, "Symbolic link loop") \
	X(EOPNOTSUPP, "Not supported") \
	X(EDQUOT, "Quota exceeded")

#define NUMBER(number, text)	number,
#define TEXT(number, text)	text "\0"

static const uint16_t numbers[] = { ERRORS(NUMBER) };
static const char texts[] = ERRORS(TEXT);

int reason_set(struct reason *reason, int err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	format_list(reason->text, sizeof(reason->text), format, arguments);
	va_end(arguments);
	return err;
}

const char *error_text(int err)
{
	static char other[sizeof("error ") + FORMAT_NUMBER];
	const char *text = texts;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i] == -err)
			return text;
		text += strlen(text) + 1;
	}
	format_text(other, sizeof(other), "error %d", -err);
	return other;
}

int reason_error(struct reason *reason, int err, const char *what)
{
	return reason_set(reason, err, "%s: %s", what, error_text(err));
}

int reason_no_memory(struct reason *reason)
{
	return reason_set(reason, -ENOMEM, "out of memory");
}

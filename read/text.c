// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "../text.h"

static bool is_of(char c, const char *set)
{
	while (*set && *set != c)
		set++;
	return *set;
}

static size_t span(const char *text, const char *set, bool of)
{
	size_t length = 0;

	while (text[length] && is_of(text[length], set) == of)
		length++;
	return length;
}

size_t text_span(const char *text, const char *set)
{
	return span(text, set, true);
}

size_t text_until(const char *text, const char *set)
{
	return span(text, set, false);
}

const char *text_find(const char *at, const char *end, char byte)
{
	while (at < end && *at != byte)
		at++;
	return at;
}

const char *text_line(const char **text, const char *end)
{
	const char *stop = text_find(*text, end, '\n');

	*text = stop < end ? stop + 1 : end;
	return stop;
}

char *text_take(char **at, const char *ends)
{
	char *part = *at, *end = part;

	if (part)
		end += text_until(part, ends);
	*at = NULL;
	if (part && *end) {
		*end = '\0';
		*at = end + 1;
	}
	return part;
}

size_t text_directory(const char *path)
{
	size_t length = strlen(path);

	while (length && path[length - 1] != '/')
		length--;
	return length;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "../text.h"
#include "parse.h"
#include "snapshot.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

enum parsed parse_value(const char *text, const char *end, uint64_t *value)
{
	uint64_t number = 0;
	bool negative;

	while (text < end && is_blank(*text))
		text++;
	while (text < end && is_blank(end[-1]))
		end--;
	if (end - text == 3 && !memcmp(text, "max", 3)) {
		*value = VALUE_NO_LIMIT;
		return PARSED_OK;
	}
	negative = text < end && *text == '-';
	text += negative;
	if (text == end)
		return PARSED_BAD;
	for (; text < end; text++) {
		unsigned int digit = (unsigned int)(*text - '0');

		if (digit > 9 || number > (VALUE_NO_LIMIT - 1 - digit) / 10)
			return PARSED_BAD;
		number = number * 10 + digit;
	}
	*value = negative ? 0 : number;
	return negative && number ? PARSED_NEGATIVE : PARSED_OK;
}

enum parsed parse_line(const char **text, const char *end, const char **key,
		       size_t *key_length, uint64_t *value)
{
	const char *line = *text, *stop, *blank;

	if (line >= end)
		return PARSED_END;
	stop = text_line(text, end);
	blank = text_find(line, stop, ' ');
	*key = line;
	*key_length = (size_t)(blank - line);
	if (blank == stop || !*key_length)
		return PARSED_BAD;
	return parse_value(blank, stop, value);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>

#include "../../read/parse.h"
#include "../../read/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A number is never one of the two states that are none, unless it is "max". */
static void check_value(const char *text, const char *end)
{
	uint64_t value = 77;
	enum parsed parsed = parse_value(text, end, &value);

	if (parsed == PARSED_END || (parsed == PARSED_NEGATIVE && value) ||
	    (parsed == PARSED_OK && value == VALUE_ABSENT))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *end = text + size;
	const char *before = text, *key;
	size_t key_length;
	enum parsed parsed;
	uint64_t value;

	check_value(text, end);
	while ((parsed = parse_line(&text, end, &key, &key_length, &value)) !=
	       PARSED_END) {
		/* it goes on, the key lies in the line, and is there if read */
		if (text <= before || text > end || key < before ||
		    key + key_length > text ||
		    (parsed != PARSED_BAD && !key_length))
			abort();
		before = text;
	}
	if (text != end)
		abort();
	return 0;
}

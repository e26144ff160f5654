// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "amount.h"

#define FRACTION_DIGITS	6

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool amount_decimal(const char **text, uint64_t scale, uint64_t *value)
{
	const char *at = *text;
	uint64_t whole = 0, part = 0, parts = 1, digits = 0;

	if (!is_digit(at[at[0] == '.']))
		return false;
	for (; is_digit(*at); at++) {
		uint64_t digit = (uint64_t)(*at - '0');

		if (whole > (INT64_MAX / scale - digit) / 10)
			return false;
		whole = whole * 10 + digit;
	}
	if (at[0] == '.' && is_digit(at[1])) {
		for (at++; is_digit(*at); at++) {
			if (++digits > FRACTION_DIGITS)
				return false;
			part = part * 10 + (uint64_t)(*at - '0');
			parts *= 10;
		}
	}
	*value = whole * scale + part * scale / parts;
	*text = at;
	return true;
}

bool amount_size(const char **text, uint64_t *value)
{
	static const char units[] = "KMGT";
	const char *at = *text;
	uint64_t ignored, scale = 1;
	size_t unit;

	/* the unit comes behind the number, and scales its fraction */
	if (!amount_decimal(&at, 1, &ignored))
		return false;
	for (unit = 0; units[unit] && units[unit] != *at; unit++)
		;
	if (units[unit]) {
		scale = 1ULL << 10 * (unit + 1);
		at += 1 + (at[1] == 'i');
	}
	at += *at == 'B';
	if (!amount_decimal(text, scale, value))
		return false;
	*text = at;
	return true;
}

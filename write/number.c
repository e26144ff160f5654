// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "format.h"

size_t format_number(char *to, unsigned long long number)
{
	char text[FORMAT_NUMBER * 2];	/* digits, a NUL, and whatever */
	char *end = text + FORMAT_NUMBER - 1, *at = end;

	*end = '\0';
	while (number >= 10) {
		unsigned int pair = (unsigned int)(number % 100);
		unsigned int ten = pair * 103 >> 10;	/* pair / 10 */

		*--at = (char)('0' + pair - ten * 10);
		*--at = (char)('0' + ten);
		number /= 100;
	}
	if (number || at == end)
		*--at = (char)('0' + number);
	memcpy(to, at, FORMAT_NUMBER);	/* all the room: of a constant size */
	return (size_t)(end - at);
}

size_t format_thousandths(char *to, unsigned long long number)
{
	unsigned long long part = number % 1000;
	size_t length = format_number(to, number / 1000), digits = 4;
	char text[FORMAT_NUMBER];

	if (part) {
		format_number(text, 1000 + part);
		text[0] = '.';
		while (text[digits - 1] == '0')
			digits--;
		memcpy(to + length, text, digits);
		length += digits;
		to[length] = '\0';
	}
	return length;
}

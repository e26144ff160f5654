// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "format.h"

size_t format_number(char *to, unsigned long long number)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324"
		"25262728293031323334353637383940414243444546474849"
		"50515253545556575859606162636465666768697071727374"
		"75767778798081828384858687888990919293949596979899";
	char text[FORMAT_NUMBER];
	size_t at = sizeof(text) - 1, length;

	text[at] = '\0';
	while (number >= 10) {
		const char *pair = pairs + number % 100 * 2;

		text[--at] = pair[1];
		text[--at] = pair[0];
		number /= 100;
	}
	if (number || at == sizeof(text) - 1)
		text[--at] = (char)('0' + number);
	length = sizeof(text) - 1 - at;
	memcpy(to, text + at, length + 1);
	return length;
}

size_t format_thousandths(char *to, unsigned long long number)
{
	unsigned long long part = number % 1000;
	size_t length = format_number(to, number / 1000);

	if (part) {
		to[length++] = '.';
		to[length++] = (char)('0' + part / 100);
		if (part % 100)
			to[length++] = (char)('0' + part / 10 % 10);
		if (part % 10)
			to[length++] = (char)('0' + part % 10);
	}
	to[length] = '\0';
	return length;
}

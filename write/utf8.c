// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "utf8.h"

size_t utf8_length(const char *bytes, size_t left)
{
	const unsigned char *at = (const void *)bytes;
	unsigned char low = 0x80, high = 0xbf;
	size_t length, i;

	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	length = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
	if (left < length)
		return 0;
	/* the second byte's range: no overlong form, surrogate, or > U+10FFFF */
	if (at[0] == 0xe0)
		low = 0xa0;
	else if (at[0] == 0xed)
		high = 0x9f;
	else if (at[0] == 0xf0)
		low = 0x90;
	else if (at[0] == 0xf4)
		high = 0x8f;
	if (at[1] < low || at[1] > high)
		return 0;
	for (i = 2; i < length; i++)
		if (at[i] < 0x80 || at[i] > 0xbf)
			return 0;
	return length;
}

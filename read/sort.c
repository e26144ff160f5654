// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdint.h>
#include <string.h>

#include "sort.h"

static void swap(char *x, char *y, size_t size)
{
	uint64_t word;

	for (; size; size -= sizeof(word)) {
		memcpy(&word, x, sizeof(word));
		memcpy(x, y, sizeof(word));
		memcpy(y, &word, sizeof(word));
		x += sizeof(word);
		y += sizeof(word);
	}
}

/* A heap: an item goes behind its children. Only the one @at may not: it sinks. */
static void sink(char *items, size_t at, size_t count, size_t size,
		 int (*compare)(const void *, const void *))
{
	for (;;) {
		char *item = items + at * size, *child;

		at = 2 * at + 1;
		if (at >= count)
			return;
		child = items + at * size;
		if (at + 1 < count && compare(child, child + size) < 0) {
			child += size;
			at++;
		}
		if (compare(item, child) >= 0)
			return;
		swap(item, child, size);
	}
}

void sort_items(void *items, size_t count, size_t size,
		int (*compare)(const void *a, const void *b))
{
	size_t i;

	for (i = count / 2; i > 0; i--)
		sink(items, i - 1, count, size, compare);
	/* the last of all is the heap's first */
	for (i = count; i > 1; i--) {
		swap(items, (char *)items + (i - 1) * size, size);
		sink(items, 0, i - 1, size, compare);
	}
}

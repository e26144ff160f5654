/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_SORT_H
#define MEMCGSTAT_SORT_H

#include <stddef.h>

/*
 * sort_items - sort an array in place; n log n steps whatever its order is
 * @size: of an item, bytes; a multiple of 8
 * @compare: below 0 if @a goes before @b, above 0 if behind it. Among items of
 *	which it tells 0 the order is any.
 */
void sort_items(void *items, size_t count, size_t size,
		int (*compare)(const void *a, const void *b));

#endif

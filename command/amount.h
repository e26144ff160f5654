/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers as people write them: "0.5" seconds, "1.5G". */
#ifndef MEMCGSTAT_AMOUNT_H
#define MEMCGSTAT_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * amount_decimal - a number that may have a fraction, up to six digits of it
 * @text: in: where it begins; out: behind it
 * @scale: what 1 stands for, at most 1 << 40
 * @value: set: the number times @scale, rounded down
 *
 * Return: false where no number stands there, or one that does not fit.
 */
bool amount_decimal(const char **text, uint64_t scale, uint64_t *value);

/*
 * amount_size - a number and a unit: K, M, G, T or Ki, Mi, Gi, Ti, which are
 * powers of 1024 in both spellings, as in the table; or B, or none
 *
 * Arguments and return as above.
 */
bool amount_size(const char **text, uint64_t *value);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How a BPF program names a struct's member in an instruction: by an offset that
 * none has, a number. gen/object.c puts the symbol's in its place.
 */
#ifndef MEMCGSTAT_MEMBER_H
#define MEMCGSTAT_MEMBER_H

#define MEMBER_FIRST	0x4000	/* and up: offsets that are numbers */
#define MEMBER_STEP	16	/* so far apart that no two loads overlap */

struct member_label {
	unsigned int number;
	char member[60];
};

#endif

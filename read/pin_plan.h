/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a pin's plan is: pin_make.c writes it, pin.c reads it. */
#ifndef MEMCGSTAT_PIN_PLAN_H
#define MEMCGSTAT_PIN_PLAN_H

#include "../version.h"
#include "pin.h"

#define COLUMN_NEW	UINT16_MAX	/* not in the list of fields */

/* How to read a pin's map; columns and texts follow. */
struct pin_head {
	char version[16];	/* of the program that made it */
	uint32_t layout;	/* see pin_layout() */
	uint32_t size;		/* of all this, bytes */
	uint32_t column_count, texts;	/* where these begin, bytes */
	uint32_t top;		/* text: path of the cgroup where a walk begins */
	uint32_t depth;		/* levels below it */
	uint32_t flush;		/* enum walk_flush */
	bool raw, all;		/* all fields that the kernel has */
	struct walk_plan plan;
};

struct pin_column {
	uint16_t field;		/* in the list of fields, or COLUMN_NEW */
	uint16_t file, key;	/* of a new one: texts; key 0: none */
	struct slot slot;
};

/* Changes with what a pin holds and with what walks write. */
static inline uint32_t pin_layout(void)
{
	return (uint32_t)(sizeof(struct pin_head) << 16 ^
			  sizeof(struct pin_column) << 10 ^
			  sizeof(struct walk_map) ^ field_count << 4);
}

/* The files of a pin. */
enum pin_file { PIN_LINK, PIN_MAP, PIN_PLAN, PIN_FILES };
extern const char *const pin_files[PIN_FILES];

#define PIN_FILE	(PIN_PATH + 16)	/* bytes of "DIRECTORY/FILE" */

/*
 * pin_file - the path of one of a pin's files
 * @to: PIN_FILE bytes
 *
 * Return: 0, or -ENAMETOOLONG with a @reason.
 */
int pin_file(char *to, const char *directory, enum pin_file file,
	     struct reason *reason);

#endif

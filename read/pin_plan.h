/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a pin's plan is: pin_make.c writes it, pin_plan.c reads it. */
#ifndef MEMCGSTAT_PIN_PLAN_H
#define MEMCGSTAT_PIN_PLAN_H

#include "../version.h"
#include "pin.h"

#define PIN_PROGRAM	"memcgstat "
#define COLUMN_NEW	UINT16_MAX	/* not in the list of fields */

/* How to read a pin's map; columns and texts follow. */
struct pin_head {
	char version[24];	/* PIN_PROGRAM VERSION, of who made it */
	uint32_t layout;	/* see pin_layout() */
	uint32_t size;		/* of all this, bytes */
	uint32_t map;		/* id of the map that it tells of */
	uint32_t names;		/* see pin_namespace() */
	uint32_t column_count, texts;	/* where these begin, bytes */
	uint32_t fields;	/* text: what was selected, as by --fields */
	uint32_t top;		/* text: path of the cgroup where a walk begins */
	uint32_t depth;		/* levels below it */
	uint32_t flush;		/* enum walk_flush */
	uint32_t raw;		/* 0: kfunc */
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

/* The path of one of a pin's files. @to: PIN_FILE bytes. */
void pin_file(char *to, const char *directory, enum pin_file file);

/* The cgroup namespace whose paths this process speaks; 0: nothing tells. */
uint32_t pin_namespace(void);

/*
 * pin_get_plan - copy the plan of a pin, of any version
 *
 * Return: 0 or -errno as pin_open(). Free with pin_close() in any case.
 */
int pin_get_plan(struct pin *pin, const char *directory,
		 struct reason *reason);

/* A text of a plan that was checked; "" where it is none. */
const char *pin_text(const struct pin_head *head, uint32_t at);

/*
 * pin_take_plan - check a plan, which anybody may have written, and have a
 * snapshot's columns by it
 * @pin: its plan and its map are known
 *
 * Return: 0 or -errno as pin_open().
 */
int pin_take_plan(const struct pin *pin, struct snapshot *snapshot,
		  const struct selection *selection, struct reason *reason);

/*
 * pin_take_walk - check what a walk left in a map, and fill a snapshot
 * @found: a copy of the map's value; WALK_DATA_MAX bytes may be read behind it
 *
 * Return: 0 or -errno as pin_read().
 */
int pin_take_walk(const struct pin *pin, struct snapshot *snapshot,
		  const struct walk_map *found,
		  const struct walk_options *walk, struct reason *reason);

#endif

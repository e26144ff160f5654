// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "fields.h"

/* The files of many keys. */
enum { ITSELF, EVENTS, EVENTS_LOCAL, SWAP_EVENTS, STAT, CGROUP_STAT,
	OOM_CONTROL };

static const char *const files[] = {
	[EVENTS] = "memory.events",
	[EVENTS_LOCAL] = "memory.events.local",
	[SWAP_EVENTS] = "memory.swap.events",
	[STAT] = "memory.stat",
	[CGROUP_STAT] = "cgroup.stat",
	[OOM_CONTROL] = "memory.oom_control",
};

/*
 * An entry of the list is ENTRY(file, name, version, from, unit, type, needs,
 * symbol); a symbol of "" is the same as the name. The usual ones are shorter:
 */
#define STAT(key, unit, type, needs, symbol) \
	ENTRY(STAT, key, FIELD_V2, STAT, unit, type, needs, symbol)
#define IN_STAT(key) "memory.stat." key
#define SUM(key, unit, type, keys) \
	ENTRY(STAT, key, FIELD_V2, SUM, unit, type, NOTHING, keys)
#define EVENT(file, key, from, needs, symbol) \
	ENTRY(file, key, FIELD_V2, from, NUMBER, COUNTER, needs, symbol)
#define PAGES(file, needs, symbol) \
	ENTRY(ITSELF, file, FIELD_V2, PAGES, BYTES, GAUGE, needs, symbol)
#define LIMIT(file, needs, symbol) \
	ENTRY(ITSELF, file, FIELD_V2, LIMIT, BYTES, LIMIT, needs, symbol)
#define CGROUP(key) \
	ENTRY(CGROUP_STAT, key, FIELD_V2, CGROUP, NUMBER, GAUGE, NOTHING, "")
#define V1(file, name, unit, type) \
	ENTRY(file, name, FIELD_V1, FILE, unit, type, NOTHING, "")
#define WORKING_SET(version, minuend, subtrahend) \
	ENTRY(ITSELF, "working_set", version, DIFFERENCE, BYTES, GAUGE, \
	      NOTHING, minuend " " IN_STAT(subtrahend))
#define LIMIT_OF(version, name) \
	ENTRY(ITSELF, "limit", version, LEAST, BYTES, LIMIT, NOTHING, name)

/* All texts, one behind the other: a field has no pointer, but an offset. */
#define JOIN(a, b) a##b
#define MEMBER_AT(line) JOIN(line_, line)
#define MEMBER MEMBER_AT(__LINE__)

#define ENTRY(file, name, version, from, unit, type, needs, symbol) \
	char MEMBER[sizeof(name "\0" symbol)];
struct texts {
#include "field_list.h"
};

#undef ENTRY
#define ENTRY(file, name, version, from, unit, type, needs, symbol) \
	name "\0" symbol,
static const struct texts texts = {
#include "field_list.h"
};

#undef ENTRY
#define ENTRY(file, name, version, from, unit, type, needs, symbol) \
	{ offsetof(struct texts, MEMBER), file, version, FROM_##from, \
	  UNIT_##unit, TYPE_##type, NEEDS_##needs },
const struct field fields[] = {
#include "field_list.h"
};

const size_t field_count = sizeof(fields) / sizeof(fields[0]);

const char *field_name(const struct field *field)
{
	return (const char *)&texts + field->text;
}

const char *field_file(const struct field *field)
{
	return field->file == ITSELF ? field_name(field) : files[field->file];
}

const char *field_key(const struct field *field)
{
	return field->file == ITSELF ? NULL : field_name(field);
}

const char *field_symbol(const struct field *field)
{
	const char *name = field_name(field), *symbol = name + strlen(name) + 1;

	return *symbol ? symbol : name;
}

const struct field *field_find(const char *file, const char *key,
			       size_t key_length)
{
	size_t i;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];
		const char *name = field_name(field);

		if (!key != (field->file == ITSELF) ||
		    (key && *name != *key))
			continue;
		if ((!key || (!strncmp(name, key, key_length) &&
			      !name[key_length])) &&
		    !strcmp(field_file(field), file))
			return field;
	}
	return NULL;
}

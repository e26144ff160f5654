// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../text.h"
#include "fields.h"
#include "selection.h"
#include "../write/format.h"

static const char default_v2[] =
	"memory.current,memory.max,working_set,memory.stat.anon,"
	"memory.stat.file,memory.stat.kernel";
static const char default_v1[] =
	"memory.usage_in_bytes,memory.limit_in_bytes,working_set,"
	"memory.stat.total_rss,memory.stat.total_cache";

static const char prefix[] = "memory.";

static void full_name(char *to, size_t size, const char *file, const char *key)
{
	format_text(to, size, "%s%s%s", file, key ? "." : "", key ? key : "");
}

const char *field_short_name(char *to, size_t size, const char *file,
			     const char *key)
{
	if (key && !strcmp(file, "memory.stat"))
		full_name(to, size, key, NULL);
	else if (!strncmp(file, prefix, sizeof(prefix) - 1))
		full_name(to, size, file + sizeof(prefix) - 1, key);
	else
		full_name(to, size, file, key);
	return to;
}

static int add(struct selection *selection, const char *file, const char *key,
	       struct reason *reason)
{
	struct selected *item;

	if (selection->count == SELECTION_MAX)
		return reason_set(reason, -EINVAL, "more than %d fields",
				  SELECTION_MAX);
	item = &selection->items[selection->count++];
	item->file = file;
	item->key = key;
	item->hidden = false;
	return 0;
}

/*
 * Does @name begin with all of @full, of which a leading "memory." may be left
 * out? Return: what follows in @name, or NULL.
 */
static const char *after(const char *name, const char *full)
{
	size_t length = strlen(full), skip = sizeof(prefix) - 1;

	if (!strncmp(name, full, length))
		return name + length;
	if (!strncmp(full, prefix, skip) &&
	    !strncmp(name, full + skip, length - skip))
		return name + length - skip;
	return NULL;
}

static int add_name(struct selection *selection, const char *name, bool v1,
		    struct reason *reason)
{
	unsigned int version = v1 ? FIELD_V1 : FIELD_V2;
	const struct field *match = NULL;
	const char *unknown = NULL, *key = NULL;
	size_t i;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];
		const char *file = field_file(field);
		const char *field_name = field_key(field);
		const char *rest = after(name, file);

		/* a file of many keys: all of them */
		if (rest && !*rest)
			return add(selection, file, NULL, reason);
		if (!field_name)
			continue;
		rest = rest && *rest == '.' ? rest + 1 : NULL;
		if (((rest && !strcmp(rest, field_name)) ||
		     (!strcmp(name, field_name) &&
		      !strcmp(file, "memory.stat"))) &&
		    (!match || !(match->version & version)))
			match = field;
		/* the longest: memory.events.local is a file, too */
		if (rest && (!unknown || strlen(file) > strlen(unknown))) {
			unknown = file;
			key = rest;
		}
	}
	if (match)
		return add(selection, field_file(match), field_key(match),
			   reason);
	if (unknown && *key)	/* newer than the list of fields, or wrong */
		return add(selection, unknown, key, reason);
	return reason_set(reason, -EINVAL, "unknown field '%s':"
			  " --fields help lists them", name);
}

/* Copy names to where they stay. Return: the copy; or NULL with a @reason. */
static char *keep(struct selection *selection, const char *name, size_t length,
		  struct reason *reason)
{
	char *copy = selection->names + selection->names_used;

	if (length >= sizeof(selection->names) - selection->names_used) {
		reason_set(reason, -EINVAL, "the names of fields are too long");
		return NULL;
	}
	memcpy(copy, name, length);
	copy[length] = '\0';
	selection->names_used += length + 1;
	return copy;
}

int selection_parse(struct selection *selection, const char *list, bool v1,
		    struct reason *reason)
{
	char *name, *next;
	int err = 0;

	selection_free(selection);
	selection->v1 = v1;
	selection->is_default = !strcmp(list, "default");
	if (selection->is_default)
		list = v1 ? default_v1 : default_v2;
	name = keep(selection, list, strlen(list), reason);
	if (!name)
		return -EINVAL;
	for (; name && !err; name = next) {
		next = name;
		text_take(&next, ",");
		if (!strcmp(name, "all"))
			selection->all = true;
		else if (!*name)
			err = reason_set(reason, -EINVAL, "an empty name in the"
					 " fields '%s'", list);
		else
			err = add_name(selection, name, v1, reason);
	}
	if (err)
		selection_free(selection);
	return err;
}

int selection_want(struct selection *selection, const char *name,
		   size_t length, struct reason *reason)
{
	struct selected *item = &selection->items[selection->count];
	char *copy = keep(selection, name, length, reason);

	if (!copy || add_name(selection, copy, false, reason))
		return -EINVAL;
	item->hidden = true;
	if (!item->key && !field_find(item->file, NULL, 0))
		return reason_set(reason, -EINVAL, "%s is a file of many"
				  " numbers: name one, as %s.KEY", copy, copy);
	return (int)(item - selection->items);
}

int selection_for_v1(struct selection *v1, const struct selection *selection,
		     struct reason *reason)
{
	int err = 0;
	size_t i;

	selection_free(v1);
	if (selection->is_default)	/* no more of them than of v2's */
		err = selection_parse(v1, "default", true, reason);
	v1->all = selection->all;
	v1->v1 = true;
	for (i = 0; i < selection->count && !err; i++)
		if (!selection->is_default || selection->items[i].hidden)
			v1->items[v1->count++] = selection->items[i];
	return err;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool has(const struct selection *selection, const char *file,
		const char *key, bool hidden)
{
	size_t i;

	if (selection->all)
		return true;
	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];

		if (!strcmp(item->file, file) && item->hidden <= hidden &&
		    (!item->key || same(item->key, key)))
			return true;
	}
	return false;
}

bool selection_has(const struct selection *selection, const char *file,
		   const char *key)
{
	return has(selection, file, key, false);
}

bool selection_wants(const struct selection *selection, const char *file,
		     const char *key)
{
	return has(selection, file, key, true);
}

/* Is a full name, or any name of that file where @key is NULL, in a list? */
static bool parts_have(const char *list, const char *file, const char *key)
{
	char name[FIELD_NAME_SIZE];
	size_t length, wanted;

	full_name(name, sizeof(name), file, key);
	wanted = strlen(name);
	for (; *list; list += length + (list[length] == ' ')) {
		length = text_until(list, " ");
		if (length >= wanted && !memcmp(list, name, wanted) &&
		    (length == wanted || (!key && list[wanted] == '.')))
			return true;
	}
	return false;
}

bool selection_needs(const struct selection *selection, const char *file,
		     const char *key)
{
	unsigned int version = selection->v1 ? FIELD_V1 : FIELD_V2;
	size_t i;

	if (selection_wants(selection, file, key))
		return true;
	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];

		if (field->from >= FROM_SUM && (field->version & version) &&
		    selection_wants(selection, field_file(field),
				    field_key(field)) &&
		    parts_have(field_symbol(field), file, key))
			return true;
	}
	return false;
}

bool selection_needs_file(const struct selection *selection, const char *file)
{
	size_t i;

	for (i = 0; i < selection->count; i++)
		if (!strcmp(selection->items[i].file, file))
			return true;
	return selection_needs(selection, file, NULL);
}

const struct selected *selection_unknown(const struct selection *selection)
{
	size_t i;

	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];

		/* those of subsystems are found by themselves */
		if (item->key && strcmp(item->file, "cgroup.stat") &&
		    !field_find(item->file, item->key, strlen(item->key)))
			return item;
	}
	return NULL;
}

void selection_free(struct selection *selection)
{
	memset(selection, 0, offsetof(struct selection, names));
}

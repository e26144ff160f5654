// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list of fields agrees with itself. */
#include <stdbool.h>

#include "../../read/fields.h"
#include "test.h"

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void full_name(const struct field *field, char *to, size_t size)
{
	const char *key = field_key(field);

	snprintf(to, size, "%s%s%s", field_file(field), key ? "." : "",
		 key ? key : "");
}

static void test_unique(void)
{
	size_t i, j;

	CHECK(field_count > 100, "%zu fields", field_count);
	for (i = 0; i < field_count; i++) {
		for (j = i + 1; j < field_count; j++)
			CHECK(!(fields[i].version & fields[j].version) ||
			      !same(field_file(&fields[i]),
				    field_file(&fields[j])) ||
			      !same(field_key(&fields[i]),
				    field_key(&fields[j])),
			      "%s, twice", field_name(&fields[i]));
	}
}

/* Anything that is found is what was asked for; of two versions, one is. */
static void test_find(void)
{
	char name[64];
	size_t i;

	for (i = 0; i < field_count; i++) {
		const char *file = field_file(&fields[i]);
		const char *key = field_key(&fields[i]);
		size_t length = key ? strlen(key) : 0;
		const struct field *found;

		/* not terminated, as in a file */
		snprintf(name, sizeof(name), "%s 5", key ? key : "");
		found = field_find(file, key ? name : NULL, length);
		CHECK(found && same(field_file(found), file) &&
		      same(field_key(found), key), "%s", field_name(&fields[i]));
		if (!key)
			continue;
		found = field_find(file, key, length - 1);
		CHECK(!found || strlen(field_name(found)) == length - 1,
		      "%s cut off", key);
		CHECK(!field_find(file, NULL, 0), "%s without a key", file);
	}
	CHECK(!field_find("memory.stat", "nothing", 7), "no such key");
	CHECK(!field_find("memory.stat", "", 0), "an empty key");
	CHECK(!field_find("memory.nothing", NULL, 0), "no such file");
	CHECK(!field_find("memory.current", "anon", 4), "a file of one number");
}

/* The whole name of a part is a field of the same version. */
static bool has_part(const struct field *whole, const char *part, size_t length)
{
	char name[160];
	size_t i;

	for (i = 0; i < field_count; i++) {
		full_name(&fields[i], name, sizeof(name));
		if (strlen(name) == length && !memcmp(name, part, length) &&
		    /* v1 has some keys of memory.stat that v2 lists */
		    (fields[i].version & whole->version ||
		     whole->version == FIELD_V1))
			return true;
	}
	return false;
}

static void test_parts(void)
{
	size_t i, derived = 0;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];
		const char *part;
		size_t parts = 0, length;

		if (field->from != FROM_SUM && field->from != FROM_DIFFERENCE)
			continue;
		derived++;
		for (part = field_symbol(field); *part; part += length + (part[length] == ' ')) {
			length = strcspn(part, " ");
			parts++;
			CHECK(has_part(field, part, length), "%s: part %.*s",
			      field_name(field), (int)length, part);
		}
		/* PARTS_MAX in snapshot.h */
		CHECK(parts >= 2 && parts <= 4 &&
		      (field->from == FROM_SUM || parts == 2),
		      "%s: %zu parts", field_name(field), parts);
	}
	CHECK(derived >= 5, "%zu derived fields", derived);
}

/* What a BPF source looks for must have a name; a file needs none. */
static void test_symbols(void)
{
	size_t i;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];

		CHECK(field->from == FROM_FILE || *field_symbol(field),
		      "%s: its symbol", field_name(field));
		CHECK(field->version == FIELD_V1 || field->version == FIELD_V2,
		      "%s: its version", field_name(field));
		CHECK(field->from != FROM_LIMIT || field->type == TYPE_LIMIT,
		      "%s: its type", field_name(field));
	}
}

static const struct test tests[] = {
	{ "unique", test_unique },
	{ "find", test_find },
	{ "parts", test_parts },
	{ "symbols", test_symbols },
};

int main(void)
{
	return TESTS_RUN("fields", tests);
}

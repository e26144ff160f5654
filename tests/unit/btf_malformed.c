// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A BTF of which one part is wrong. */
#include <errno.h>
#include <stdbool.h>

#include "btf_fixture.h"
#include "lookups.h"
#include "test.h"

/* Words of the header, and what must not come out of a wrong one. */
enum { W_MAGIC, W_LENGTH, W_TYPES, W_TYPES_SIZE, W_STRINGS, W_STRINGS_SIZE };

static const struct {
	const char *name;
	unsigned int word;
	uint32_t value;
	bool relative;		/* to what is there */
} headers[] = {
	{ "magic", W_MAGIC, 1, true },
	{ "magic of the other byte order", W_MAGIC, 0x00019feb, false },
	{ "version", W_MAGIC, 0x10000, true },
	{ "length 0", W_LENGTH, 0, false },
	{ "length 20", W_LENGTH, 20, false },
	{ "length not aligned", W_LENGTH, 26, false },
	{ "length past the end", W_LENGTH, 0x10000, false },
	{ "length at the limit", W_LENGTH, 0xfffffffc, false },
	{ "types not aligned", W_TYPES, 2, false },
	{ "types past the end", W_TYPES, 0x100000, false },
	{ "types at the limit", W_TYPES, 0xfffffffc, false },
	{ "no types", W_TYPES_SIZE, 0, false },
	{ "types that end in one", W_TYPES_SIZE, (uint32_t)-4, true },
	{ "types that end in a head", W_TYPES_SIZE, (uint32_t)-20, true },
	{ "types that run into strings", W_TYPES_SIZE, 4, true },
	{ "too many types", W_TYPES_SIZE, 0x100000, false },
	{ "types' size at the limit", W_TYPES_SIZE, 0xfffffffc, false },
	{ "strings past the end", W_STRINGS, 0x100000, false },
	{ "strings at the limit", W_STRINGS, 0xffffffff, false },
	{ "strings that begin elsewhere", W_STRINGS, 1, true },
	{ "no strings", W_STRINGS_SIZE, 0, false },
	{ "strings that do not end", W_STRINGS_SIZE, (uint32_t)-1, true },
	{ "one more string byte", W_STRINGS_SIZE, 1, true },
	{ "strings' size at the limit", W_STRINGS_SIZE, 0xffffffff, false },
};

static void test_headers(void)
{
	struct ids ids;
	size_t i, size;

	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		char *data = fixture(&size, &ids);
		uint32_t *word = (uint32_t *)data + headers[i].word;

		*word = headers[i].value + (headers[i].relative ? *word : 0);
		CHECK_NUMBER(headers[i].name, lookups_make(data, size),
			     -EINVAL);
		free(data);
	}
}

/* Offset and size of the strings, each near 4 GiB: their sum wraps. */
static void test_strings_that_wrap(void)
{
	uint32_t offset, length;
	struct ids ids;
	size_t size;

	for (offset = 1; offset < 8; offset++) {
		for (length = 0xfffffff0; length; length++) {
			char *data = fixture(&size, &ids);

			/* a NUL where the strings begin */
			memset(data + HEADER, 0, 8);
			((uint32_t *)data)[W_STRINGS] = offset;
			((uint32_t *)data)[W_STRINGS_SIZE] = length;
			CHECK_NUMBER("strings", lookups_make(data, size),
				     -EINVAL);
			free(data);
		}
	}
}

/* A layout section that is not where it says. */
static void test_layout(void)
{
	static const uint32_t cases[][2] = {
		{ 0x100000, 4 }, { 0xfffffffc, 4 }, { 0, 0x100000 },
		{ 0, 0xfffffffc }, { 2, 4 }, { 0xfffffffc, 0xfffffffc },
	};
	size_t i, size;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct builder builder = { 0 };
		char *data;

		add_bytes(&builder.layout, "\0\0\0", 4);
		add_type(&builder, "only", STRUCT, 0, 4);
		data = finish(&builder, &size);
		CHECK_NUMBER("sane", lookups_make(data, size), 0);
		memcpy(data + HEADER, cases[i], sizeof(cases[i]));
		CHECK_NUMBER("layout", lookups_make(data, size), -EINVAL);
		free(data);
	}
}

/* One type that is wrong. */
static int open_one(unsigned int kind, uint32_t vlen, uint32_t words)
{
	struct builder builder = { 0 };
	char *data;
	size_t size;
	int err;

	add_type(&builder, "first", STRUCT, 0, 4);
	add_type(&builder, "wrong", kind, vlen, 0);
	while (words--)
		add_word(&builder, 1);
	data = finish(&builder, &size);
	err = lookups_make(data, size);
	free(data);
	return err;
}

static void test_types(void)
{
	static const struct {
		unsigned int kind;
		uint32_t vlen, words, missing;	/* all, then too few of them */
	} kinds[] = {
		{ INT, 0, 1, 1 }, { ARRAY, 0, 3, 1 }, { STRUCT, 2, 6, 1 },
		{ UNION, 2, 6, 4 }, { ENUM, 2, 4, 1 }, { FUNC_PROTO, 2, 4, 1 },
		{ VAR, 0, 1, 1 }, { DATASEC, 2, 6, 1 }, { DECL_TAG, 0, 1, 1 },
		{ ENUM64, 2, 6, 1 }, { STRUCT, 0xffff, 0x2fffd, 1 },
	};
	size_t i;

	CHECK_NUMBER("kind 0", open_one(0, 0, 0), -EINVAL);
	CHECK_NUMBER("vlen", open_one(STRUCT, 0xffffff, 0), -EINVAL);
	CHECK_NUMBER("vlen", open_one(ENUM, 0xffffff, 8), -EINVAL);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char name[32];

		snprintf(name, sizeof(name), "kind %u", kinds[i].kind);
		CHECK_NUMBER(name, open_one(kinds[i].kind, kinds[i].vlen,
					    kinds[i].words), 0);
		CHECK_NUMBER(name, open_one(kinds[i].kind, kinds[i].vlen,
					    kinds[i].words -
					    kinds[i].missing), -EINVAL);
	}
}

/* Members whose types are nonsense, in a BTF that is sound otherwise. */
static void test_members(void)
{
	struct builder builder = { 0 };
	uint32_t integer = add_int(&builder, "int", 4);
	/* typedefs in a circle, and one of itself */
	uint32_t circle = add_type(&builder, "a", TYPEDEF, 0, integer + 2);
	uint32_t huge, wraps, proto, offset, size;
	const struct btf_type *type;
	struct btf btf;
	char *data;
	size_t length;

	add_type(&builder, "b", TYPEDEF, 0, circle);
	huge = add_array(&builder, integer, 0xffffffff);
	huge = add_array(&builder, huge, 0xffffffff);
	wraps = add_array(&builder, integer, 1 << 16);	/* 2^64 elements */
	wraps = add_array(&builder, wraps, 1 << 16);
	wraps = add_array(&builder, wraps, 1 << 16);
	wraps = add_array(&builder, wraps, 1 << 16);
	proto = add_type(&builder, NULL, FUNC_PROTO, 0, 0);
	add_type(&builder, "wrong", STRUCT, 9, 4);
	add_member(&builder, "void", 0, 0);
	add_member(&builder, "no_type", 1000, 0);
	add_member(&builder, "no_type_at_all", 0xffffffff, 0);
	add_member(&builder, "circle", circle, 0);
	add_member(&builder, "huge", huge, 0);
	add_member(&builder, "just_huge", huge - 1, 0);
	add_member(&builder, "wraps", wraps, 0);
	add_member(&builder, "function", proto, 0);
	add_member(&builder, "odd", integer, 3);
	add_type(&builder, "nameless", STRUCT, 3, 4);
	add_member(&builder, NULL, 1000, 0);
	add_member(&builder, NULL, integer, 0);
	add_member(&builder, "there", integer, 0);
	data = finish(&builder, &length);
	CHECK_NUMBER("open", btf_open(&btf, data, length), 0);
	type = find(&btf, "wrong", BTF_STRUCT, NULL);
#define WRONG(name) \
	CHECK_NUMBER(name, btf_member(&btf, type, name, &offset, &size), \
		     -EINVAL)
	WRONG("void");
	WRONG("no_type");
	WRONG("no_type_at_all");
	WRONG("circle");
	WRONG("huge");
	WRONG("just_huge");
	WRONG("wraps");
	WRONG("function");
	WRONG("odd");
	type = find(&btf, "nameless", BTF_STRUCT, NULL);
	CHECK_NUMBER("there", btf_member(&btf, type, "there", &offset, &size),
		     0);
	free(data);
}

/* A name that lies outside the strings is no name. */
static void test_names(void)
{
	static const uint32_t names[] = { 0x10000, 0xffffffff, 7 };
	size_t i, size;

	for (i = 0; i < 3; i++) {
		struct builder builder = { 0 };
		char *data;

		add_type(&builder, "abcde", STRUCT, 0, 4);	/* 7 bytes */
		add_type(&builder, NULL, STRUCT, 1, 4);
		add_member(&builder, NULL, 1, 0);
		data = finish(&builder, &size);
		((uint32_t *)data)[HEADER / 4 + 3] = names[i];
		((uint32_t *)data)[HEADER / 4 + 6] = names[i];
		CHECK_NUMBER("name", lookups_make(data, size), 0);
		free(data);
	}
}

static const struct test tests[] = {
	{ "headers", test_headers },
	{ "strings_that_wrap", test_strings_that_wrap },
	{ "layout", test_layout },
	{ "types", test_types },
	{ "members", test_members },
	{ "names", test_names },
};

int main(void)
{
	return TESTS_RUN("btf_malformed", tests);
}

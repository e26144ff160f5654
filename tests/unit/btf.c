// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * With "seed FILE" the program writes a BTF there instead, for the fuzzer.
 */
#include <errno.h>
#include <stdbool.h>

#include "btf_fixture.h"
#include "test.h"

static void test_find(void)
{
	static const struct {
		const char *name;
		enum btf_what what;
		bool there;
	} names[] = {
		{ "outer", BTF_STRUCT, true },
		{ "last", BTF_STRUCT, true },
		{ "outer", BTF_ENUM, false },
		{ "outer", BTF_FUNC, false },
		{ "node_stat_item", BTF_ENUM, true },
		{ "node_stat_item", BTF_STRUCT, false },
		{ "big", BTF_ENUM, true },
		{ "css_rstat_flush", BTF_FUNC, true },
		{ "css_rstat_flush", BTF_STRUCT, false },
		{ "ANON_SEVEN", BTF_ENUMERATOR, true },
		{ "ANON_BIG", BTF_ENUMERATOR, true },
		/* of an enum that has a name */
		{ "NR_ONE", BTF_ENUMERATOR, false },
		{ "same", BTF_STRUCT, true },
		{ "same", BTF_ENUM, true },
		{ "same", BTF_FUNC, true },
		{ "int", BTF_STRUCT, false },
		{ "oute", BTF_STRUCT, false },
		{ "outer2", BTF_STRUCT, false },
		{ "nothing", BTF_ENUMERATOR, false },
	};
	const size_t count = sizeof(names) / sizeof(names[0]);
	struct btf_query queries[sizeof(names) / sizeof(names[0])];
	struct opened opened;
	size_t i;

	open_fixture(&opened);
	for (i = 0; i < count; i++)
		queries[i] = (struct btf_query){ .name = names[i].name,
			.what = names[i].what };
	btf_find(&opened.btf, queries, count);
	for (i = 0; i < count; i++) {
		uint32_t id;

		CHECK(!queries[i].type == !names[i].there, "%s as %d",
		      names[i].name, (int)names[i].what);
		/* one at a time: the same */
		CHECK(find(&opened.btf, names[i].name, names[i].what, &id) ==
		      queries[i].type, "%s alone", names[i].name);
		if (names[i].there)
			CHECK_NUMBER(names[i].name, id, queries[i].id);
	}
	CHECK_NUMBER("outer", queries[0].id, opened.ids.outer);
	CHECK_NUMBER("last", queries[1].id, opened.ids.loop + 1);
	free(opened.data);
}

/* As many queries as may be, the same name among them. */
static void test_find_many(void)
{
	struct btf_query queries[255];
	struct opened opened;
	size_t i;

	open_fixture(&opened);
	for (i = 0; i < 255; i++)
		queries[i] = (struct btf_query){ .what = BTF_STRUCT,
			.name = i % 2 ? "outer" : "nothing" };
	queries[254] = (struct btf_query){ .what = BTF_FUNC,
		.name = "css_rstat_flush" };
	btf_find(&opened.btf, queries, 255);
	for (i = 0; i < 254; i++)
		CHECK(!queries[i].type == !(i % 2), "query %zu", i);
	CHECK(queries[254].type, "the last query");
	btf_find(&opened.btf, NULL, 0);
	free(opened.data);
}

static const struct {
	const char *type, *name;
	int want;
	uint32_t offset, size;
} members[] = {
	{ "outer", "first", 0, 0, 4 },
	{ "outer", "inner_first", 0, 8, 8 },
	{ "outer", "left", 0, 24, 4 },
	{ "outer", "right", 0, 24, 8 },
	{ "outer", "deep", 0, 32, 8 },
	{ "outer", "list", 0, 40, 57 * 8 },
	{ "outer", "grid", 0, 496, 3 * 57 * 8 },
	{ "outer", "pointer", 0, 1864, 8 },
	{ "outer", "named", 0, 1872, 24 },
	{ "outer", "css_rstat_flush", 0, 1896, 8 },
	{ "outer", "side", 0, 1904, 8 },
	{ "outer", "", -ENOENT, 0, 0 },
	{ "outer", "firs", -ENOENT, 0, 0 },
	{ "outer", "first_", -ENOENT, 0, 0 },
	{ "outer", "nothing", -ENOENT, 0, 0 },
	{ "outer", "u64", -ENOENT, 0, 0 },
	{ "same", "first", -ENOENT, 0, 0 },
	/* of bit fields offset and size are in bits */
	{ "bits", "low", 1, 0, 3 },
	{ "bits", "high", 1, 3, 5 },
	{ "bits", "plain", 0, 4, 4 },
	{ "holder", "high", 1, 67, 5 },
	{ "holder", "plain", 0, 12, 4 },
	{ "last", "only", 0, 0, 4 },
};

static void test_members(void)
{
	struct opened opened;
	size_t i;

	open_fixture(&opened);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const struct btf_type *type = find(&opened.btf, members[i].type,
						   BTF_STRUCT, NULL);
		uint32_t offset = 77, size = 77;
		int got;

		CHECK(type, "%s is there", members[i].type);
		if (!type)
			continue;
		got = btf_member(&opened.btf, type, members[i].name, &offset,
				 &size);
		CHECK_NUMBER(members[i].name, got, members[i].want);
		if (got < 0 || members[i].want < 0)
			continue;
		CHECK_NUMBER(members[i].name, offset, members[i].offset);
		CHECK_NUMBER(members[i].name, size, members[i].size);
	}
	free(opened.data);
}

/* A type that nests itself: an answer, and before the test's time is up. */
static void test_loop(void)
{
	const struct btf_type *type;
	uint32_t offset, size;
	struct opened opened;
	int got;

	open_fixture(&opened);
	type = find(&opened.btf, "loop", BTF_STRUCT, NULL);
	got = btf_member(&opened.btf, type, "nothing", &offset, &size);
	CHECK(got == -ENOENT || got == -EINVAL, "nothing: %d", got);
	got = btf_member(&opened.btf, type, "at_last", &offset, &size);
	CHECK((!got && offset == 4) || got == -EINVAL, "at_last: %d, %u", got,
	      offset);
	free(opened.data);
}

static void test_enumerators(void)
{
	struct opened opened;
	const struct btf_type *type;
	int64_t value;

	open_fixture(&opened);
	check_enumerator(&opened.btf, "node_stat_item", BTF_ENUM, "NR_ZERO", 0,
			 0);
	check_enumerator(&opened.btf, "node_stat_item", BTF_ENUM, "NR_ONE", 0,
			 1);
	check_enumerator(&opened.btf, "node_stat_item", BTF_ENUM, "NR_MINUS", 0,
			 -1);
	check_enumerator(&opened.btf, "node_stat_item", BTF_ENUM, "NR_ON",
			 -ENOENT, 0);
	check_enumerator(&opened.btf, "node_stat_item", BTF_ENUM, "ANON_SEVEN",
			 -ENOENT, 0);
	check_enumerator(&opened.btf, "ANON_SEVEN", BTF_ENUMERATOR,
			 "ANON_SEVEN", 0, 7);
	check_enumerator(&opened.btf, "ANON_BIG", BTF_ENUMERATOR, "ANON_BIG", 0,
			 (1LL << 32) + 5);
	check_enumerator(&opened.btf, "TWICE", BTF_ENUMERATOR, "TWICE", 0, 8);
	check_enumerator(&opened.btf, "big", BTF_ENUM, "BIG_ONE", 0,
			 (2LL << 32) + 1);
	check_enumerator(&opened.btf, "big", BTF_ENUM, "BIG_MINUS", 0, -2);
	check_enumerator(&opened.btf, "same", BTF_ENUM, "same", -ENOENT, 0);
	type = find(&opened.btf, "node_stat_item", BTF_ENUM, NULL);
	CHECK_TEXT("first", btf_enumerator_at(&opened.btf, type, 0, &value),
		   "NR_ZERO");
	CHECK_TEXT("last", btf_enumerator_at(&opened.btf, type, 2, &value),
		   "NR_MINUS");
	CHECK_NUMBER("last", value, -1);
	CHECK(!btf_enumerator_at(&opened.btf, type, 3, &value), "past it");
	CHECK(!btf_enumerator_at(&opened.btf, type, UINT32_MAX, &value),
	      "far past it");
	free(opened.data);
}

/* Since 7.0: more elements than 16 bits can count. */
static void test_long_vlen(void)
{
	const uint32_t count = 70000;
	struct builder builder = { 0 };
	uint32_t i, id;
	struct btf btf;
	char name[16], *data;
	size_t size;

	add_type(&builder, "many", ENUM, count, 4);
	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "E%u", i);
		add_enumerator(&builder, name, i);
	}
	add_type(&builder, "behind", STRUCT, 0, 4);
	data = finish(&builder, &size);
	CHECK_NUMBER("open", btf_open(&btf, data, size), 0);
	CHECK_NUMBER("types", btf.type_count, 3);
	check_enumerator(&btf, "many", BTF_ENUM, "E69999", 0, 69999);
	check_enumerator(&btf, "many", BTF_ENUM, "E70000", -ENOENT, 0);
	CHECK(find(&btf, "behind", BTF_STRUCT, &id) && id == 2, "behind");
	free(data);
}

/* More types than the sparse index has room for: each is still found by id. */
static void test_many_types(void)
{
	const uint32_t count = 300000, step = 2999;
	struct builder builder = { 0 };
	const struct btf_type *type;
	char name[16], *data;
	uint32_t i;
	struct btf btf;
	size_t size;

	for (i = 1; i <= count; i++)	/* sizes differ, and so do extents */
		if (i % 3)
			add_int(&builder, NULL, i);
		else
			add_type(&builder, NULL, FLOAT, 0, 0);
	add_type(&builder, "all", STRUCT, count / step, 4);
	for (i = step; i <= count; i += step) {
		snprintf(name, sizeof(name), "m%u", i);
		add_member(&builder, name, i, i % 1000 * 8);
	}
	data = finish(&builder, &size);
	CHECK_NUMBER("open", btf_open(&btf, data, size), 0);
	CHECK_NUMBER("types", btf.type_count, count + 2);
	type = find(&btf, "all", BTF_STRUCT, NULL);
	for (i = step; type && i <= count; i += step) {
		uint32_t offset, got_size = 0;
		int got;

		snprintf(name, sizeof(name), "m%u", i);
		got = btf_member(&btf, type, name, &offset, &got_size);
		if (i % 3) {
			CHECK_NUMBER(name, got, 0);
			CHECK_NUMBER(name, got_size, i);
			CHECK_NUMBER(name, offset, i % 1000);
		}
	}
	free(data);
}

/* What an unknown kind's types look like; see struct btf_layout. */
struct layout {
	uint8_t once, each;
	uint16_t flags;
};

static int open_newer(unsigned int layouts, struct layout newer, uint32_t words,
		      uint32_t vlen, bool *found)
{
	struct builder builder = { 0 };
	struct btf btf;
	unsigned int i;
	char *data;
	size_t size;
	int err;

	for (i = 0; i < layouts; i++) {
		/* what it says of kinds that we know does not count */
		struct layout other = { 40, 44, 0 };

		add_bytes(&builder.layout, i == NEWER ? &newer : &other,
			  sizeof(newer));
	}
	add_type(&builder, "before", STRUCT, 0, 4);
	add_type(&builder, "newer", NEWER, vlen, 0);
	while (words--)
		add_word(&builder, 0xffffffff);
	add_type(&builder, "behind", STRUCT, 0, 4);
	data = finish(&builder, &size);
	err = btf_open(&btf, data, size);
	*found = !err && find(&btf, "before", BTF_STRUCT, NULL) &&
		find(&btf, "behind", BTF_STRUCT, NULL) &&
		!find(&btf, "newer", BTF_STRUCT, NULL);
	free(data);
	return err;
}

static void test_newer_kinds(void)
{
	static const struct {
		const char *name;
		unsigned int layouts;
		struct layout newer;
		uint32_t words, vlen;
		int want;
	} cases[] = {
		{ "no layout", 0, { 0, 0, 0 }, 0, 0, -ENOTSUP },
		{ "a layout of known kinds", NEWER, { 0, 0, 0 }, 0, 0,
		  -ENOTSUP },
		{ "nothing more", NEWER + 1, { 0, 0, 0 }, 0, 0, 0 },
		{ "once", NEWER + 1, { 8, 0, 0 }, 2, 0, 0 },
		{ "each", NEWER + 1, { 0, 12, 0 }, 15, 5, 0 },
		{ "both, and kinds behind it", NEWER + 3, { 4, 8, 1 }, 7, 3,
		  0 },
		{ "a vlen of none", NEWER + 1, { 4, 0, 0 }, 1, 9, 0 },
		/* sizes that are no words' make a kind one that is not known */
		{ "not aligned", NEWER + 1, { 6, 0, 0 }, 2, 0, -ENOTSUP },
		{ "elements not aligned", NEWER + 1, { 0, 6, 0 }, 3, 2,
		  -ENOTSUP },
		{ "odd", NEWER + 1, { 255, 255, 0 }, 0, 0, -ENOTSUP },
		{ "past the end", NEWER + 1, { 0, 252, 0 }, 0, 4000, -EINVAL },
		{ "far past it", NEWER + 1, { 252, 252, 0 }, 0, 0x3fffff,
		  -EINVAL },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool found;

		CHECK_NUMBER(cases[i].name,
			     open_newer(cases[i].layouts, cases[i].newer,
					cases[i].words, cases[i].vlen, &found),
			     cases[i].want);
		CHECK(found == !cases[i].want, "%s: what is around it",
		      cases[i].name);
	}
}

static const struct test tests[] = {
	{ "find", test_find },
	{ "find_many", test_find_many },
	{ "members", test_members },
	{ "loop", test_loop },
	{ "enumerators", test_enumerators },
	{ "long_vlen", test_long_vlen },
	{ "many_types", test_many_types },
	{ "newer_kinds", test_newer_kinds },
};

/* Without the loop, which takes so long that little else is tried. */
static int make_seed(const char *path)
{
	struct builder builder = { 0 };
	struct ids ids;
	char *data;
	size_t size;

	add_scalars(&builder, &ids);
	add_structs(&builder, &ids);
	add_enums(&builder);
	add_others(&builder, &ids);
	data = finish(&builder, &size);
	return write_seed(path, data, size);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "seed"))
		return make_seed(argv[2]);
	return TESTS_RUN("btf", tests);
}

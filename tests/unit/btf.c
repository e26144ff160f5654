// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * With "seed FILE" the program writes a BTF there instead, for the fuzzer.
 */
#include <errno.h>
#include <stdbool.h>

#include "../../btf/btf.h"
#include "lookups.h"
#include "test.h"

/* include/uapi/linux/btf.h, by number: the host's header may be older. */
enum {
	INT = 1, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST,
	RESTRICT, FUNC, FUNC_PROTO, VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG,
	ENUM64, NEWER,
};

#define MAGIC		0x0001eb9f	/* with version 1 and no flags */
#define STRUCT_OF_BITS	(STRUCT | 0x80)	/* kind_flag is the info's top bit */
#define HEADER		24		/* bytes; with a layout section 32 */

/* Bytes that grow. */
struct bytes {
	char *data;
	size_t size, room;
};

/* A BTF under construction. */
struct builder {
	struct bytes types, strings, layout;
	uint32_t count;		/* the id of the last type */
};

static void add_bytes(struct bytes *bytes, const void *from, size_t size)
{
	if (bytes->size + size > bytes->room) {
		bytes->room = (bytes->size + size) * 2;
		bytes->data = realloc(bytes->data, bytes->room);
		if (!bytes->data)
			abort();
	}
	memcpy(bytes->data + bytes->size, from, size);
	bytes->size += size;
}

static void add_word(struct builder *builder, uint32_t word)
{
	add_bytes(&builder->types, &word, sizeof(word));
}

static uint32_t add_name(struct builder *builder, const char *name)
{
	uint32_t at;

	if (!builder->strings.size)
		add_bytes(&builder->strings, "", 1);
	if (!name || !*name)
		return 0;
	at = (uint32_t)builder->strings.size;
	add_bytes(&builder->strings, name, strlen(name) + 1);
	return at;
}

/* A type without what follows it. Return: its id. */
static uint32_t add_type(struct builder *builder, const char *name,
			 unsigned int kind, uint32_t vlen, uint32_t size)
{
	add_word(builder, add_name(builder, name));
	add_word(builder, kind << 24 | vlen);
	add_word(builder, size);
	return ++builder->count;
}

static uint32_t add_int(struct builder *builder, const char *name,
			uint32_t size)
{
	uint32_t id = add_type(builder, name, INT, 0, size);

	add_word(builder, size * 8);
	return id;
}

static uint32_t add_array(struct builder *builder, uint32_t type,
			  uint32_t count)
{
	uint32_t id = add_type(builder, NULL, ARRAY, 0, 0);

	add_word(builder, type);
	add_word(builder, 1);
	add_word(builder, count);
	return id;
}

/* Of a struct or union; an enumerator is one without @offset. */
static void add_member(struct builder *builder, const char *name, uint32_t type,
		       uint32_t offset)
{
	add_word(builder, add_name(builder, name));
	add_word(builder, type);
	add_word(builder, offset);
}

static void add_enumerator(struct builder *builder, const char *name,
			   uint32_t value)
{
	add_word(builder, add_name(builder, name));
	add_word(builder, value);
}

/* Return: the whole in a block of just its size; empties the builder. */
static char *finish(struct builder *builder, size_t *size)
{
	uint32_t length = builder->layout.size ? HEADER + 8 : HEADER;
	uint32_t types = (uint32_t)builder->types.size;
	uint32_t layout = (uint32_t)builder->layout.size;
	uint32_t strings = (uint32_t)builder->strings.size;
	/* the strings come last: they have no alignment */
	uint32_t header[] = { MAGIC, length, layout, types, layout + types,
		strings, 0, layout };
	struct bytes all = { 0 };
	char *data;

	add_bytes(&all, header, length);
	add_bytes(&all, builder->layout.data ? builder->layout.data : "",
		  layout);
	add_bytes(&all, builder->types.data, types);
	add_bytes(&all, builder->strings.data, strings);
	data = test_copy(all.data, all.size);
	*size = all.size;
	free(all.data);
	free(builder->types.data);
	free(builder->strings.data);
	free(builder->layout.data);
	memset(builder, 0, sizeof(*builder));
	return data;
}

/* Ids in the fixture, for tests that patch it. */
struct ids {
	uint32_t integer, word, deep, list, grid, pointer, inner, side, outer,
		bits, loop;
};

static void add_scalars(struct builder *builder, struct ids *ids)
{
	uint32_t id;

	ids->integer = add_int(builder, "int", 4);
	ids->word = add_int(builder, "unsigned long", 8);
	id = add_type(builder, "u64", TYPEDEF, 0, ids->word);
	id = add_type(builder, NULL, CONST, 0, id);
	id = add_type(builder, NULL, VOLATILE, 0, id);
	id = add_type(builder, NULL, RESTRICT, 0, id);
	id = add_type(builder, "user", TYPE_TAG, 0, id);
	ids->deep = add_type(builder, "deep_t", TYPEDEF, 0, id);
	ids->list = add_array(builder, ids->deep, 57);
	ids->grid = add_array(builder, ids->list, 3);
	ids->pointer = add_type(builder, NULL, PTR, 0, 0);
}

static void add_structs(struct builder *builder, struct ids *ids)
{
	ids->side = add_type(builder, NULL, UNION, 2, 8);
	add_member(builder, "left", ids->integer, 0);
	add_member(builder, "right", ids->word, 0);
	ids->inner = add_type(builder, NULL, STRUCT, 2, 24);
	add_member(builder, "inner_first", ids->word, 0);
	add_member(builder, NULL, ids->side, 128);
	ids->outer = add_type(builder, "outer", STRUCT, 9, 4096);
	add_member(builder, "first", ids->integer, 0);
	add_member(builder, NULL, ids->inner, 64);
	add_member(builder, "deep", ids->deep, 256);
	add_member(builder, "list", ids->list, 320);
	add_member(builder, "grid", ids->grid, 8 * 496);
	add_member(builder, "pointer", ids->pointer, 8 * 1864);
	add_member(builder, "named", ids->inner, 8 * 1872);
	add_member(builder, "css_rstat_flush", ids->pointer, 8 * 1896);
	add_member(builder, "side", ids->side, 8 * 1904);
	ids->bits = add_type(builder, "bits", STRUCT_OF_BITS, 3, 8);
	add_member(builder, "low", ids->integer, 3 << 24 | 0);
	add_member(builder, "high", ids->integer, 5 << 24 | 3);
	add_member(builder, "plain", ids->integer, 32);
	add_type(builder, "holder", STRUCT, 1, 16);
	add_member(builder, NULL, ids->bits, 64);
}

static void add_enums(struct builder *builder)
{
	add_type(builder, "node_stat_item", ENUM, 3, 4);
	add_enumerator(builder, "NR_ZERO", 0);
	add_enumerator(builder, "NR_ONE", 1);
	add_enumerator(builder, "NR_MINUS", (uint32_t)-1);
	add_type(builder, NULL, ENUM, 2, 4);
	add_enumerator(builder, "ANON_SEVEN", 7);
	add_enumerator(builder, "TWICE", 8);
	add_type(builder, "big", ENUM64, 2, 8);
	add_member(builder, "BIG_ONE", 1, 2);	/* 2 << 32 | 1 */
	add_member(builder, "BIG_MINUS", (uint32_t)-2, (uint32_t)-1);
	add_type(builder, NULL, ENUM64, 2, 8);
	add_member(builder, "ANON_BIG", 5, 1);
	add_member(builder, "TWICE", 9, 0);
}

/* All other kinds, each followed by something that is looked for. */
static void add_others(struct builder *builder, struct ids *ids)
{
	uint32_t proto = add_type(builder, NULL, FUNC_PROTO, 2, 0), id;

	add_enumerator(builder, "argument", ids->integer);
	add_enumerator(builder, NULL, 0);
	add_type(builder, "css_rstat_flush", FUNC, 1, proto);
	/* one name as a struct, an enum and a function */
	add_type(builder, "same", FWD, 0, 0);
	add_type(builder, "same", FUNC, 0, proto);
	add_type(builder, "same", ENUM, 0, 4);
	add_type(builder, "same", STRUCT, 0, 4);
	add_type(builder, "same", STRUCT, 0, 8);
	id = add_type(builder, "variable", VAR, 0, ids->integer);
	add_word(builder, 1);
	add_type(builder, ".data", DATASEC, 2, 8);
	add_member(builder, NULL, id, 4);
	add_member(builder, NULL, id, 4);
	add_type(builder, "bpf_kfunc", DECL_TAG, 0, proto + 1);
	add_word(builder, (uint32_t)-1);
	add_type(builder, "double", FLOAT, 0, 8);
}

/* It has itself as a member without a name, again and again. */
static void add_loop(struct builder *builder, struct ids *ids)
{
	int i;

	ids->loop = add_type(builder, "loop", STRUCT, 9, 8);
	for (i = 0; i < 8; i++)
		add_member(builder, NULL, ids->loop, 0);
	add_member(builder, "at_last", ids->integer, 32);
	add_type(builder, "last", STRUCT, 1, 4);
	add_member(builder, "only", ids->integer, 0);
}

static char *fixture(size_t *size, struct ids *ids)
{
	struct builder builder = { 0 };

	add_scalars(&builder, ids);
	add_structs(&builder, ids);
	add_enums(&builder);
	add_others(&builder, ids);
	add_loop(&builder, ids);
	return finish(&builder, size);
}

static const struct btf_type *find(const struct btf *btf, const char *name,
				   enum btf_what what, uint32_t *id)
{
	struct btf_query query = { .name = name, .what = what };

	btf_find(btf, &query, 1);
	if (id)
		*id = query.id;
	return query.type;
}

/* A fixture that is open. */
struct opened {
	struct btf btf;
	struct ids ids;
	char *data;
};

static void open_fixture(struct opened *opened)
{
	size_t size;

	opened->data = fixture(&size, &opened->ids);
	CHECK_NUMBER("fixture", btf_open(&opened->btf, opened->data, size), 0);
	CHECK_NUMBER("fixture", opened->btf.type_count, opened->ids.loop + 2);
}

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

static void check_enumerator(const struct btf *btf, const char *name,
			     enum btf_what what, const char *enumerator,
			     int want, int64_t wanted)
{
	const struct btf_type *type = find(btf, name, what, NULL);
	int64_t value = 77;
	int got;

	CHECK(type, "%s is there", name);
	if (!type)
		return;
	got = btf_enumerator(btf, type, enumerator, &value);
	CHECK_NUMBER(enumerator, got, want);
	if (!got && !want)
		CHECK_NUMBER(enumerator, value, wanted);
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

static void test_malformed_headers(void)
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
static void test_malformed_layout(void)
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

static void test_malformed_types(void)
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
static void test_malformed_members(void)
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
static void test_malformed_names(void)
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

static void test_truncations(void)
{
	size_t size, cut;
	struct ids ids;
	char *data = fixture(&size, &ids);

	for (cut = 0; cut < size; cut++) {
		char *copy = test_copy(data, cut);

		CHECK_NUMBER("cut", lookups_make(copy, cut), -EINVAL);
		free(copy);
	}
	free(data);
}

/* Change single bytes; ASan and UBSan watch. */
static void mutate(const char *data, size_t size, size_t from, size_t to,
		   int count)
{
	int opened = 0, refused = 0;

	for (; count; count--) {
		char *copy = test_copy(data, size);
		size_t at = from + test_random() % (to - from);
		int err;

		copy[at] ^= (char)(1 + test_random() % 255);
		err = lookups_make(copy, size);
		CHECK(!err || err == -EINVAL || err == -ENOTSUP,
		      "byte %zu: %d", at, err);
		*(err ? &refused : &opened) += 1;
		free(copy);
	}
	CHECK(opened, "none of them could be opened");
	fprintf(stderr, "%d opened, %d refused\n", opened, refused);
}

static void test_mutations(void)
{
	size_t size;
	struct ids ids;
	char *data = fixture(&size, &ids);

	mutate(data, size, 0, size, 1500);
	/* most of what can go wrong begins in the header */
	mutate(data, size, 4, HEADER, 500);
	free(data);
}

/* The running kernel's BTF; NULL where there is none. */
static char *read_kernel(size_t *size)
{
	FILE *file = fopen("/sys/kernel/btf/vmlinux", "r");
	struct bytes all = { 0 };
	static char some[65536];
	size_t got;
	char *data;

	if (!file)
		return NULL;
	while ((got = fread(some, 1, sizeof(some), file)))
		add_bytes(&all, some, got);
	fclose(file);
	data = test_copy(all.data, all.size);
	*size = all.size;
	free(all.data);
	return data;
}

static void test_kernel(void)
{
	size_t size;
	char *data = read_kernel(&size);
	const struct btf_type *type;
	uint32_t offset, length;
	struct btf btf;

	if (!data) {
		CHECK(access("/sys/kernel/btf/vmlinux", F_OK), "unreadable");
		fprintf(stderr, "this kernel shows no BTF\n");
		return;
	}
	CHECK_NUMBER("kernel", btf_open(&btf, data, size), 0);
	CHECK(btf.type_count > 10000, "%u types", btf.type_count);
	/* what no configuration changes; include/linux/list.h */
	type = find(&btf, "list_head", BTF_STRUCT, NULL);
	CHECK(type, "list_head");
	if (type) {
		CHECK_NUMBER("prev", btf_member(&btf, type, "prev", &offset,
						&length), 0);
		CHECK_NUMBER("prev", offset, sizeof(long));
		CHECK_NUMBER("prev", length, sizeof(long));
	}
	check_enumerator(&btf, "bpf_map_type", BTF_ENUM, "BPF_MAP_TYPE_ARRAY",
			 0, 2);
	mutate(data, size, 0, size, 10);
	/* also where no type's extent changes: in the names */
	mutate(data, size, size - btf.strings_size / 2, size, 10);
	free(data);
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
	{ "malformed_headers", test_malformed_headers },
	{ "strings_that_wrap", test_strings_that_wrap },
	{ "malformed_layout", test_malformed_layout },
	{ "malformed_types", test_malformed_types },
	{ "malformed_members", test_malformed_members },
	{ "malformed_names", test_malformed_names },
	{ "truncations", test_truncations },
	{ "mutations", test_mutations },
	{ "kernel", test_kernel },
};

static int write_seed(const char *path)
{
	struct builder builder = { 0 };
	FILE *file = fopen(path, "w");
	struct ids ids;
	char *data;
	size_t size;

	/* without the loop, which takes so long that little else is tried */
	add_scalars(&builder, &ids);
	add_structs(&builder, &ids);
	add_enums(&builder);
	add_others(&builder, &ids);
	data = finish(&builder, &size);
	if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
		perror(path);
		return 1;
	}
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "seed"))
		return write_seed(argv[2]);
	return TESTS_RUN("btf", tests);
}

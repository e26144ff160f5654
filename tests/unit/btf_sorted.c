// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Types that are sorted by name, as the kernel's are since 7.0, and the same
 * ones in disorder: what is found is compared with a search of our own. With
 * "seed FILE" the program writes such a BTF there instead, for the fuzzer.
 */
#include <stdbool.h>

#include "btf_fixture.h"
#include "lookups.h"
#include "test.h"

#define TYPES	2500
#define ENTRY	32		/* types that one entry of the index stands for */
#define BATCH	255		/* queries at a time */

/* A type that is to be: its id is its place in the array plus 1. */
struct item {
	char name[16];
	unsigned int kind;
	uint32_t order;		/* among those of one name */
};

static struct item items[TYPES];

/* Types differ in what follows them; each one's size is its id. */
static void add_item(struct builder *builder, const char *name,
		     unsigned int kind)
{
	uint32_t id = builder->count + 1, vlen = 0, i;

	if (kind == INT) {
		add_int(builder, name, id);
		return;
	}
	if (kind == STRUCT || kind == UNION)
		vlen = id % 4;
	else if (kind == ENUM)
		vlen = id % 3;
	add_type(builder, name, kind, vlen, id);
	for (i = 0; i < vlen; i++) {
		if (kind == ENUM)
			add_enumerator(builder, i ? "SECOND" : "FIRST", i);
		else
			add_member(builder, i ? "second" : "first", 1, i * 32);
	}
}

static char *make(const struct item *from, size_t count, size_t *size)
{
	struct builder builder = { 0 };
	size_t i;

	for (i = 0; i < count; i++)
		add_item(&builder, from[i].name, from[i].kind);
	return finish(&builder, size);
}

/* Those of one name may come in any order; here, in that of their making. */
static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void sort(struct item *from, size_t count)
{
	qsort(from, count, sizeof(*from), compare_items);
}

static void shuffle(struct item *from, size_t count)
{
	size_t i;

	for (i = count; i > 1; i--) {
		size_t other = test_random() % i;
		struct item item = from[i - 1];

		from[i - 1] = from[other];
		from[other] = item;
	}
}

static struct item *put(struct item *to, const char *name, unsigned int kind)
{
	snprintf(to->name, sizeof(to->name), "%s", name);
	to->kind = kind;
	return to + 1;
}

/* A struct, a function and a typedef of one name, in each order. */
static struct item *put_triples(struct item *to)
{
	static const unsigned int kinds[6][3] = {
		{ STRUCT, FUNC, TYPEDEF }, { STRUCT, TYPEDEF, FUNC },
		{ FUNC, STRUCT, TYPEDEF }, { FUNC, TYPEDEF, STRUCT },
		{ TYPEDEF, STRUCT, FUNC }, { TYPEDEF, FUNC, STRUCT },
	};
	char name[8];
	int i, j;

	for (i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), "foo%d", i);
		for (j = 0; j < 3; j++)
			to = put(to, name, kinds[i][j]);
	}
	return to;
}

/* One name again and again, over some entries of the index. */
static struct item *put_many(struct item *to)
{
	int i;

	for (i = 0; i < ENTRY * 4; i++)
		to = put(to, "many", i == 40 ? FUNC : i == 77 ? STRUCT :
			 i == 120 ? ENUM : i % 2 ? FWD : TYPEDEF);
	return to;
}

/* Names of a few letters: many begin alike, and many are there again. */
static struct item *put_random(struct item *to)
{
	static const char letters[] = "aAb_~zZ0";
	static const unsigned int kinds[] = { STRUCT, FUNC, TYPEDEF, ENUM, INT,
		UNION, FWD };
	char name[8] = "";
	uint32_t length = 1 + test_random() % 5, i;

	for (i = 0; i < length; i++)
		name[i] = letters[test_random() % (sizeof(letters) - 1)];
	return put(to, name, kinds[test_random() % 7]);
}

/* All of them, in the order in which a kernel has them. */
static void fill(struct item *to, size_t count)
{
	static const unsigned int unnamed[] = { PTR, CONST, STRUCT, ENUM,
		FUNC_PROTO };
	static const char *const structs[] = { "mem_cgroup", "cgroup",
		"page_counter", "!first", "~~~~~last" };
	struct item *begin = to, *end = to + count;
	size_t i;

	memset(to, 0, count * sizeof(*to));
	for (i = 0; i < count / 8; i++)
		to = put(to, "", unnamed[i % 5]);
	to = put_triples(to);
	to = put_many(to);
	to = put(to, "node_stat_item", ENUM);
	for (i = 0; i < 5; i++)
		to = put(to, structs[i], STRUCT);
	while (to < end)
		to = put_random(to);
	for (i = 0; i < count; i++)
		begin[i].order = (uint32_t)i;
	sort(begin, count);
}

static bool is_what(unsigned int kind, enum btf_what what)
{
	return (what == BTF_STRUCT && kind == STRUCT) ||
		(what == BTF_ENUM && kind == ENUM) ||
		(what == BTF_FUNC && kind == FUNC);
}

/* The id of the first, 0 where there is none: from one to the next. */
static uint32_t search(size_t count, const struct btf_query *query)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (is_what(items[i].kind, query->what) &&
		    !strcmp(items[i].name, query->name))
			return (uint32_t)i + 1;
	return 0;
}

/* Where @exact, the first answers; else whatever has that name and is that. */
static void check_answer(size_t count, const struct btf_query *query,
			 bool exact)
{
	uint32_t id = query->id;

	CHECK(!id == !query->type, "'%s' as %d: id %u", query->name,
	      (int)query->what, id);
	if (exact)
		CHECK(id == search(count, query), "'%s' as %d: id %u",
		      query->name, (int)query->what, id);
	if (!query->type)
		return;
	CHECK(id <= count && !strcmp(items[id - 1].name, query->name) &&
	      is_what(items[id - 1].kind, query->what),
	      "'%s' as %d: type %u is another", query->name, (int)query->what,
	      id);
	CHECK(btf_size(query->type) == id, "'%s': type %u, and id %u",
	      query->name, btf_size(query->type), id);
}

static struct btf_query queries[TYPES * 9];
static char absent[TYPES * 2][20];

/* Every name, and those that would be right before and behind it. */
static size_t make_queries(size_t count)
{
	size_t made = 0, i, j;

	for (i = 0; i < count; i++) {
		const char *names[] = { items[i].name, absent[i * 2],
			absent[i * 2 + 1] };
		size_t length = strlen(items[i].name);

		snprintf(absent[i * 2], 20, "%s\x01", items[i].name);
		snprintf(absent[i * 2 + 1], 20, "%s\xff", items[i].name);
		if (length)
			absent[i * 2 + 1][length - 1]--;
		for (j = 0; j < 9; j++) {
			queries[made].name = names[j / 3];
			queries[made++].what = (enum btf_what)
				(BTF_STRUCT + j % 3);
		}
	}
	return made;
}

/* Of the first @count items: is what is found what is there? */
static void check_items(size_t count, bool sorted, bool exact)
{
	size_t size, made, i;
	struct btf btf;
	char *data = make(items, count, &size);

	CHECK_NUMBER("open", btf_open(&btf, data, size), 0);
	CHECK_NUMBER("types", btf.type_count, count + 1);
	CHECK_NUMBER("sorted", btf.sorted, sorted);
	made = make_queries(count);
	for (i = 0; i < made; i += BATCH)
		btf_find(&btf, &queries[i], made - i < BATCH ? made - i :
			 BATCH);
	for (i = 0; i < made; i++)
		check_answer(count, &queries[i], exact);
	free(data);
}

static void test_sorted(void)
{
	fill(items, TYPES);
	check_items(TYPES, true, true);
}

static void test_shuffled(void)
{
	fill(items, TYPES);
	shuffle(items, TYPES);
	check_items(TYPES, false, true);
}

/* Of a few types one cannot tell; and whatever the last entry stands for. */
static void test_counts(void)
{
	size_t count;

	fill(items, 900);
	check_items(900, false, true);
	for (count = 1100; count <= 1100 + ENTRY; count++) {
		fill(items, count);
		check_items(count, true, true);
	}
}

/* No type has a name; nor has any none. */
static void test_edges(void)
{
	char name[16];
	size_t i;

	memset(items, 0, sizeof(items));
	for (i = 0; i < TYPES; i++)
		put(&items[i], "", i == 1500 ? STRUCT : PTR);
	check_items(TYPES, true, true);
	for (i = 0; i < TYPES; i++) {
		snprintf(name, sizeof(name), "n%05zu", i);
		put(&items[i], name, STRUCT);
	}
	check_items(TYPES, true, true);
	for (i = 0; i < TYPES; i++)
		put(&items[i], "same", i == TYPES - 1 ? STRUCT : FUNC);
	check_items(TYPES, true, true);
}

/* In order where one looks, in none between: answers may be missed. */
static void test_lies(void)
{
	struct item between[TYPES];
	size_t count = 0, i;

	fill(items, TYPES);
	for (i = 0; i < TYPES; i++)
		if ((i + 1) % ENTRY)
			between[count++] = items[i];
	shuffle(between, count);
	for (i = 0; i < TYPES; i++)
		if ((i + 1) % ENTRY)
			items[i] = between[--count];
	check_items(TYPES, true, false);
}

/* Nor do bytes that were changed lead anywhere else. */
static void test_mutations(void)
{
	size_t size, sorted = 0;
	struct btf btf;
	char *data;
	int i;

	fill(items, 1200);
	data = make(items, 1200, &size);
	for (i = 0; i < 300; i++) {
		char *copy = test_copy(data, size);
		size_t at = HEADER + test_random() % (size - HEADER);

		copy[at] ^= (char)(1 + test_random() % 255);
		lookups_make(copy, size);
		sorted += !btf_open(&btf, copy, size) && btf.sorted;
		free(copy);
	}
	CHECK(sorted > 20, "%zu were sorted", sorted);
	free(data);
}

static void check_struct(const struct btf *btf, uint32_t n, uint32_t want)
{
	char name[16];
	uint32_t id;

	snprintf(name, sizeof(name), "n%06u", n);
	find(btf, name, BTF_STRUCT, &id);
	CHECK_NUMBER(name, id, want);
	strcat(name, "_");
	CHECK(!find(btf, name, BTF_STRUCT, NULL), "%s", name);
}

/* More types than the index has entries of 32: each stands for more. */
static void check_step(uint32_t count, uint32_t step)
{
	const uint32_t unnamed = 1000, from = count / 2, to = from + 300;
	struct builder builder = { 0 };
	struct btf btf;
	char name[16], *data;
	uint32_t i;
	size_t size;

	for (i = 0; i < unnamed; i++)
		add_type(&builder, NULL, PTR, 0, 0);
	for (i = unnamed; i < count; i++) {
		bool again = i >= from && i < to;

		snprintf(name, sizeof(name), "n%06u", again ? from : i);
		add_type(&builder, name, again && i < to - 1 ? FWD : STRUCT, 0,
			 0);
	}
	data = finish(&builder, &size);
	CHECK_NUMBER("open", btf_open(&btf, data, size), 0);
	CHECK_NUMBER("step", btf.step, step);
	CHECK_NUMBER("sorted", btf.sorted, true);
	for (i = 0; i < count; i += i < 1100 || i > count - 300 ? 1 : 997)
		check_struct(&btf, i, i < unnamed || (i >= from && i < to) ? 0 :
			     i + 1);
	check_struct(&btf, from, to);
	check_struct(&btf, to, to + 1);
	check_struct(&btf, from - 1, from);
	CHECK(!find(&btf, "m", BTF_STRUCT, NULL), "before all");
	CHECK(!find(&btf, "o", BTF_STRUCT, NULL), "behind all");
	free(data);
}

static void test_steps(void)
{
	check_step(BTF_INDEX * 32 - 1, 32);
	check_step(BTF_INDEX * 32, 64);
	check_step(BTF_INDEX * 32 + 5000, 64);
	check_step(BTF_INDEX * 64 + 70, 128);
}

/* An enumerator of an enum without a name; @noted: it must be found. */
static void check_unnamed(const struct btf *btf, uint32_t n, bool noted)
{
	char name[16];
	const struct btf_type *type;
	int64_t value = -1;

	snprintf(name, sizeof(name), "E%u", n);
	type = find(btf, name, BTF_ENUMERATOR, NULL);
	CHECK(type || !noted, "%s is not there", name);
	if (!type)
		return;
	CHECK_NUMBER(name, btf_enumerator(btf, type, name, &value), 0);
	CHECK_NUMBER(name, value, n);
	snprintf(name, sizeof(name), "X%u", n);
	CHECK(!find(btf, name, BTF_ENUMERATOR, NULL), "%s is there", name);
}

/* Where there are too many unnamed enums, at least the first are found. */
static void check_enums(uint32_t count, bool sorted)
{
	struct builder builder = { 0 };
	struct btf btf;
	char name[16], *data;
	size_t size;
	uint32_t i;

	for (i = 0; i < 2000; i++) {	/* named ones do not count */
		snprintf(name, sizeof(name), "n%04u", i);
		if (!sorted)
			add_type(&builder, name, ENUM, 0, 4);
	}
	for (i = 0; i < count; i++) {
		add_type(&builder, NULL, i % 2 ? ENUM : ENUM64, 1, 4);
		snprintf(name, sizeof(name), "E%u", i);
		add_enumerator(&builder, name, i);
		if (i % 2 == 0)
			add_word(&builder, 0);	/* the upper half */
	}
	add_type(&builder, "behind", STRUCT, 0, 4);
	data = finish(&builder, &size);
	CHECK_NUMBER("open", btf_open(&btf, data, size), 0);
	CHECK_NUMBER("sorted", btf.sorted, sorted);
	CHECK_NUMBER("unnamed", btf.unnamed_count, count);
	for (i = 0; i < count; i += i < BTF_UNNAMED - 10 ? 71 : 1)
		check_unnamed(&btf, i, i < BTF_UNNAMED);
	check_unnamed(&btf, BTF_UNNAMED - 1, true);
	CHECK(find(&btf, "behind", BTF_STRUCT, NULL), "what is behind");
	lookups_make(data, size);
	free(data);
}

static void test_unnamed_enums(void)
{
	check_enums(BTF_UNNAMED, true);
	check_enums(BTF_UNNAMED, false);
	check_enums(BTF_UNNAMED + 1000, true);
	check_enums(BTF_UNNAMED + 1000, false);
}

static const struct test tests[] = {
	{ "sorted", test_sorted },
	{ "shuffled", test_shuffled },
	{ "counts", test_counts },
	{ "edges", test_edges },
	{ "lies", test_lies },
	{ "mutations", test_mutations },
	{ "steps", test_steps },
	{ "unnamed_enums", test_unnamed_enums },
};

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "seed")) {
		size_t size;
		char *data;

		fill(items, 1060);
		data = make(items, 1060, &size);
		return write_seed(argv[2], data, size);
	}
	return TESTS_RUN("btf_sorted", tests);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A BTF with all kinds of types, and how to ask it. */
#ifndef MEMCGSTAT_BTF_FIXTURE_H
#define MEMCGSTAT_BTF_FIXTURE_H

#include "../../btf/btf.h"
#include "btf_builder.h"

/* Ids in the fixture, for tests that patch it. */
struct ids {
	uint32_t integer, word, deep, list, grid, pointer, inner, side, outer,
		bits, loop;
};

static inline void add_scalars(struct builder *builder, struct ids *ids)
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

static inline void add_structs(struct builder *builder, struct ids *ids)
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

static inline void add_enums(struct builder *builder)
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
static inline void add_others(struct builder *builder, struct ids *ids)
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
static inline void add_loop(struct builder *builder, struct ids *ids)
{
	int i;

	ids->loop = add_type(builder, "loop", STRUCT, 9, 8);
	for (i = 0; i < 8; i++)
		add_member(builder, NULL, ids->loop, 0);
	add_member(builder, "at_last", ids->integer, 32);
	add_type(builder, "last", STRUCT, 1, 4);
	add_member(builder, "only", ids->integer, 0);
}

static inline char *fixture(size_t *size, struct ids *ids)
{
	struct builder builder = { 0 };

	add_scalars(&builder, ids);
	add_structs(&builder, ids);
	add_enums(&builder);
	add_others(&builder, ids);
	add_loop(&builder, ids);
	return finish(&builder, size);
}

static inline const struct btf_type *
find(const struct btf *btf, const char *name, enum btf_what what, uint32_t *id)
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

static inline void open_fixture(struct opened *opened)
{
	size_t size;

	opened->data = fixture(&size, &opened->ids);
	CHECK_NUMBER("fixture", btf_open(&opened->btf, opened->data, size), 0);
	CHECK_NUMBER("fixture", opened->btf.type_count, opened->ids.loop + 2);
}

static inline void check_enumerator(const struct btf *btf, const char *name,
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

#endif

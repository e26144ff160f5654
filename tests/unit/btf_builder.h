/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Builds a BTF in memory, type by type. */
#ifndef MEMCGSTAT_BTF_BUILDER_H
#define MEMCGSTAT_BTF_BUILDER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

static inline void add_bytes(struct bytes *bytes, const void *from, size_t size)
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

static inline void add_word(struct builder *builder, uint32_t word)
{
	add_bytes(&builder->types, &word, sizeof(word));
}

static inline uint32_t add_name(struct builder *builder, const char *name)
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
static inline uint32_t add_type(struct builder *builder, const char *name,
				unsigned int kind, uint32_t vlen, uint32_t size)
{
	add_word(builder, add_name(builder, name));
	add_word(builder, kind << 24 | vlen);
	add_word(builder, size);
	return ++builder->count;
}

static inline uint32_t add_int(struct builder *builder, const char *name,
			       uint32_t size)
{
	uint32_t id = add_type(builder, name, INT, 0, size);

	add_word(builder, size * 8);
	return id;
}

static inline uint32_t add_array(struct builder *builder, uint32_t type,
				 uint32_t count)
{
	uint32_t id = add_type(builder, NULL, ARRAY, 0, 0);

	add_word(builder, type);
	add_word(builder, 1);
	add_word(builder, count);
	return id;
}

/* Of a struct or union; an enumerator is one without @offset. */
static inline void add_member(struct builder *builder, const char *name,
			      uint32_t type, uint32_t offset)
{
	add_word(builder, add_name(builder, name));
	add_word(builder, type);
	add_word(builder, offset);
}

static inline void add_enumerator(struct builder *builder, const char *name,
				  uint32_t value)
{
	add_word(builder, add_name(builder, name));
	add_word(builder, value);
}

/* Return: the whole in a block of just its size; empties the builder. */
static inline char *finish(struct builder *builder, size_t *size)
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

/* Write a BTF, which is freed, to a file for the fuzzer. Return: 0 or 1. */
static inline int write_seed(const char *path, char *data, size_t size)
{
	FILE *file = fopen(path, "w");
	int failed = !file || fwrite(data, 1, size, file) != size ||
		fclose(file);

	if (failed)
		perror(path);
	free(data);
	return failed;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads the kernel's type information (BTF): where a struct's members lie, what
 * an enumerator is worth, which id a function has. Pure: it knows no file and
 * no syscall, allocates nothing, and never reads outside the bytes it was given.
 */
#ifndef MEMCGSTAT_BTF_H
#define MEMCGSTAT_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BTF_INDEX	8192	/* entries of the sparse index of types */

#define BTF_UNNAMED	4096	/* unnamed enums that are noted */
#define BTF_KINDS	128	/* that a type's info can tell */

/* Bytes that a type takes: once, and for each of its elements. */
struct btf_extent {
	uint32_t once, each;
};

struct btf {
	const char *types;
	const char *strings;
	uint32_t types_size;	/* bytes */
	uint32_t strings_size;
	uint32_t type_count;
	bool sorted;		/* by name, as the kernel's is since 7.0 */
	uint32_t step;
	uint32_t unnamed_count;		/* above BTF_UNNAMED: not all noted */
	struct btf_extent extents[BTF_KINDS];
	uint32_t unnamed[BTF_UNNAMED];	/* offsets of unnamed enums */
	uint32_t index[BTF_INDEX];	/* offset of every step-th type */
};

struct btf_type;

/* What to look for. */
enum btf_what {
	BTF_NOTHING,
	BTF_STRUCT,
	BTF_ENUM,
	BTF_FUNC,
	BTF_ENUMERATOR,		/* of an enum that has no name */
};

struct btf_query {
	const char *name;
	const struct btf_type *type;	/* answer; NULL: not there */
	enum btf_what what;
	uint32_t id;			/* answer, but for BTF_ENUMERATOR */
};

/*
 * btf_open - check a BTF and get it ready for the calls below
 * @btf: filled in; points into @data, which the caller keeps
 * @data, @size: the whole BTF in the host's byte order, 4-byte aligned
 *
 * Return: 0; -EINVAL where this is no BTF or a malformed one; -ENOTSUP where it
 * holds a kind of type that we do not know and that it does not describe.
 */
int btf_open(struct btf *btf, const void *data, size_t size);

/*
 * btf_find - look up names
 * @queries, @count: at most 255; the first type of that name answers. Where the
 *	types are not sorted each call goes through all of them, once.
 */
void btf_find(const struct btf *btf, struct btf_query *queries, size_t count);

/*
 * btf_member - find a member of a struct by name, also in nested structs and
 * unions that have no name
 * @offset, @size: filled in, bytes; of a bit field, both in bits
 *
 * Return: 0, 1 for a bit field, -ENOENT, or -EINVAL for a malformed type.
 */
int btf_member(const struct btf *btf, const struct btf_type *type,
	       const char *name, uint32_t *offset, uint32_t *size);

/* The size of a struct or an enum, bytes. */
uint32_t btf_size(const struct btf_type *type);

/*
 * btf_enumerator - the value of one enumerator of an enum
 * @value: filled in
 *
 * Return: 0 or -ENOENT.
 */
int btf_enumerator(const struct btf *btf, const struct btf_type *type,
		   const char *name, int64_t *value);

/*
 * btf_enumerator_at - the @n-th enumerator of an enum, in order of declaration
 *
 * Return: its name, which lies in the BTF, and @value; or NULL past the last.
 */
const char *btf_enumerator_at(const struct btf *btf,
			      const struct btf_type *type, uint32_t n,
			      int64_t *value);

#endif

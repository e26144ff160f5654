// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * doctor TYPE NAME DELTA - a BTF that lies: reads one on stdin and writes it to
 * stdout with one number changed by DELTA. Where TYPE is a struct that is the
 * offset of its member NAME, bytes; where it is an enum, its enumerator NAME's
 * value. Fails if there is no such thing.
 */
#include <stdio.h>
#include <stdlib.h>

#include <linux/btf.h>

#include "../../../btf/btf.c"
#include "../../../btf/scan.c"

static char data[64 << 20];

static int fail(const char *why)
{
	fprintf(stderr, "doctor: %s\n", why);
	return 1;
}

/* The place of the number that belongs to a name, or NULL. */
static uint32_t *find_number(const struct btf *btf, const struct btf_type *type,
			     bool is_struct, const char *name)
{
	uint32_t size = is_struct ? 3 : 2, i;
	uint32_t *words = (uint32_t *)(uintptr_t)(type + 1);

	for (i = 0; i < VLEN(type->info); i++, words += size)
		if (!strcmp(name_at(btf, words[0]), name))
			return &words[size - 1];
	return NULL;
}

int main(int argc, char **argv)
{
	size_t size = fread(data, 1, sizeof(data), stdin);
	static struct btf btf;
	struct btf_query queries[2];
	uint32_t *number;
	bool is_struct;

	if (argc != 4 || btf_open(&btf, data, size))
		return fail("usage: doctor TYPE NAME DELTA <BTF");
	queries[0] = (struct btf_query){ .name = argv[1], .what = BTF_STRUCT };
	queries[1] = (struct btf_query){ .name = argv[1], .what = BTF_ENUM };
	btf_find(&btf, queries, 2);
	is_struct = queries[0].type;
	if (!is_struct && !queries[1].type)
		return fail("no such type");
	number = find_number(&btf, queries[!is_struct].type, is_struct,
			     argv[2]);
	if (!number)
		return fail("no such member or enumerator");
	*number += (uint32_t)atoi(argv[3]) * (is_struct ? 8 : 1);
	return fwrite(data, 1, size, stdout) == size && !fflush(stdout) ? 0 :
		fail("cannot write");
}

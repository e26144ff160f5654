// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A sound BTF, and the running kernel's, cut off or with bytes changed. */
#include <errno.h>

#include "btf_fixture.h"
#include "lookups.h"
#include "test.h"

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
	{ "truncations", test_truncations },
	{ "mutations", test_mutations },
	{ "kernel", test_kernel },
};

int main(void)
{
	return TESTS_RUN("btf_mutations", tests);
}

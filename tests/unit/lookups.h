/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All that can be asked of a BTF, for bytes that may be anything: the unit test
 * and the fuzz target share it. What is wrong shows as a sanitizer's report.
 */
#ifndef MEMCGSTAT_LOOKUPS_H
#define MEMCGSTAT_LOOKUPS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../btf/btf.h"

#define LOOKUPS_NAMES	60
#define LOOKUPS_STEP	25	/* of names, for members and enumerators */
#define LOOKUPS_QUERIES	(LOOKUPS_NAMES * 4)	/* at most 255 */

/* Names that a kernel has, then those that this BTF begins with. */
static size_t lookups_names(const struct btf *btf, const char **names)
{
	static const char *const kernel[] = {
		"mem_cgroup", "cgroup", "page_counter", "memcg_vmstats",
		"node_stat_item", "memcg_stat_item", "vm_event_item",
		"bpf_get_mem_cgroup", "cgroup_rstat_flush", "memory", "usage",
		"css", "state", "NR_ANON_MAPPED", "memory_events", "",
	};
	size_t count = sizeof(kernel) / sizeof(kernel[0]);
	uint32_t at = 1;

	memcpy(names, kernel, sizeof(kernel));
	while (count < LOOKUPS_NAMES && at < btf->strings_size) {
		names[count++] = btf->strings + at;
		at += (uint32_t)strlen(btf->strings + at) + 1;
	}
	return count;
}

static void lookups_type(const struct btf *btf, const struct btf_query *query,
			 const char *const *names, size_t count)
{
	uint32_t offset, size, n;
	int64_t value;
	size_t i;

	/* some are enough: a struct that nests itself takes long */
	for (i = query->id % LOOKUPS_STEP; i < count; i += LOOKUPS_STEP) {
		if (query->what == BTF_STRUCT)
			btf_member(btf, query->type, names[i], &offset, &size);
		else if (query->what != BTF_FUNC)
			btf_enumerator(btf, query->type, names[i], &value);
	}
	if (query->what != BTF_ENUM)
		return;
	for (n = 0; n < 1 << 20; n++) {
		const char *name = btf_enumerator_at(btf, query->type, n,
						     &value);

		/* the name must be one that can be read to its end */
		if (!name)
			break;
		if (strlen(name) > btf->strings_size)
			abort();
	}
}

/* All of it, once. */
static void lookups_all(const struct btf *btf)
{
	const char *names[LOOKUPS_NAMES];
	struct btf_query queries[LOOKUPS_QUERIES];
	size_t count = lookups_names(btf, names), i;

	for (i = 0; i < count * 4; i++) {
		queries[i].name = names[i / 4];
		queries[i].what = (enum btf_what)(i % 4);
	}
	btf_find(btf, queries, count * 4);
	for (i = 0; i < count * 4; i++)
		if (queries[i].type)
			lookups_type(btf, &queries[i], names, count);
}

/*
 * Also as if its types were in the other state, sorted or not: how many they
 * are, and what a sample of them says, must not matter to safety.
 *
 * Return: what btf_open() returned.
 */
static int lookups_make(const void *data, size_t size)
{
	struct btf btf;
	int err = btf_open(&btf, data, size);

	if (err)
		return err;
	lookups_all(&btf);
	btf.sorted = !btf.sorted;
	lookups_all(&btf);
	return 0;
}

#endif

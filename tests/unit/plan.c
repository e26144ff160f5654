// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What a plan has copied and asked for, and the numbers that come of it: here a
 * walk is carried out on the memory of a kernel in small.
 */
#include "plan_kernel.h"
#include "test.h"

/* Each slot has its own number, and so has each answer to a kfunc's call. */
#define STATE(slot)	(100 + (slot))
#define EVENT(slot)	(500 + (slot))
#define ASKED_STATE(item)	(7000 + (item))
#define ASKED_EVENT(item)	(9000 + (item))
#define LIVE(id)	(30 + (id))	/* what a walk itself counts */

#define PAGE_COUNTER_MAX (INT64_MAX / PAGE)
#define NONE		VALUE_ABSENT	/* no column */

/* By enum chunk_base: struct cgroup, mem_cgroup, memcg_vmstats. */
static uint8_t memory[3][MEMORY_SIZE];

static const struct {
	enum chunk_base base;
	uint32_t from, size;
	uint64_t number;
} contents[] = {
	{ CHUNK_MEMCG, 256 + 0, 8, 5000 },	/* memory.usage */
	{ CHUNK_MEMCG, 256 + 112, 8, 5001 },
	{ CHUNK_MEMCG, 256 + 192, 8, 0 },
	{ CHUNK_MEMCG, 256 + 200, 8, 3 },
	{ CHUNK_MEMCG, 256 + 208, 8, PAGE_COUNTER_MAX },
	{ CHUNK_MEMCG, 256 + 216, 8, 4 },
	{ CHUNK_MEMCG, 512 + 0, 8, (uint64_t)-2 },	/* swap.usage */
	{ CHUNK_MEMCG, 512 + 112, 8, 6 },
	{ CHUNK_MEMCG, 512 + 208, 8, 7 },
	{ CHUNK_MEMCG, 512 + 216, 8, PAGE_COUNTER_MAX },
	{ CHUNK_MEMCG, 896, 8, 8 },		/* zswap_max */
	{ CHUNK_MEMCG, 1001, 1, 1 },		/* oom_group */
	{ CHUNK_CGROUP, 168, 4, 21 },
	{ CHUNK_CGROUP, 172, 4, 22 },
	{ CHUNK_CGROUP, 300, 4, 23 },		/* nr_dying_subsys[] */
	{ CHUNK_CGROUP, 304, 4, 24 },
	{ CHUNK_CGROUP, 308, 4, 25 },
};

static void put(enum chunk_base base, uint32_t from, uint32_t size,
		uint64_t number)
{
	memcpy(memory[base] + from, &number, size);
}

static void fill_memory(void)
{
	uint32_t i;

	memset(memory, 0xee, sizeof(memory));
	for (i = 0; i < COUNT(contents); i++)
		put(contents[i].base, contents[i].from, contents[i].size,
		    contents[i].number);
	for (i = 0; i < MEMORY_EVENTS; i++) {
		put(CHUNK_MEMCG, 1104 + i * 8, 8, 40 + i);
		put(CHUNK_MEMCG, 1280 + i * 8, 8, 60 + i);
	}
	for (i = 0; i < 31; i++)
		put(CHUNK_VMSTATS, i * 8, 8, STATE(i));
	for (i = 0; i < 9; i++)
		put(CHUNK_VMSTATS, 248 + i * 8, 8, EVENT(i));
}

#define UNTOUCHED	0xddddddddddddddddULL	/* by a walk */

/* The values that a plan must come to, by raw and by kfunc. */
static const struct value {
	const char *file, *key;
	uint64_t raw, kfunc;
} values[] = {
	{ "memory.current", NULL, 5000 * PAGE, 5000 * PAGE },
	{ "memory.peak", NULL, 5001 * PAGE, 5001 * PAGE },
	{ "memory.min", NULL, 0, 0 },
	{ "memory.low", NULL, 3 * PAGE, 3 * PAGE },
	{ "memory.high", NULL, VALUE_NO_LIMIT, VALUE_NO_LIMIT },
	{ "memory.max", NULL, 4 * PAGE, 4 * PAGE },
	{ "memory.swap.current", NULL, 0, 0 },
	{ "memory.swap.peak", NULL, 6 * PAGE, 6 * PAGE },
	{ "memory.swap.high", NULL, 7 * PAGE, 7 * PAGE },
	{ "memory.swap.max", NULL, VALUE_NO_LIMIT, VALUE_NO_LIMIT },
	{ "memory.zswap.current", NULL, STATE(20), ASKED_STATE(22) },
	{ "memory.zswap.max", NULL, 8 * PAGE, 8 * PAGE },
	{ "memory.oom.group", NULL, 1, 1 },
	{ "memory.events", "low", 40, 40 },
	{ "memory.events", "high", 41, 41 },
	{ "memory.events", "max", 42, 42 },
	{ "memory.events", "oom", 43, 43 },
	{ "memory.events", "oom_kill", 44, 44 },
	{ "memory.events", "oom_group_kill", 45, 45 },
	/* its enumerator is there, but the array ends before it */
	{ "memory.events", "sock_throttled", NONE, NONE },
	{ "memory.events.local", "low", 60, 60 },
	{ "memory.events.local", "high", 61, 61 },
	{ "memory.events.local", "max", 62, 62 },
	{ "memory.events.local", "oom", 63, 63 },
	{ "memory.events.local", "oom_kill", 64, 64 },
	{ "memory.events.local", "oom_group_kill", 65, 65 },
	{ "memory.events.local", "sock_throttled", NONE, NONE },
	{ "memory.swap.events", "high", 46, 46 },
	{ "memory.swap.events", "max", 47, 47 },
	{ "memory.swap.events", "fail", 48, 48 },
	{ "memory.stat", "inactive_anon", STATE(0) * PAGE, ASKED_STATE(0) },
	{ "memory.stat", "active_anon", STATE(1) * PAGE, ASKED_STATE(1) },
	{ "memory.stat", "inactive_file", STATE(2) * PAGE, ASKED_STATE(2) },
	{ "memory.stat", "active_file", STATE(3) * PAGE, ASKED_STATE(3) },
	{ "memory.stat", "slab_reclaimable", STATE(4), ASKED_STATE(4) },
	{ "memory.stat", "slab_unreclaimable", STATE(5), ASKED_STATE(5) },
	{ "memory.stat", "slab", STATE(4) + STATE(5),
	  ASKED_STATE(4) + ASKED_STATE(5) },
	{ "memory.stat", "workingset_refault_anon", STATE(6), ASKED_STATE(7) },
	{ "memory.stat", "anon", STATE(7) * PAGE, ASKED_STATE(8) },
	{ "memory.stat", "file", STATE(8) * PAGE, ASKED_STATE(9) },
	/* it is counted, but the kernel's table does not show it */
	{ "memory.stat", "shmem", NONE, ASKED_STATE(10) },
	{ "memory.stat", "kernel_stack", STATE(12) * 1024, ASKED_STATE(11) },
	{ "memory.stat", "swapcached", STATE(13) * PAGE, ASKED_STATE(12) },
	{ "memory.stat", "hugetlb", STATE(30) * PAGE, ASKED_STATE(14) },
	{ "memory.stat", "sock", STATE(11) * PAGE, ASKED_STATE(20) },
	{ "memory.stat", "vmalloc", STATE(19) * PAGE, ASKED_STATE(21) },
	{ "memory.stat", "zswap", STATE(20), ASKED_STATE(22) },
	{ "memory.stat", "zswapped", STATE(21) * PAGE, ASKED_STATE(23) },
	{ "memory.stat", "kernel", STATE(22) * PAGE, ASKED_STATE(24) },
	/* of two kinds that are one in other kernels */
	{ "memory.stat", "pgsteal_kswapd", STATE(14), ASKED_STATE(13) },
	{ "memory.stat", "pgsteal", STATE(14), ASKED_STATE(13) },
	{ "memory.stat", "pgscan_kswapd", EVENT(4), ASKED_EVENT(5) },
	{ "memory.stat", "pgscan_direct", EVENT(5), ASKED_EVENT(6) },
	{ "memory.stat", "pgscan", EVENT(4) + EVENT(5),
	  ASKED_EVENT(5) + ASKED_EVENT(6) },
	{ "memory.stat", "pgfault", EVENT(2), ASKED_EVENT(3) },
	{ "memory.stat", "pgmajfault", EVENT(3), ASKED_EVENT(4) },
	{ "memory.stat", "thp_fault_alloc", EVENT(7), ASKED_EVENT(8) },
	/* it is there, but not counted */
	{ "memory.stat", "pswpin", NONE, ASKED_EVENT(2) },
	/* keys that the list of fields does not have */
	{ "memory.stat", "newer", STATE(15) * PAGE, NONE },
	{ "memory.stat", "newer_b", STATE(16), NONE },
	{ "memory.stat", "newer_kb", STATE(17) * 1024, NONE },
	{ "memory.stat", "pgnewer", STATE(18), NONE },
	{ "memory.stat", "pgnewer_event", EVENT(6), NONE },
	{ "memory.stat", "pgnewer_uncounted", NONE, NONE },
	{ "memory.stat", "pgpgin", NONE, NONE },
	{ "cgroup.stat", "nr_descendants", 21, 21 },
	{ "cgroup.stat", "nr_dying_descendants", 22, 22 },
	{ "cgroup.stat", "nr_subsys_cpuset", LIVE(0), LIVE(0) },
	{ "cgroup.stat", "nr_subsys_cpu", LIVE(1), LIVE(1) },
	{ "cgroup.stat", "nr_subsys_memory", LIVE(2), LIVE(2) },
	{ "cgroup.stat", "nr_dying_subsys_cpuset", 23, 23 },
	{ "cgroup.stat", "nr_dying_subsys_cpu", 24, 24 },
	{ "cgroup.stat", "nr_dying_subsys_memory", 25, 25 },
	{ "working_set", NULL, (5000 - STATE(2)) * PAGE,
	  5000 * PAGE - ASKED_STATE(2) },
	/* room that a walk leaves as it is: limit_fill() writes there */
	{ "limit", NULL, UNTOUCHED, UNTOUCHED },
};

static void put_number(struct record *record, uint32_t to, uint64_t number,
		       uint32_t size)
{
	CHECK(to + size <= record->data_length, "%u bytes to %u", size, to);
	if (to + size <= record->data_length)
		memcpy(record->data + to, &number, size);
}

/* One record, as prog/walk.bpf.c makes it. */
static struct record *walk(uint32_t level)
{
	static union {
		struct record record;
		uint64_t words[1024];
	} space;
	const struct walk_plan *plan = &planned.plan;
	uint32_t i;

	memset(&space, UNTOUCHED & 0xff, sizeof(space));
	space.record.level = level;
	space.record.data_length = (uint16_t)plan->data_length;
	for (i = 0; i < plan->item_counts[ITEM_STATE]; i++)
		put_number(&space.record, i * 8,
			   (uint64_t)ASKED_STATE(plan->items[ITEM_STATE][i]), 8);
	for (i = 0; i < plan->item_counts[ITEM_EVENT]; i++)
		put_number(&space.record, (plan->item_counts[ITEM_STATE] + i) * 8,
			   (uint64_t)ASKED_EVENT(plan->items[ITEM_EVENT][i]), 8);
	for (i = 0; i < plan->chunk_count; i++) {
		const struct chunk *chunk = &plan->chunks[i];

		CHECK(chunk->to + chunk->size <= plan->data_length &&
		      chunk->from + chunk->size <= MEMORY_SIZE,
		      "chunk %u is from %u to %u, size %u", i, chunk->from,
		      chunk->to, chunk->size);
		memcpy(space.record.data + chunk->to,
		       memory[chunk->base] + chunk->from, chunk->size);
	}
	for (i = 0; i < plan->subsys_count; i++)
		put_number(&space.record, plan->subsys_to + i * 4, LIVE(i), 4);
	return &space.record;
}

/* A value by its name, in a walk's record; NONE where it has no column. */
static uint64_t value_of(const struct record *record, const char *file,
			 const char *key)
{
	static uint64_t all[COLUMNS_MAX];
	int column = snapshot_find(&planned.snapshot, file, key,
				   key ? strlen(key) : 0);

	if (column < 0)
		return NONE;
	snapshot_values(&planned.snapshot, record, all);
	CHECK(all[column] != VALUE_ABSENT || !record->level, "%s %s is absent",
	      file, key ? key : "");
	return all[column];
}

static bool has_column(const char *file, const char *key)
{
	return snapshot_find(&planned.snapshot, file, key,
			     key ? strlen(key) : 0) >= 0;
}

static void check_all(bool raw)
{
	const struct record *record;
	size_t wanted = 0, i;
	char name[80];

	CHECK_NUMBER("plan", plan_kernel(&usual_kernel, "all", raw), 0);
	fill_memory();
	record = walk(1);
	for (i = 0; i < COUNT(values); i++) {
		const struct value *value = &values[i];
		uint64_t want = raw ? value->raw : value->kfunc;

		snprintf(name, sizeof(name), "%s %s by %s", value->file,
			 value->key ? value->key : "", raw ? "raw" : "kfunc");
		CHECK_NUMBER(name, value_of(record, value->file, value->key),
			     want);
		wanted += want != NONE;
	}
	/* and no others */
	CHECK_NUMBER("columns", planned.snapshot.column_count, wanted);
	CHECK_NUMBER("memory_cgrp_id", planned.plan.memory_id, 2);
	CHECK_NUMBER("CSS_VISIBLE", planned.plan.css_visible, 8);
	plan_end();
}

static void test_raw(void)
{
	check_all(true);
}

static void test_kfunc(void)
{
	check_all(false);
}

/* The root has memory.stat and cgroup.stat alone, and room for a limit. */
static void test_root(void)
{
	const struct record *record;
	size_t i;
	int raw;

	for (raw = 0; raw < 2; raw++) {
		CHECK_NUMBER("plan", plan_kernel(&usual_kernel, "all", raw), 0);
		fill_memory();
		record = walk(0);
		for (i = 0; i < COUNT(values); i++) {
			const struct value *value = &values[i];
			bool has = !strcmp(value->file, "memory.stat") ||
				!strcmp(value->file, "cgroup.stat") ||
				!strcmp(value->file, "limit");
			uint64_t want = raw ? value->raw : value->kfunc;

			CHECK_NUMBER(value->key ? value->key : value->file,
				     value_of(record, value->file, value->key),
				     has ? want : NONE);
		}
		plan_end();
	}
}

/* A number that went below 0 by the kernel's accounting reads as 0. */
static void test_negative(void)
{
	const struct record *record;

	CHECK_NUMBER("plan", plan_kernel(&usual_kernel, "all", true), 0);
	fill_memory();
	put(CHUNK_VMSTATS, 7 * 8, 8, (uint64_t)-1);
	put(CHUNK_VMSTATS, 15 * 8, 8, (uint64_t)-3);
	record = walk(1);
	CHECK_NUMBER("anon", value_of(record, "memory.stat", "anon"), 0);
	CHECK_NUMBER("newer", value_of(record, "memory.stat", "newer"), 0);
	plan_end();
}

/* What is asked for, what it is made of, and nothing else. */
static void check_selected(const char *list, bool raw, size_t count)
{
	const struct record *record;
	size_t i;

	CHECK_NUMBER(list, plan_kernel(&usual_kernel, list, raw), 0);
	CHECK_NUMBER(list, planned.snapshot.column_count, count);
	fill_memory();
	record = walk(1);
	for (i = 0; i < COUNT(values); i++) {
		const struct value *value = &values[i];

		if (has_column(value->file, value->key))
			CHECK_NUMBER(list, value_of(record, value->file,
						    value->key),
				     raw ? value->raw : value->kfunc);
	}
	for (i = 0; i < planned.snapshot.column_count; i++) {
		const struct column *column = &planned.snapshot.columns[i];

		CHECK(column->shown == selection_has(&planned.selection,
						     column->file, column->key),
		      "%s: %s %s", list, column->file, column->key ?
		      column->key : "");
	}
	plan_end();
}

static void test_selections(void)
{
	int raw;

	for (raw = 0; raw < 2; raw++) {
		check_selected("anon", raw, 1);
		check_selected("memory.current", raw, 1);
		check_selected("working_set", raw, 3);
		check_selected("slab", raw, 3);
		check_selected("pgscan,anon", raw, 4);
		check_selected("memory.oom.group,events.low", raw, 2);
		check_selected("cgroup.stat.nr_descendants", raw, 1);
		check_selected("cgroup.stat", raw, 8);
		check_selected("cgroup.stat.nr_subsys_cpu", raw, 1);
		check_selected("cgroup.stat.nr_dying_subsys_memory", raw, 1);
		check_selected("memory.stat.nonsense", raw, 0);
		check_selected("memory.stat.pgnewer_uncounted", raw, 0);
		/* the kernel's own keys are known by its tables alone */
		check_selected("memory.stat.newer", raw, (size_t)raw);
		check_selected("memory.stat.pgnewer_event", raw, (size_t)raw);
		check_selected("anon,memory.stat.newer_kb", raw,
			       1 + (size_t)raw);
	}
}

/* A kernel that is built without an option lacks what that brings. */
static void check_lacks(const struct kernel *kernel, bool raw,
			const char *file, const char *key, bool lacks)
{
	CHECK_NUMBER(file, plan_kernel(kernel, "all", raw), 0);
	CHECK(has_column(file, key) == !lacks, "%s by %s", key ? key : file,
	      raw ? "raw" : "kfunc");
	CHECK(has_column("memory.stat", "anon"), "all else");
	plan_end();
}

static void test_configuration(void)
{
	struct kernel kernel = usual_kernel;
	int raw;

	remove_item(kernel.node, "NR_SWAPCACHE");
	check_lacks(&kernel, false, "memory.swap.current", NULL, true);
	check_lacks(&kernel, false, "memory.swap.events", "fail", true);
	/* raw knows what files there are */
	check_lacks(&kernel, true, "memory.swap.current", NULL, false);
	kernel = usual_kernel;
	kernel.zswap_max = 0;
	check_lacks(&kernel, false, "memory.zswap.current", NULL, true);
	check_lacks(&kernel, false, "memory.stat", "zswap", true);
	check_lacks(&kernel, false, "memory.stat", "zswapped", true);
	kernel = usual_kernel;
	remove_item(kernel.vm, "THP_FAULT_ALLOC");
	check_lacks(&kernel, false, "memory.stat", "thp_fault_alloc", true);
	kernel = usual_kernel;
	kernel.hugetlb = false;
	check_lacks(&kernel, false, "memory.stat", "hugetlb", true);
	kernel = usual_kernel;
	kernel.nr_dying_subsys = 0;	/* before 6.14 */
	for (raw = 0; raw < 2; raw++) {
		check_lacks(&kernel, raw, "cgroup.stat", "nr_subsys_cpu",
			    true);
		check_lacks(&kernel, raw, "cgroup.stat", "nr_descendants",
			    false);
	}
}

/* A file that the kernel's tables do not have. */
static void test_no_file(void)
{
	plan_begin(&usual_kernel, "all");
	strcpy(planned.tables.files[0], "removed");	/* "current" */
	CHECK_NUMBER("plan", plan_run(true), 0);
	CHECK(!has_column("memory.current", NULL), "memory.current");
	CHECK(!has_column("working_set", NULL), "what is made of it");
	CHECK(has_column("memory.peak", NULL), "memory.peak");
	plan_end();
}

static unsigned int kind_of(const char *file, const char *key)
{
	int column = snapshot_find(&planned.snapshot, file, key, strlen(key));

	return column < 0 ? SLOT_KINDS :
		planned.snapshot.columns[column].slot.kind;
}

static void show(uint32_t flags, uint32_t subsystems)
{
	static struct walk_map map;

	map.hierarchy_flags = flags;
	map.subsys_mask = subsystems;
	plan_show(&planned.plan, &planned.snapshot, &map);
}

/* What a hierarchy does not have is not shown, until one has it. */
static void check_show(bool raw)
{
	const struct record *record;

	CHECK_NUMBER("plan", plan_kernel(&usual_kernel, "all", raw), 0);
	fill_memory();
	record = walk(1);
	show(0xffff & ~HUGETLB_FLAG, 5);
	CHECK_NUMBER("no flag", kind_of("memory.stat", "hugetlb"), SLOT_NONE);
	CHECK_NUMBER("no cpu", kind_of("cgroup.stat", "nr_subsys_cpu"),
		     SLOT_NONE);
	CHECK_NUMBER("no cpu", kind_of("cgroup.stat", "nr_dying_subsys_cpu"),
		     SLOT_NONE);
	CHECK_NUMBER("memory", value_of(record, "cgroup.stat",
					"nr_subsys_memory"), LIVE(2));
	show(HUGETLB_FLAG, 7);
	CHECK_NUMBER("flag", value_of(record, "memory.stat", "hugetlb"),
		     raw ? STATE(30) * PAGE : ASKED_STATE(14));
	CHECK_NUMBER("cpu", value_of(record, "cgroup.stat",
				     "nr_dying_subsys_cpu"), 24);
	plan_end();
}

static void test_show(void)
{
	check_show(true);
	check_show(false);
}

static const struct test tests[] = {
	{ "raw", test_raw },
	{ "kfunc", test_kfunc },
	{ "root", test_root },
	{ "negative", test_negative },
	{ "selections", test_selections },
	{ "configuration", test_configuration },
	{ "no_file", test_no_file },
	{ "show", test_show },
};

int main(void)
{
	return TESTS_RUN("plan", tests);
}

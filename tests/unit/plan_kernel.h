/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A kernel in small, to make plans for: its type information, its tables, the
 * memory that a walk would copy, and what its functions would answer.
 */
#ifndef MEMCGSTAT_PLAN_KERNEL_H
#define MEMCGSTAT_PLAN_KERNEL_H

#include <stdbool.h>

#include "../../read/plan.h"
#include "btf_builder.h"

#define PAGE		4096
#define HUGETLB_FLAG	(1 << 7)
#define SUBSYSTEMS	3		/* cpuset, cpu, memory */
#define MEMORY_EVENTS	9
#define MEMORY_SIZE	8192		/* of each structure, bytes */
#define ITEMS		260

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* An enumerator that counts something. */
struct item {
	const char *name;
	uint32_t value;
	const char *key;	/* in memory.stat; NULL: it is not shown */
	int slot;		/* in struct memcg_vmstats; -1: not counted */
};

struct kernel {
	/* struct page_counter */
	uint32_t usage, watermark, min, low, high, max;
	/* struct mem_cgroup; 0: it has no such member */
	uint32_t memory, swap, zswap_max, oom_group, events, events_local;
	/* struct cgroup */
	uint32_t nr_descendants, nr_dying, nr_dying_subsys;
	uint32_t event_offset;	/* in struct memcg_vmstats */
	bool hugetlb;		/* there is the mount option */
	uint32_t subsystems;	/* as CGROUP_SUBSYS_COUNT tells */
	/* enum node_stat_item, memcg_stat_item, vm_event_item */
	struct item node[ITEMS], memcg[ITEMS], vm[ITEMS];
};

/* memory_files[] and its kin */
static const char *const kernel_files[] = {
	"current", "min", "low", "high", "max", "peak", "oom.group", "events",
	"events.local", "stat", "swap.current", "swap.high", "swap.max",
	"swap.peak", "swap.events", "zswap.current", "zswap.max",
};

static const struct kernel usual_kernel = {
	.usage = 0, .watermark = 112, .min = 192, .low = 200, .high = 208,
	.max = 216,
	.memory = 256, .swap = 512, .zswap_max = 896, .oom_group = 1001,
	.events = 1104, .events_local = 1280,
	.nr_descendants = 168, .nr_dying = 172, .nr_dying_subsys = 300,
	.event_offset = 248, .hugetlb = true, .subsystems = SUBSYSTEMS,
	.node = {
		{ "NR_LRU_BASE", 0, NULL, -1 },		/* the same as: */
		{ "NR_INACTIVE_ANON", 0, "inactive_anon", 0 },
		{ "NR_ACTIVE_ANON", 1, "active_anon", 1 },
		{ "NR_INACTIVE_FILE", 2, "inactive_file", 2 },
		{ "NR_ACTIVE_FILE", 3, "active_file", 3 },
		{ "NR_SLAB_RECLAIMABLE_B", 4, "slab_reclaimable", 4 },
		{ "NR_SLAB_UNRECLAIMABLE_B", 5, "slab_unreclaimable", 5 },
		{ "NR_ISOLATED_ANON", 6, NULL, -1 },
		{ "WORKINGSET_REFAULT_ANON", 7, "workingset_refault_anon", 6 },
		{ "NR_ANON_MAPPED", 8, "anon", 7 },
		{ "NR_FILE_PAGES", 9, "file", 8 },
		{ "NR_SHMEM", 10, NULL, 9 },
		{ "NR_KERNEL_STACK_KB", 11, "kernel_stack", 12 },
		{ "NR_SWAPCACHE", 12, "swapcached", 13 },
		{ "PGSTEAL_KSWAPD", 13, "pgsteal_kswapd", 14 },
		{ "NR_HUGETLB", 14, "hugetlb", 30 },
		{ "NR_NEWER", 15, "newer", 15 },
		{ "NR_NEWER_B", 16, "newer_b", 16 },
		{ "NR_NEWER_KB", 17, "newer_kb", 17 },
		{ "PGNEWER", 18, "pgnewer", 18 },
		{ "NR_VM_NODE_STAT_ITEMS", 19, NULL, -1 },
	},
	.memcg = {
		{ "MEMCG_SWAP", 19, NULL, 10 },
		{ "MEMCG_SOCK", 20, "sock", 11 },
		{ "MEMCG_VMALLOC", 21, "vmalloc", 19 },
		{ "MEMCG_ZSWAP_B", 22, "zswap", 20 },
		{ "MEMCG_ZSWAPPED", 23, "zswapped", 21 },
		{ "MEMCG_KMEM", 24, "kernel", 22 },
		{ "MEMCG_NR_STAT", 25, NULL, -1 },
	},
	.vm = {
		{ "PGPGIN", 0, NULL, 0 },
		{ "PGPGOUT", 1, NULL, 1 },
		{ "PSWPIN", 2, NULL, -1 },
		{ "PGFAULT", 3, NULL, 2 },
		{ "PGMAJFAULT", 4, NULL, 3 },
		{ "PGSCAN_KSWAPD", 5, NULL, 4 },
		{ "PGSCAN_DIRECT", 6, NULL, 5 },
		{ "PGNEWER_EVENT", 7, NULL, 6 },
		{ "THP_FAULT_ALLOC", 8, NULL, 7 },
		{ "PGNEWER_UNCOUNTED", 9, NULL, -1 },
		{ "A_NAME_LONGER_THAN_ANY_KEY_SHOULD_BE", 10, NULL, 8 },
		{ "NR_VM_EVENT_ITEMS", 11, NULL, -1 },
	},
};

static inline size_t count_items(const struct item *items)
{
	size_t count = 0;

	while (count < ITEMS && items[count].name)
		count++;
	return count;
}

/* Let a kernel lack what is called so. */
static inline void remove_item(struct item *items, const char *name)
{
	size_t count = count_items(items), i;

	for (i = 0; i < count; i++)
		if (!strcmp(items[i].name, name))
			items[i].name = "NR_REMOVED";
}

static inline void add_items(struct builder *builder, const char *name,
			     const struct item *items)
{
	size_t count = count_items(items), i;

	add_type(builder, name, ENUM, (uint32_t)count, 4);
	for (i = 0; i < count; i++)
		add_enumerator(builder, items[i].name, items[i].value);
}

static inline void add_kernel_enums(struct builder *builder,
				    const struct kernel *kernel)
{
	static const char *const events[] = { "MEMCG_LOW", "MEMCG_HIGH",
		"MEMCG_MAX", "MEMCG_OOM", "MEMCG_OOM_KILL",
		"MEMCG_OOM_GROUP_KILL", "MEMCG_SWAP_HIGH", "MEMCG_SWAP_MAX",
		"MEMCG_SWAP_FAIL", "MEMCG_SOCK_THROTTLED" };
	static const char *const subsystems[] = { "cpuset_cgrp_id",
		"cpu_cgrp_id", "memory_cgrp_id" };
	char name[32];
	uint32_t i;

	add_items(builder, "node_stat_item", kernel->node);
	add_items(builder, "memcg_stat_item", kernel->memcg);
	add_items(builder, "vm_event_item", kernel->vm);
	add_type(builder, "memcg_memory_event", ENUM, COUNT(events), 4);
	for (i = 0; i < COUNT(events); i++)
		add_enumerator(builder, events[i], i);
	add_type(builder, "cgroup_subsys_id", ENUM, kernel->subsystems + 1, 4);
	for (i = 0; i < kernel->subsystems; i++) {
		snprintf(name, sizeof(name), "other%u_cgrp_id", i);
		add_enumerator(builder, i < COUNT(subsystems) ? subsystems[i] :
			       name, i);
	}
	add_enumerator(builder, "CGROUP_SUBSYS_COUNT", kernel->subsystems);
	add_type(builder, NULL, ENUM, 2, 4);
	add_enumerator(builder, "CSS_ONLINE", 2);
	add_enumerator(builder, "CSS_VISIBLE", 8);
	add_type(builder, NULL, ENUM, 1, 4);
	add_enumerator(builder, kernel->hugetlb ?
		       "CGRP_ROOT_MEMORY_HUGETLB_ACCOUNTING" : "CGRP_ROOT_NONE",
		       HUGETLB_FLAG);
}

static inline void add_mem_cgroup(struct builder *builder,
				  const struct kernel *kernel, uint32_t word,
				  uint32_t byte)
{
	uint32_t atomic, counter, events, swap;

	atomic = add_type(builder, NULL, STRUCT, 1, 8);
	add_member(builder, "counter", word, 0);
	atomic = add_type(builder, "atomic_long_t", TYPEDEF, 0, atomic);
	counter = add_type(builder, "page_counter", STRUCT, 6, 256);
	add_member(builder, "usage", atomic, kernel->usage * 8);
	add_member(builder, "watermark", word, kernel->watermark * 8);
	add_member(builder, "min", word, kernel->min * 8);
	add_member(builder, "low", word, kernel->low * 8);
	add_member(builder, "high", word, kernel->high * 8);
	add_member(builder, "max", word, kernel->max * 8);
	events = add_array(builder, atomic, MEMORY_EVENTS);
	swap = add_type(builder, NULL, UNION, 2, 256);
	add_member(builder, "swap", counter, 0);
	add_member(builder, "memsw", counter, 0);
	add_type(builder, "mem_cgroup", STRUCT, kernel->zswap_max ? 6 : 5,
		 2048);
	add_member(builder, "memory", counter, kernel->memory * 8);
	add_member(builder, NULL, swap, kernel->swap * 8);
	add_member(builder, "oom_group", byte, kernel->oom_group * 8);
	add_member(builder, "memory_events", events, kernel->events * 8);
	add_member(builder, "memory_events_local", events,
		   kernel->events_local * 8);
	if (kernel->zswap_max)
		add_member(builder, "zswap_max", word, kernel->zswap_max * 8);
}

static inline char *make_kernel(const struct kernel *kernel, size_t *size)
{
	struct builder builder = { 0 };
	uint32_t word = add_int(&builder, "unsigned long", 8);
	uint32_t number = add_int(&builder, "int", 4);
	uint32_t byte = add_int(&builder, "_Bool", 1);
	uint32_t dying = add_array(&builder, number, kernel->subsystems);

	add_mem_cgroup(&builder, kernel, word, byte);
	add_type(&builder, "cgroup", STRUCT, kernel->nr_dying_subsys ? 3 : 2,
		 1024);
	add_member(&builder, "nr_descendants", number,
		   kernel->nr_descendants * 8);
	add_member(&builder, "nr_dying_descendants", number,
		   kernel->nr_dying * 8);
	if (kernel->nr_dying_subsys)
		add_member(&builder, "nr_dying_subsys", dying,
			   kernel->nr_dying_subsys * 8);
	add_kernel_enums(&builder, kernel);
	return finish(&builder, size);
}

static inline void add_states(struct tables *tables, const struct item *items)
{
	size_t count = count_items(items), i;

	for (i = 0; i < count; i++) {
		const struct item *item = &items[i];

		if (item->slot >= 0)
			tables->slots[ITEM_STATE][item->value] = (uint8_t)item->slot;
		if (!item->key)
			continue;
		snprintf(tables->stats[tables->stat_count].name, TABLE_NAME,
			 "%s", item->key);
		tables->stats[tables->stat_count++].item = item->value;
	}
}

/* What tables_read() would find. */
static inline void make_tables(struct tables *tables,
			       const struct kernel *kernel)
{
	size_t count = count_items(kernel->vm), i;

	memset(tables, 0, sizeof(*tables));
	memset(tables->slots[ITEM_STATE], SLOT_MISSING, sizeof(tables->slots[ITEM_STATE]));
	memset(tables->slots[ITEM_EVENT], SLOT_MISSING, sizeof(tables->slots[ITEM_EVENT]));
	tables->offsets[ITEM_EVENT] = kernel->event_offset;
	add_states(tables, kernel->node);
	add_states(tables, kernel->memcg);
	for (i = 0; i < count; i++)
		if (kernel->vm[i].slot >= 0)
			tables->slots[ITEM_EVENT][kernel->vm[i].value] =
				(uint8_t)kernel->vm[i].slot;
	for (i = 0; i < COUNT(kernel_files); i++)
		snprintf(tables->files[tables->file_count++], TABLE_NAME, "%s",
			 kernel_files[i]);
}

/* A plan for one kernel, and what it is made from. */
static struct {
	struct walk_plan plan;
	struct snapshot snapshot;
	struct tables tables;
	struct selection selection;
	struct btf btf;
	char *data;
} planned;

static inline void plan_begin(const struct kernel *kernel, const char *list)
{
	struct reason reason;
	size_t size;

	memset(&planned, 0, sizeof(planned));
	planned.data = make_kernel(kernel, &size);
	CHECK_NUMBER("BTF", btf_open(&planned.btf, planned.data, size), 0);
	CHECK_NUMBER(list, selection_parse(&planned.selection, list, false,
					   &reason), 0);
	make_tables(&planned.tables, kernel);
	planned.snapshot.page_size = PAGE;
}

/* Return: what plan_make() returned. */
static inline int plan_run(bool raw)
{
	return plan_make(&planned.plan, &planned.snapshot, &planned.btf,
			 raw ? &planned.tables : NULL, &planned.selection);
}

static inline int plan_kernel(const struct kernel *kernel, const char *list,
			      bool raw)
{
	plan_begin(kernel, list);
	return plan_run(raw);
}

static inline void plan_end(void)
{
	selection_free(&planned.selection);
	free(planned.data);
}

#endif

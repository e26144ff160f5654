// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "fields.h"

/* The files of many keys. */
enum { ITSELF, EVENTS, EVENTS_LOCAL, SWAP_EVENTS, STAT, CGROUP_STAT,
	OOM_CONTROL };

static const char *const files[] = {
	[EVENTS] = "memory.events",
	[EVENTS_LOCAL] = "memory.events.local",
	[SWAP_EVENTS] = "memory.swap.events",
	[STAT] = "memory.stat",
	[CGROUP_STAT] = "cgroup.stat",
	[OOM_CONTROL] = "memory.oom_control",
};

/* A symbol of "" is the same as the name. */
#define ENTRY(file, name, version, from, unit, type, needs, symbol) \
	{ name "\0" symbol, file, version, FROM_##from, UNIT_##unit, \
	  TYPE_##type, NEEDS_##needs }
#define STAT(key, unit, type, needs, symbol) \
	ENTRY(STAT, key, FIELD_V2, STAT, unit, type, needs, symbol)
#define IN_STAT(key) "memory.stat." key
#define SUM(key, unit, type, keys) \
	ENTRY(STAT, key, FIELD_V2, SUM, unit, type, NOTHING, keys)
#define EVENT(file, key, from, needs, symbol) \
	ENTRY(file, key, FIELD_V2, from, NUMBER, COUNTER, needs, symbol)
#define PAGES(file, needs, symbol) \
	ENTRY(ITSELF, file, FIELD_V2, PAGES, BYTES, GAUGE, needs, symbol)
#define LIMIT(file, needs, symbol) \
	ENTRY(ITSELF, file, FIELD_V2, LIMIT, BYTES, LIMIT, needs, symbol)
#define CGROUP(key) \
	ENTRY(CGROUP_STAT, key, FIELD_V2, CGROUP, NUMBER, GAUGE, NOTHING, "")
#define V1(file, name, unit, type) \
	ENTRY(file, name, FIELD_V1, FILE, unit, type, NOTHING, "")
#define WORKING_SET(version, minuend, subtrahend) \
	ENTRY(ITSELF, "working_set", version, DIFFERENCE, BYTES, GAUGE, \
	      NOTHING, minuend " " IN_STAT(subtrahend))
#define LIMIT_OF(version, name) \
	ENTRY(ITSELF, "limit", version, LEAST, BYTES, LIMIT, NOTHING, name)

const struct field fields[] = {
	PAGES("memory.current", NOTHING, "memory.usage"),
	LIMIT("memory.min", NOTHING, ""),
	LIMIT("memory.low", NOTHING, ""),
	LIMIT("memory.high", NOTHING, ""),
	LIMIT("memory.max", NOTHING, ""),
	PAGES("memory.peak", NOTHING, "memory.watermark"),
	PAGES("memory.swap.current", SWAP, "swap.usage"),
	LIMIT("memory.swap.high", SWAP, "swap.high"),
	LIMIT("memory.swap.max", SWAP, "swap.max"),
	PAGES("memory.swap.peak", SWAP, "swap.watermark"),
	ENTRY(ITSELF, "memory.zswap.current", FIELD_V2, STAT, BYTES, GAUGE,
	      ZSWAP, "MEMCG_ZSWAP_B"),
	LIMIT("memory.zswap.max", ZSWAP, "zswap_max"),
	ENTRY(ITSELF, "memory.oom.group", FIELD_V2, BOOL, NUMBER, GAUGE,
	      NOTHING, "oom_group"),
	EVENT(EVENTS, "low", EVENT, NOTHING, "MEMCG_LOW"),
	EVENT(EVENTS, "high", EVENT, NOTHING, "MEMCG_HIGH"),
	EVENT(EVENTS, "max", EVENT, NOTHING, "MEMCG_MAX"),
	EVENT(EVENTS, "oom", EVENT, NOTHING, "MEMCG_OOM"),
	EVENT(EVENTS, "oom_kill", EVENT, NOTHING, "MEMCG_OOM_KILL"),
	EVENT(EVENTS, "oom_group_kill", EVENT, NOTHING, "MEMCG_OOM_GROUP_KILL"),
	EVENT(EVENTS, "sock_throttled", EVENT, NOTHING, "MEMCG_SOCK_THROTTLED"),
	EVENT(EVENTS_LOCAL, "low", EVENT_LOCAL, NOTHING, "MEMCG_LOW"),
	EVENT(EVENTS_LOCAL, "high", EVENT_LOCAL, NOTHING, "MEMCG_HIGH"),
	EVENT(EVENTS_LOCAL, "max", EVENT_LOCAL, NOTHING, "MEMCG_MAX"),
	EVENT(EVENTS_LOCAL, "oom", EVENT_LOCAL, NOTHING, "MEMCG_OOM"),
	EVENT(EVENTS_LOCAL, "oom_kill", EVENT_LOCAL, NOTHING, "MEMCG_OOM_KILL"),
	EVENT(EVENTS_LOCAL, "oom_group_kill", EVENT_LOCAL, NOTHING,
	      "MEMCG_OOM_GROUP_KILL"),
	EVENT(EVENTS_LOCAL, "sock_throttled", EVENT_LOCAL, NOTHING,
	      "MEMCG_SOCK_THROTTLED"),
	EVENT(SWAP_EVENTS, "high", EVENT, SWAP, "MEMCG_SWAP_HIGH"),
	EVENT(SWAP_EVENTS, "max", EVENT, SWAP, "MEMCG_SWAP_MAX"),
	EVENT(SWAP_EVENTS, "fail", EVENT, SWAP, "MEMCG_SWAP_FAIL"),
	V1(ITSELF, "memory.usage_in_bytes", BYTES, GAUGE),
	V1(ITSELF, "memory.max_usage_in_bytes", BYTES, GAUGE),
	V1(ITSELF, "memory.limit_in_bytes", BYTES, LIMIT),
	V1(ITSELF, "memory.soft_limit_in_bytes", BYTES, LIMIT),
	V1(ITSELF, "memory.failcnt", NUMBER, COUNTER),
	V1(ITSELF, "memory.memsw.usage_in_bytes", BYTES, GAUGE),
	V1(ITSELF, "memory.memsw.max_usage_in_bytes", BYTES, GAUGE),
	V1(ITSELF, "memory.memsw.limit_in_bytes", BYTES, LIMIT),
	V1(ITSELF, "memory.memsw.failcnt", NUMBER, COUNTER),
	V1(ITSELF, "memory.kmem.usage_in_bytes", BYTES, GAUGE),
	V1(ITSELF, "memory.kmem.max_usage_in_bytes", BYTES, GAUGE),
	V1(ITSELF, "memory.kmem.limit_in_bytes", BYTES, LIMIT),
	V1(ITSELF, "memory.kmem.failcnt", NUMBER, COUNTER),
	V1(ITSELF, "memory.kmem.tcp.usage_in_bytes", BYTES, GAUGE),
	V1(ITSELF, "memory.kmem.tcp.max_usage_in_bytes", BYTES, GAUGE),
	V1(ITSELF, "memory.kmem.tcp.limit_in_bytes", BYTES, LIMIT),
	V1(ITSELF, "memory.kmem.tcp.failcnt", NUMBER, COUNTER),
	V1(ITSELF, "memory.swappiness", NUMBER, GAUGE),
	V1(ITSELF, "memory.use_hierarchy", NUMBER, GAUGE),
	V1(OOM_CONTROL, "oom_kill_disable", NUMBER, GAUGE),
	V1(OOM_CONTROL, "under_oom", NUMBER, GAUGE),
	V1(OOM_CONTROL, "oom_kill", NUMBER, COUNTER),
	V1(STAT, "cache", BYTES, GAUGE),
	V1(STAT, "rss", BYTES, GAUGE),
	V1(STAT, "rss_huge", BYTES, GAUGE),
	V1(STAT, "mapped_file", BYTES, GAUGE),
	V1(STAT, "dirty", BYTES, GAUGE),
	V1(STAT, "writeback", BYTES, GAUGE),
	V1(STAT, "swap", BYTES, GAUGE),
	V1(STAT, "pgpgin", NUMBER, COUNTER),
	V1(STAT, "pgpgout", NUMBER, COUNTER),
	V1(STAT, "hierarchical_memory_limit", BYTES, LIMIT),
	V1(STAT, "hierarchical_memsw_limit", BYTES, LIMIT),
	V1(STAT, "total_cache", BYTES, GAUGE),
	V1(STAT, "total_rss", BYTES, GAUGE),
	V1(STAT, "total_rss_huge", BYTES, GAUGE),
	V1(STAT, "total_shmem", BYTES, GAUGE),
	V1(STAT, "total_mapped_file", BYTES, GAUGE),
	V1(STAT, "total_dirty", BYTES, GAUGE),
	V1(STAT, "total_writeback", BYTES, GAUGE),
	V1(STAT, "total_swap", BYTES, GAUGE),
	V1(STAT, "total_swapcached", BYTES, GAUGE),
	V1(STAT, "total_inactive_anon", BYTES, GAUGE),
	V1(STAT, "total_active_anon", BYTES, GAUGE),
	V1(STAT, "total_inactive_file", BYTES, GAUGE),
	V1(STAT, "total_active_file", BYTES, GAUGE),
	V1(STAT, "total_unevictable", BYTES, GAUGE),
	V1(STAT, "total_workingset_refault_anon", NUMBER, COUNTER),
	V1(STAT, "total_workingset_refault_file", NUMBER, COUNTER),
	V1(STAT, "total_pgpgin", NUMBER, COUNTER),
	V1(STAT, "total_pgpgout", NUMBER, COUNTER),
	V1(STAT, "total_pgfault", NUMBER, COUNTER),
	V1(STAT, "total_pgmajfault", NUMBER, COUNTER),
	/* memory.stat of v2, in the order of memcg_stat_format() in 7.3 */
	STAT("anon", BYTES, GAUGE, NOTHING, "NR_ANON_MAPPED"),
	STAT("file", BYTES, GAUGE, NOTHING, "NR_FILE_PAGES"),
	STAT("kernel", BYTES, GAUGE, NOTHING, "MEMCG_KMEM"),
	STAT("kernel_stack", BYTES, GAUGE, NOTHING, "NR_KERNEL_STACK_KB"),
	STAT("pagetables", BYTES, GAUGE, NOTHING, "NR_PAGETABLE"),
	STAT("sec_pagetables", BYTES, GAUGE, NOTHING, "NR_SECONDARY_PAGETABLE"),
	STAT("percpu", BYTES, GAUGE, NOTHING, "MEMCG_PERCPU_B"),
	STAT("sock", BYTES, GAUGE, NOTHING, "MEMCG_SOCK"),
	STAT("vmalloc", BYTES, GAUGE, NOTHING, "NR_VMALLOC MEMCG_VMALLOC"),
	STAT("shmem", BYTES, GAUGE, NOTHING, "NR_SHMEM"),
	STAT("zswap", BYTES, GAUGE, ZSWAP, "MEMCG_ZSWAP_B"),
	STAT("zswapped", BYTES, GAUGE, ZSWAP, "MEMCG_ZSWAPPED"),
	STAT("zswap_incomp", BYTES, GAUGE, ZSWAP, "MEMCG_ZSWAP_INCOMP"),
	STAT("file_mapped", BYTES, GAUGE, NOTHING, "NR_FILE_MAPPED"),
	STAT("file_dirty", BYTES, GAUGE, NOTHING, "NR_FILE_DIRTY"),
	STAT("file_writeback", BYTES, GAUGE, NOTHING, "NR_WRITEBACK"),
	STAT("swapcached", BYTES, GAUGE, NOTHING, "NR_SWAPCACHE"),
	STAT("anon_thp", BYTES, GAUGE, THP, "NR_ANON_THPS"),
	STAT("file_thp", BYTES, GAUGE, THP, "NR_FILE_THPS"),
	STAT("shmem_thp", BYTES, GAUGE, THP, "NR_SHMEM_THPS"),
	STAT("inactive_anon", BYTES, GAUGE, NOTHING, "NR_INACTIVE_ANON"),
	STAT("active_anon", BYTES, GAUGE, NOTHING, "NR_ACTIVE_ANON"),
	STAT("inactive_file", BYTES, GAUGE, NOTHING, "NR_INACTIVE_FILE"),
	STAT("active_file", BYTES, GAUGE, NOTHING, "NR_ACTIVE_FILE"),
	STAT("unevictable", BYTES, GAUGE, NOTHING, "NR_UNEVICTABLE"),
	STAT("slab_reclaimable", BYTES, GAUGE, NOTHING,
	     "NR_SLAB_RECLAIMABLE_B"),
	STAT("slab_unreclaimable", BYTES, GAUGE, NOTHING,
	     "NR_SLAB_UNRECLAIMABLE_B"),
	SUM("slab", BYTES, GAUGE, IN_STAT("slab_reclaimable")
	    " " IN_STAT("slab_unreclaimable")),
	STAT("hugetlb", BYTES, GAUGE, HUGETLB, "NR_HUGETLB"),
	STAT("workingset_refault_anon", NUMBER, COUNTER, NOTHING, ""),
	STAT("workingset_refault_file", NUMBER, COUNTER, NOTHING, ""),
	STAT("workingset_activate_anon", NUMBER, COUNTER, NOTHING, ""),
	STAT("workingset_activate_file", NUMBER, COUNTER, NOTHING, ""),
	STAT("workingset_restore_anon", NUMBER, COUNTER, NOTHING, ""),
	STAT("workingset_restore_file", NUMBER, COUNTER, NOTHING, ""),
	STAT("workingset_nodereclaim", NUMBER, COUNTER, NOTHING, ""),
	STAT("pgdemote_kswapd", PAGES, COUNTER, NOTHING, ""),
	STAT("pgdemote_direct", PAGES, COUNTER, NOTHING, ""),
	STAT("pgdemote_khugepaged", PAGES, COUNTER, NOTHING, ""),
	STAT("pgdemote_proactive", PAGES, COUNTER, NOTHING, ""),
	STAT("pgsteal_kswapd", PAGES, COUNTER, NOTHING, ""),
	STAT("pgsteal_direct", PAGES, COUNTER, NOTHING, ""),
	STAT("pgsteal_khugepaged", PAGES, COUNTER, NOTHING, ""),
	STAT("pgsteal_proactive", PAGES, COUNTER, NOTHING, ""),
	STAT("pgscan_kswapd", PAGES, COUNTER, NOTHING, ""),
	STAT("pgscan_direct", PAGES, COUNTER, NOTHING, ""),
	STAT("pgscan_khugepaged", PAGES, COUNTER, NOTHING, ""),
	STAT("pgscan_proactive", PAGES, COUNTER, NOTHING, ""),
	STAT("pgrefill", PAGES, COUNTER, NOTHING, ""),
	STAT("pgpromote_success", PAGES, COUNTER, NOTHING, ""),
	SUM("pgscan", PAGES, COUNTER, IN_STAT("pgscan_kswapd")
	    " " IN_STAT("pgscan_direct") " " IN_STAT("pgscan_proactive")
	    " " IN_STAT("pgscan_khugepaged")),
	SUM("pgsteal", PAGES, COUNTER, IN_STAT("pgsteal_kswapd")
	    " " IN_STAT("pgsteal_direct") " " IN_STAT("pgsteal_proactive")
	    " " IN_STAT("pgsteal_khugepaged")),
	STAT("pswpin", PAGES, COUNTER, NOTHING, ""),
	STAT("pswpout", PAGES, COUNTER, NOTHING, ""),
	STAT("pgfault", NUMBER, COUNTER, NOTHING, ""),
	STAT("pgmajfault", NUMBER, COUNTER, NOTHING, ""),
	STAT("pgactivate", PAGES, COUNTER, NOTHING, ""),
	STAT("pgdeactivate", PAGES, COUNTER, NOTHING, ""),
	STAT("pglazyfree", PAGES, COUNTER, NOTHING, ""),
	STAT("pglazyfreed", PAGES, COUNTER, NOTHING, ""),
	STAT("swpin_zero", PAGES, COUNTER, NOTHING, ""),
	STAT("swpout_zero", PAGES, COUNTER, NOTHING, ""),
	STAT("zswpin", PAGES, COUNTER, NOTHING, ""),
	STAT("zswpout", PAGES, COUNTER, NOTHING, ""),
	STAT("zswpwb", PAGES, COUNTER, NOTHING, ""),
	STAT("thp_fault_alloc", NUMBER, COUNTER, NOTHING, ""),
	STAT("thp_collapse_alloc", NUMBER, COUNTER, NOTHING, ""),
	STAT("thp_swpout", NUMBER, COUNTER, NOTHING, ""),
	STAT("thp_swpout_fallback", NUMBER, COUNTER, NOTHING, ""),
	STAT("numa_pages_migrated", PAGES, COUNTER, NOTHING,
	     "NUMA_PAGE_MIGRATE"),
	STAT("numa_pte_updates", NUMBER, COUNTER, NOTHING, ""),
	STAT("numa_hint_faults", NUMBER, COUNTER, NOTHING, ""),
	CGROUP("nr_descendants"),
	CGROUP("nr_dying_descendants"),
	WORKING_SET(FIELD_V2, "memory.current", "inactive_file"),
	WORKING_SET(FIELD_V1, "memory.usage_in_bytes", "total_inactive_file"),
	LIMIT_OF(FIELD_V2, "memory.max"),
	/* without use_hierarchy that above does not count: the kernel knows */
	LIMIT_OF(FIELD_V1, IN_STAT("hierarchical_memory_limit")),
};

const size_t field_count = sizeof(fields) / sizeof(fields[0]);

const char *field_file(const struct field *field)
{
	return field->file == ITSELF ? field->name : files[field->file];
}

const char *field_key(const struct field *field)
{
	return field->file == ITSELF ? NULL : field->name;
}

const char *field_symbol(const struct field *field)
{
	const char *symbol = field->name + strlen(field->name) + 1;

	return *symbol ? symbol : field->name;
}

const struct field *field_find(const char *file, const char *key,
			       size_t key_length)
{
	size_t i;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];

		if (!key != (field->file == ITSELF) ||
		    (key && *field->name != *key))
			continue;
		if ((!key || (!strncmp(field->name, key, key_length) &&
			      !field->name[key_length])) &&
		    !strcmp(field_file(field), file))
			return field;
	}
	return NULL;
}

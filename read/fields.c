// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "fields.h"

#define ENTRY(file, key, version, from, unit, type, symbol, needs, help) \
	{ file, key, version, from, UNIT_##unit, TYPE_##type, symbol, needs, \
	  help }

/* memory.stat; its keys come in the order of memcg_stat_format() in 7.3 */
#define STAT(key, unit, type, symbol, needs, help) \
	ENTRY("memory.stat", key, FIELD_V2, FROM_STAT, unit, type, symbol, \
	      needs, help)
#define STATS(key) "memory.stat." key
#define ADDED(key, unit, type, keys, help) \
	ENTRY("memory.stat", key, FIELD_V2, FROM_SUM, unit, type, keys, NULL, \
	      help)
#define EVENT(file, key, from, symbol, help) \
	ENTRY(file, key, FIELD_V2, from, NUMBER, COUNTER, symbol, NULL, help)
#define SWAP_EVENT(key, symbol, help) \
	ENTRY("memory.swap.events", key, FIELD_V2, FROM_EVENT, NUMBER, \
	      COUNTER, symbol, SWAP, help)
#define PAGES(file, symbol, needs, help) \
	ENTRY(file, NULL, FIELD_V2, FROM_PAGES, BYTES, GAUGE, symbol, needs, \
	      help)
#define LIMIT(file, symbol, needs, help) \
	ENTRY(file, NULL, FIELD_V2, FROM_LIMIT, BYTES, LIMIT, symbol, needs, \
	      help)
#define CGROUP(key, help) \
	ENTRY("cgroup.stat", key, FIELD_V2, FROM_CGROUP, NUMBER, GAUGE, key, \
	      NULL, help)
#define V1_FILE(file, unit, type, help) \
	ENTRY(file, NULL, FIELD_V1, FROM_FILE, unit, type, NULL, NULL, help)
#define V1_KEY(file, key, unit, type, help) \
	ENTRY(file, key, FIELD_V1, FROM_FILE, unit, type, NULL, NULL, help)

/* What exists only under CONFIG_ZSWAP, CONFIG_SWAP, CONFIG_TRANSPARENT_HUGEPAGE */
#define ZSWAP	"mem_cgroup.zswap_max"
#define SWAP	"NR_SWAPCACHE"
#define THP	"THP_FAULT_ALLOC"

const struct field fields[] = {
	PAGES("memory.current", "memory.usage", NULL, "Memory charged"),
	LIMIT("memory.min", "memory.min", NULL, "Memory never reclaimed"),
	LIMIT("memory.low", "memory.low", NULL,
	      "Memory reclaimed only where nothing else is left"),
	LIMIT("memory.high", "memory.high", NULL,
	      "Memory over which allocations are throttled"),
	LIMIT("memory.max", "memory.max", NULL, "Limit of memory"),
	PAGES("memory.peak", "memory.watermark", NULL,
	      "Most memory ever charged"),
	PAGES("memory.swap.current", "swap.usage", SWAP, "Swap charged"),
	LIMIT("memory.swap.max", "swap.max", SWAP, "Limit of swap"),
	PAGES("memory.swap.peak", "swap.watermark", SWAP,
	      "Most swap ever charged"),
	ENTRY("memory.zswap.current", NULL, FIELD_V2, FROM_STAT, BYTES, GAUGE,
	      "MEMCG_ZSWAP_B", ZSWAP, "Memory that zswap takes"),
	LIMIT("memory.zswap.max", "zswap_max", ZSWAP, "Limit of zswap"),
	ENTRY("memory.oom.group", NULL, FIELD_V2, FROM_BOOL, NUMBER, GAUGE,
	      "oom_group", NULL, "Are all its processes killed together"),
	EVENT("memory.events", "low", FROM_EVENT, "MEMCG_LOW",
	      "Times reclaimed although below memory.low"),
	EVENT("memory.events", "high", FROM_EVENT, "MEMCG_HIGH",
	      "Times throttled over memory.high"),
	EVENT("memory.events", "max", FROM_EVENT, "MEMCG_MAX",
	      "Times about to go over memory.max"),
	EVENT("memory.events", "oom", FROM_EVENT, "MEMCG_OOM",
	      "Times out of memory"),
	EVENT("memory.events", "oom_kill", FROM_EVENT, "MEMCG_OOM_KILL",
	      "Processes killed by the OOM killer"),
	EVENT("memory.events", "oom_group_kill", FROM_EVENT, "MEMCG_OOM_GROUP_KILL",
	      "Group OOM kills"),
	EVENT("memory.events", "sock_throttled", FROM_EVENT, "MEMCG_SOCK_THROTTLED",
	      "Times sockets were throttled"),
	EVENT("memory.events.local", "low", FROM_EVENT_LOCAL, "MEMCG_LOW",
	      "Times reclaimed although below memory.low, this cgroup alone"),
	EVENT("memory.events.local", "high", FROM_EVENT_LOCAL, "MEMCG_HIGH",
	      "Times throttled over memory.high, this cgroup alone"),
	EVENT("memory.events.local", "max", FROM_EVENT_LOCAL, "MEMCG_MAX",
	      "Times about to go over memory.max, this cgroup alone"),
	EVENT("memory.events.local", "oom", FROM_EVENT_LOCAL, "MEMCG_OOM",
	      "Times out of memory, this cgroup alone"),
	EVENT("memory.events.local", "oom_kill", FROM_EVENT_LOCAL, "MEMCG_OOM_KILL",
	      "Processes killed by the OOM killer, this cgroup alone"),
	EVENT("memory.events.local", "oom_group_kill", FROM_EVENT_LOCAL, "MEMCG_OOM_GROUP_KILL",
	      "Group OOM kills, this cgroup alone"),
	EVENT("memory.events.local", "sock_throttled", FROM_EVENT_LOCAL, "MEMCG_SOCK_THROTTLED",
	      "Times sockets were throttled, this cgroup alone"),
	SWAP_EVENT("high", "MEMCG_SWAP_HIGH", "Times over memory.swap.high"),
	SWAP_EVENT("max", "MEMCG_SWAP_MAX", "Swap allocations failed at memory.swap.max"),
	SWAP_EVENT("fail", "MEMCG_SWAP_FAIL", "Swap allocations failed"),
	V1_FILE("memory.usage_in_bytes", BYTES, GAUGE, "Memory charged"),
	V1_FILE("memory.max_usage_in_bytes", BYTES, GAUGE, "Most memory ever charged"),
	V1_FILE("memory.limit_in_bytes", BYTES, LIMIT, "Limit"),
	V1_FILE("memory.soft_limit_in_bytes", BYTES, LIMIT, "Soft limit"),
	V1_FILE("memory.failcnt", NUMBER, COUNTER, "Times at the limit"),
	V1_FILE("memory.memsw.usage_in_bytes", BYTES, GAUGE, "Charged: memory and swap"),
	V1_FILE("memory.memsw.max_usage_in_bytes", BYTES, GAUGE, "Most ever charged: memory and swap"),
	V1_FILE("memory.memsw.limit_in_bytes", BYTES, LIMIT, "Limit: memory and swap"),
	V1_FILE("memory.memsw.failcnt", NUMBER, COUNTER, "Times at the limit: memory and swap"),
	V1_FILE("memory.kmem.usage_in_bytes", BYTES, GAUGE, "Charged: kernel memory"),
	V1_FILE("memory.kmem.max_usage_in_bytes", BYTES, GAUGE, "Most ever charged: kernel memory"),
	V1_FILE("memory.kmem.limit_in_bytes", BYTES, LIMIT, "Limit: kernel memory"),
	V1_FILE("memory.kmem.failcnt", NUMBER, COUNTER, "Times at the limit: kernel memory"),
	V1_FILE("memory.kmem.tcp.usage_in_bytes", BYTES, GAUGE, "Charged: TCP buffers"),
	V1_FILE("memory.kmem.tcp.max_usage_in_bytes", BYTES, GAUGE, "Most ever charged: TCP buffers"),
	V1_FILE("memory.kmem.tcp.limit_in_bytes", BYTES, LIMIT, "Limit: TCP buffers"),
	V1_FILE("memory.kmem.tcp.failcnt", NUMBER, COUNTER, "Times at the limit: TCP buffers"),
	V1_FILE("memory.swappiness", NUMBER, GAUGE, "Tendency to swap, 0 to 200"),
	V1_FILE("memory.use_hierarchy", NUMBER, GAUGE, "Are descendants counted"),
	V1_KEY("memory.oom_control", "oom_kill_disable", NUMBER, GAUGE, "Is the OOM killer off"),
	V1_KEY("memory.oom_control", "under_oom", NUMBER, GAUGE, "Are tasks waiting for memory"),
	V1_KEY("memory.oom_control", "oom_kill", NUMBER, COUNTER, "Processes killed by the OOM killer"),
	V1_KEY("memory.stat", "cache", BYTES, GAUGE, "Page cache"),
	V1_KEY("memory.stat", "rss", BYTES, GAUGE, "Anonymous memory and swap cache"),
	V1_KEY("memory.stat", "rss_huge", BYTES, GAUGE, "Anonymous memory in huge pages"),
	V1_KEY("memory.stat", "mapped_file", BYTES, GAUGE, "Page cache, mapped"),
	V1_KEY("memory.stat", "dirty", BYTES, GAUGE, "Page cache not yet written"),
	V1_KEY("memory.stat", "writeback", BYTES, GAUGE, "Page cache being written"),
	V1_KEY("memory.stat", "swap", BYTES, GAUGE, "Swapped out"),
	V1_KEY("memory.stat", "pgpgin", NUMBER, COUNTER, "Pages charged"),
	V1_KEY("memory.stat", "pgpgout", NUMBER, COUNTER, "Pages uncharged"),
	V1_KEY("memory.stat", "hierarchical_memory_limit", BYTES, LIMIT, "Tightest limit up to the root"),
	V1_KEY("memory.stat", "hierarchical_memsw_limit", BYTES, LIMIT, "Tightest limit of memory and swap up to the root"),
	V1_KEY("memory.stat", "total_cache", BYTES, GAUGE,
	       "Page cache, with descendants"),
	V1_KEY("memory.stat", "total_rss", BYTES, GAUGE,
	       "Anonymous memory and swap cache, with descendants"),
	V1_KEY("memory.stat", "total_rss_huge", BYTES, GAUGE,
	       "Anonymous memory in huge pages, with descendants"),
	V1_KEY("memory.stat", "total_shmem", BYTES, GAUGE,
	       "Shared memory and tmpfs, with descendants"),
	V1_KEY("memory.stat", "total_mapped_file", BYTES, GAUGE,
	       "Page cache, mapped, with descendants"),
	V1_KEY("memory.stat", "total_dirty", BYTES, GAUGE,
	       "Page cache not yet written, with descendants"),
	V1_KEY("memory.stat", "total_writeback", BYTES, GAUGE,
	       "Page cache being written, with descendants"),
	V1_KEY("memory.stat", "total_swap", BYTES, GAUGE,
	       "Swapped out, with descendants"),
	V1_KEY("memory.stat", "total_workingset_refault_anon", NUMBER, COUNTER,
	       "Anonymous pages refaulted, with descendants"),
	V1_KEY("memory.stat", "total_workingset_refault_file", NUMBER, COUNTER,
	       "File pages refaulted, with descendants"),
	V1_KEY("memory.stat", "total_swapcached", BYTES, GAUGE,
	       "Swap cached in memory, with descendants"),
	V1_KEY("memory.stat", "total_pgpgin", NUMBER, COUNTER,
	       "Pages charged, with descendants"),
	V1_KEY("memory.stat", "total_pgpgout", NUMBER, COUNTER,
	       "Pages uncharged, with descendants"),
	V1_KEY("memory.stat", "total_pgfault", NUMBER, COUNTER,
	       "Page faults, with descendants"),
	V1_KEY("memory.stat", "total_pgmajfault", NUMBER, COUNTER,
	       "Major page faults, with descendants"),
	V1_KEY("memory.stat", "total_inactive_anon", BYTES, GAUGE,
	       "Anonymous memory, inactive, with descendants"),
	V1_KEY("memory.stat", "total_active_anon", BYTES, GAUGE,
	       "Anonymous memory, active, with descendants"),
	V1_KEY("memory.stat", "total_inactive_file", BYTES, GAUGE,
	       "Page cache, inactive, with descendants"),
	V1_KEY("memory.stat", "total_active_file", BYTES, GAUGE,
	       "Page cache, active, with descendants"),
	V1_KEY("memory.stat", "total_unevictable", BYTES, GAUGE,
	       "Memory that cannot be reclaimed, with descendants"),
	STAT("anon", BYTES, GAUGE, "NR_ANON_MAPPED", NULL,
	     "Anonymous memory, mapped"),
	STAT("file", BYTES, GAUGE, "NR_FILE_PAGES", NULL,
	     "Page cache, tmpfs and shared memory included"),
	STAT("kernel", BYTES, GAUGE, "MEMCG_KMEM", NULL,
	     "All kernel memory"),
	STAT("kernel_stack", BYTES, GAUGE, "NR_KERNEL_STACK_KB", NULL,
	     "Kernel stacks"),
	STAT("pagetables", BYTES, GAUGE, "NR_PAGETABLE", NULL,
	     "Page tables"),
	STAT("sec_pagetables", BYTES, GAUGE, "NR_SECONDARY_PAGETABLE", NULL,
	     "Page tables of KVM and IOMMU"),
	STAT("percpu", BYTES, GAUGE, "MEMCG_PERCPU_B", NULL,
	     "Per-CPU kernel memory"),
	STAT("sock", BYTES, GAUGE, "MEMCG_SOCK", NULL,
	     "Network buffers"),
	STAT("vmalloc", BYTES, GAUGE, "NR_VMALLOC", NULL,
	     "Memory from vmalloc"),
	STAT("shmem", BYTES, GAUGE, "NR_SHMEM", NULL,
	     "Shared memory and tmpfs"),
	STAT("zswap", BYTES, GAUGE, "MEMCG_ZSWAP_B", ZSWAP,
	     "Memory that zswap itself takes"),
	STAT("zswapped", BYTES, GAUGE, "MEMCG_ZSWAPPED", ZSWAP,
	     "Memory swapped out to zswap"),
	STAT("zswap_incomp", BYTES, GAUGE, "MEMCG_ZSWAP_INCOMP", ZSWAP,
	     "Incompressible memory in zswap"),
	STAT("file_mapped", BYTES, GAUGE, "NR_FILE_MAPPED", NULL,
	     "Page cache, mapped"),
	STAT("file_dirty", BYTES, GAUGE, "NR_FILE_DIRTY", NULL,
	     "Page cache not yet written"),
	STAT("file_writeback", BYTES, GAUGE, "NR_WRITEBACK", NULL,
	     "Page cache being written"),
	STAT("swapcached", BYTES, GAUGE, "NR_SWAPCACHE", NULL,
	     "Swap cached in memory"),
	STAT("anon_thp", BYTES, GAUGE, "NR_ANON_THPS", THP,
	     "Anonymous memory in huge pages"),
	STAT("file_thp", BYTES, GAUGE, "NR_FILE_THPS", THP,
	     "Page cache in huge pages"),
	STAT("shmem_thp", BYTES, GAUGE, "NR_SHMEM_THPS", THP,
	     "Shared memory in huge pages"),
	STAT("inactive_anon", BYTES, GAUGE, "NR_INACTIVE_ANON", NULL,
	     "Anonymous memory, inactive"),
	STAT("active_anon", BYTES, GAUGE, "NR_ACTIVE_ANON", NULL,
	     "Anonymous memory, active"),
	STAT("inactive_file", BYTES, GAUGE, "NR_INACTIVE_FILE", NULL,
	     "Page cache, inactive"),
	STAT("active_file", BYTES, GAUGE, "NR_ACTIVE_FILE", NULL,
	     "Page cache, active"),
	STAT("unevictable", BYTES, GAUGE, "NR_UNEVICTABLE", NULL,
	     "Memory that cannot be reclaimed"),
	STAT("slab_reclaimable", BYTES, GAUGE, "NR_SLAB_RECLAIMABLE_B", NULL,
	     "Slab that can be reclaimed"),
	STAT("slab_unreclaimable", BYTES, GAUGE, "NR_SLAB_UNRECLAIMABLE_B", NULL,
	     "Slab that cannot be reclaimed"),
	ADDED("slab", BYTES, GAUGE, STATS("slab_reclaimable") " "
	      STATS("slab_unreclaimable"), "All slab"),
	STAT("hugetlb", BYTES, GAUGE, "NR_HUGETLB", "CGRP_ROOT_MEMORY_HUGETLB_ACCOUNTING",
	     "Memory in hugetlb pages"),
	STAT("workingset_refault_anon", NUMBER, COUNTER, "WORKINGSET_REFAULT_ANON", NULL,
	     "Anonymous pages refaulted"),
	STAT("workingset_refault_file", NUMBER, COUNTER, "WORKINGSET_REFAULT_FILE", NULL,
	     "File pages refaulted"),
	STAT("workingset_activate_anon", NUMBER, COUNTER, "WORKINGSET_ACTIVATE_ANON", NULL,
	     "Refaulted anonymous pages activated at once"),
	STAT("workingset_activate_file", NUMBER, COUNTER, "WORKINGSET_ACTIVATE_FILE", NULL,
	     "Refaulted file pages activated at once"),
	STAT("workingset_restore_anon", NUMBER, COUNTER, "WORKINGSET_RESTORE_ANON", NULL,
	     "Refaulted anonymous pages of the working set"),
	STAT("workingset_restore_file", NUMBER, COUNTER, "WORKINGSET_RESTORE_FILE", NULL,
	     "Refaulted file pages of the working set"),
	STAT("workingset_nodereclaim", NUMBER, COUNTER, "WORKINGSET_NODERECLAIM", NULL,
	     "Shadow nodes reclaimed"),
	STAT("pgdemote_kswapd", PAGES, COUNTER, "PGDEMOTE_KSWAPD", NULL,
	     "Pages demoted by kswapd"),
	STAT("pgdemote_direct", PAGES, COUNTER, "PGDEMOTE_DIRECT", NULL,
	     "Pages demoted directly"),
	STAT("pgdemote_khugepaged", PAGES, COUNTER, "PGDEMOTE_KHUGEPAGED", NULL,
	     "Pages demoted by khugepaged"),
	STAT("pgdemote_proactive", PAGES, COUNTER, "PGDEMOTE_PROACTIVE", NULL,
	     "Pages demoted proactively"),
	STAT("pgsteal_kswapd", PAGES, COUNTER, "PGSTEAL_KSWAPD", NULL,
	     "Pages reclaimed by kswapd"),
	STAT("pgsteal_direct", PAGES, COUNTER, "PGSTEAL_DIRECT", NULL,
	     "Pages reclaimed directly"),
	STAT("pgsteal_khugepaged", PAGES, COUNTER, "PGSTEAL_KHUGEPAGED", NULL,
	     "Pages reclaimed by khugepaged"),
	STAT("pgsteal_proactive", PAGES, COUNTER, "PGSTEAL_PROACTIVE", NULL,
	     "Pages reclaimed proactively"),
	STAT("pgscan_kswapd", PAGES, COUNTER, "PGSCAN_KSWAPD", NULL,
	     "Pages scanned by kswapd"),
	STAT("pgscan_direct", PAGES, COUNTER, "PGSCAN_DIRECT", NULL,
	     "Pages scanned directly"),
	STAT("pgscan_khugepaged", PAGES, COUNTER, "PGSCAN_KHUGEPAGED", NULL,
	     "Pages scanned by khugepaged"),
	STAT("pgscan_proactive", PAGES, COUNTER, "PGSCAN_PROACTIVE", NULL,
	     "Pages scanned proactively"),
	STAT("pgrefill", PAGES, COUNTER, "PGREFILL", NULL,
	     "Active pages scanned"),
	STAT("pgpromote_success", PAGES, COUNTER, "PGPROMOTE_SUCCESS", NULL,
	     "Pages promoted"),
	ADDED("pgscan", PAGES, COUNTER, STATS("pgscan_kswapd") " "
	      STATS("pgscan_direct") " " STATS("pgscan_proactive") " "
	      STATS("pgscan_khugepaged"), "Pages scanned"),
	ADDED("pgsteal", PAGES, COUNTER, STATS("pgsteal_kswapd") " "
	      STATS("pgsteal_direct") " " STATS("pgsteal_proactive") " "
	      STATS("pgsteal_khugepaged"), "Pages reclaimed"),
	STAT("pswpin", PAGES, COUNTER, "PSWPIN", NULL,
	     "Pages swapped in"),
	STAT("pswpout", PAGES, COUNTER, "PSWPOUT", NULL,
	     "Pages swapped out"),
	STAT("pgfault", NUMBER, COUNTER, "PGFAULT", NULL,
	     "Page faults"),
	STAT("pgmajfault", NUMBER, COUNTER, "PGMAJFAULT", NULL,
	     "Major page faults"),
	STAT("pgactivate", PAGES, COUNTER, "PGACTIVATE", NULL,
	     "Pages activated"),
	STAT("pgdeactivate", PAGES, COUNTER, "PGDEACTIVATE", NULL,
	     "Pages deactivated"),
	STAT("pglazyfree", PAGES, COUNTER, "PGLAZYFREE", NULL,
	     "Pages to be freed under pressure"),
	STAT("pglazyfreed", PAGES, COUNTER, "PGLAZYFREED", NULL,
	     "Such pages freed"),
	STAT("swpin_zero", PAGES, COUNTER, "SWPIN_ZERO", NULL,
	     "Pages of zeroes swapped in without reading"),
	STAT("swpout_zero", PAGES, COUNTER, "SWPOUT_ZERO", NULL,
	     "Pages of zeroes swapped out without writing"),
	STAT("zswpin", PAGES, COUNTER, "ZSWPIN", NULL,
	     "Pages swapped in from zswap"),
	STAT("zswpout", PAGES, COUNTER, "ZSWPOUT", NULL,
	     "Pages swapped out to zswap"),
	STAT("zswpwb", PAGES, COUNTER, "ZSWPWB", NULL,
	     "Pages written from zswap to swap"),
	STAT("thp_fault_alloc", NUMBER, COUNTER, "THP_FAULT_ALLOC", NULL,
	     "Huge pages allocated by a fault"),
	STAT("thp_collapse_alloc", NUMBER, COUNTER, "THP_COLLAPSE_ALLOC", NULL,
	     "Huge pages allocated to collapse pages"),
	STAT("thp_swpout", NUMBER, COUNTER, "THP_SWPOUT", NULL,
	     "Huge pages swapped out whole"),
	STAT("thp_swpout_fallback", NUMBER, COUNTER, "THP_SWPOUT_FALLBACK", NULL,
	     "Huge pages split to be swapped out"),
	STAT("numa_pages_migrated", PAGES, COUNTER, "NUMA_PAGE_MIGRATE", NULL,
	     "Pages migrated by NUMA balancing"),
	STAT("numa_pte_updates", NUMBER, COUNTER, "NUMA_PTE_UPDATES", NULL,
	     "Page table entries made to fault for NUMA balancing"),
	STAT("numa_hint_faults", NUMBER, COUNTER, "NUMA_HINT_FAULTS", NULL,
	     "Such faults"),
	CGROUP("nr_descendants", "Descendant cgroups"),
	CGROUP("nr_dying_descendants",
	       "Descendants removed but still charged"),
	ENTRY("working_set", NULL, FIELD_V2, FROM_DIFFERENCE, BYTES, GAUGE,
	      "memory.current " STATS("inactive_file"), NULL,
	      "Memory charged less inactive page cache"),
	ENTRY("working_set", NULL, FIELD_V1, FROM_DIFFERENCE, BYTES, GAUGE,
	      "memory.usage_in_bytes " STATS("total_inactive_file"), NULL,
	      "Memory charged less inactive page cache"),
};

const size_t field_count = sizeof(fields) / sizeof(fields[0]);

const struct field *field_find(const char *file, const char *key,
			       size_t key_length)
{
	size_t i;

	for (i = 0; i < field_count; i++) {
		if (strcmp(fields[i].file, file))
			continue;
		if (!key && !fields[i].key)
			return &fields[i];
		if (key && fields[i].key &&
		    !strncmp(fields[i].key, key, key_length) &&
		    !fields[i].key[key_length])
			return &fields[i];
	}
	return NULL;
}

bool field_file_has_keys(const char *file)
{
	size_t i;

	for (i = 0; i < field_count; i++)
		if (!strcmp(fields[i].file, file))
			return fields[i].key;
	return false;
}

bool field_file_on_root(const char *file)
{
	return !strcmp(file, "memory.stat") || !strcmp(file, "cgroup.stat");
}

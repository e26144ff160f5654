// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The way of the published BPF reader: a cgroup iterator flushes each cgroup,
 * asks the kernel's functions for its statistics, and puts them into a hash map
 * by the cgroup's id. It is loaded by libbpf (hash.c).
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "items.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* What is needed of the kernel's types; libbpf finds the rest. */
#define OF_KERNEL __attribute__((preserve_access_index))

struct kernfs_node {
	__u64 id;
} OF_KERNEL;

struct cgroup_subsys_state {
} OF_KERNEL;

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
} OF_KERNEL;

typedef struct {
	long counter;
} atomic_long_t;

struct page_counter {
	atomic_long_t usage;
	unsigned long max;
} OF_KERNEL;

struct mem_cgroup {
	struct page_counter memory;
} OF_KERNEL;

struct bpf_iter__cgroup {
	void *meta;
	struct cgroup *cgroup;
} OF_KERNEL;

/* What is behind "___" does not count: one enum may have another's names. */
#define NODE_NAME(name) name##___node,
#define MEMCG_NAME(name) name##___memcg,
#define EVENT_NAME(name) name##___event,
#define NO_NAME(name)
enum node_stat_item {
	HASH_ITEMS(NODE_NAME, NO_NAME, NO_NAME, NODE_NAME)
};
enum memcg_stat_item {
	HASH_ITEMS(NO_NAME, MEMCG_NAME, NO_NAME, NO_NAME)
};
enum vm_event_item {
	HASH_ITEMS(NO_NAME, NO_NAME, EVENT_NAME, EVENT_NAME)
};

struct mem_cgroup *bpf_get_mem_cgroup(struct cgroup_subsys_state *css) __ksym;
void bpf_put_mem_cgroup(struct mem_cgroup *memcg) __ksym;
void bpf_mem_cgroup_flush_stats(struct mem_cgroup *memcg) __ksym;
unsigned long bpf_mem_cgroup_page_state(struct mem_cgroup *memcg, int item)
	__ksym;
unsigned long bpf_mem_cgroup_vm_events(struct mem_cgroup *memcg,
				       enum vm_event_item event) __ksym;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);		/* the loader sets it */
	__type(key, __u64);
	__type(value, struct hash_value);
} results SEC(".maps");

/* Too large for the stack. */
static struct hash_value value;

/* One item; what this kernel does not have costs nothing. */
#define ASK(function, type, enumerator, name) \
	if (bpf_core_enum_value_exists(enum type, enumerator)) \
		value.items[AT_##name] = function(memcg, \
			bpf_core_enum_value(enum type, enumerator));
#define ASK_NODE(name) \
	ASK(bpf_mem_cgroup_page_state, node_stat_item, name##___node, name)
#define ASK_MEMCG(name) \
	ASK(bpf_mem_cgroup_page_state, memcg_stat_item, name##___memcg, name)
#define ASK_EVENT(name) \
	ASK(bpf_mem_cgroup_vm_events, vm_event_item, name##___event, name)
#define ASK_MOVED(name) ASK_NODE(name) ASK_EVENT(name)

SEC("iter.s/cgroup") int read_cgroup(struct bpf_iter__cgroup *ctx)
{
	struct cgroup *cgroup = ctx->cgroup;
	struct mem_cgroup *memcg;
	__u64 id;

	if (!cgroup)
		return 0;
	memcg = bpf_get_mem_cgroup(&cgroup->self);
	if (!memcg)
		return 0;
	bpf_mem_cgroup_flush_stats(memcg);
	id = BPF_CORE_READ(cgroup, kn, id);
	value.id = id;
	value.usage = BPF_CORE_READ(memcg, memory.usage.counter);
	value.max = BPF_CORE_READ(memcg, memory.max);
	HASH_ITEMS(ASK_NODE, ASK_MEMCG, ASK_EVENT, ASK_MOVED)
	bpf_map_update_elem(&results, &id, &value, BPF_ANY);
	bpf_put_mem_cgroup(memcg);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The walk by the kernel's own functions for BPF, since 7.0. */
#include "walk.h"

struct mem_cgroup *bpf_get_mem_cgroup(struct cgroup_subsys_state *css);
void bpf_put_mem_cgroup(struct mem_cgroup *memcg);
void bpf_mem_cgroup_flush_stats(struct mem_cgroup *memcg);
unsigned long bpf_mem_cgroup_page_state(struct mem_cgroup *memcg, int item);
unsigned long bpf_mem_cgroup_vm_events(struct mem_cgroup *memcg, int item);

CONSTANT(state_count);		/* items for bpf_mem_cgroup_page_state */
CONSTANT(event_count);		/* items for bpf_mem_cgroup_vm_events */

static __attribute__((always_inline)) void
ask_kfuncs(__u64 *to, struct mem_cgroup *memcg)
{
	__u32 i;

	for (i = ZERO; i < WALK_ITEMS && i < VALUE(state_count); i++) {
		__u64 n = i;

		MAY_GOTO(events);
		OPAQUE(n);
		to[n] = bpf_mem_cgroup_page_state(memcg, walk.states[n]);
	}
events:
	to += VALUE(state_count);
	for (i = ZERO; i < WALK_ITEMS && i < VALUE(event_count); i++) {
		__u64 n = i;

		MAY_GOTO(out);
		OPAQUE(n);
		to[n] = bpf_mem_cgroup_vm_events(memcg, walk.events[n]);
	}
out:
	return;
}

static __attribute__((always_inline)) void
read_statistics(__u8 *data, char *cgroup, struct mem_cgroup *memcg)
{
	ask_kfuncs((void *)data, memcg);
	copy_chunks(data, cgroup, (void *)memcg, 0);
}

SECTION("iter.s/cgroup") int walk_cgroup(struct bpf_iter__cgroup *ctx)
{
	char *cgroup = enter(ctx);
	struct mem_cgroup *memcg;

	if (!cgroup)
		return 0;
	memcg = bpf_get_mem_cgroup((void *)(cgroup + VALUE(cgroup_self)));
	if (!memcg)		/* returning 1 would end the walk */
		return 0;
	if (!walk.flushed) {	/* one flush: it covers the subtree */
		bpf_mem_cgroup_flush_stats(memcg);
		walk.flushed = 1;
	}
	if (is_visible((char *)memcg + VALUE(memcg_css)))
		add(cgroup, memcg);
	bpf_put_mem_cgroup(memcg);
	return 0;
}

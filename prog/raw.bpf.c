// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The walk that copies the kernel's counters as they lie in memory: user space
 * picks the values out. It works on every kernel since 6.1.
 */
#include "walk.h"

/* Flushes that the running kernel may have; the loader patches out the rest. */
void cgroup_rstat_flush(struct cgroup *cgroup) __attribute__((weak));
struct mem_cgroup *bpf_get_mem_cgroup(struct cgroup_subsys_state *css)
	__attribute__((weak));
void bpf_put_mem_cgroup(struct mem_cgroup *memcg) __attribute__((weak));
void bpf_mem_cgroup_flush_stats(struct mem_cgroup *memcg)
	__attribute__((weak));

CONSTANT(flush);		/* enum raw_flush */
CONSTANT(memory_id);		/* memory_cgrp_id */

OFFSET(css_cgroup, "cgroup_subsys_state.cgroup");
OFFSET(memcg_vmstats, "mem_cgroup.vmstats");

/* One flush: it covers the subtree. */
static __attribute__((always_inline)) void flush_stats(char *cgroup)
{
	struct mem_cgroup *memcg;

	if (VALUE(flush) == FLUSH_RSTAT) {	/* 6.1 to 6.15 */
		cgroup_rstat_flush((void *)cgroup);
	} else if (VALUE(flush) == FLUSH_MEMCG) {	/* since 7.0 */
		memcg = bpf_get_mem_cgroup((void *)
					   (cgroup + VALUE(cgroup_self)));
		if (memcg) {
			bpf_mem_cgroup_flush_stats(memcg);
			bpf_put_mem_cgroup(memcg);
		}
	}
	walk.flushed = 1;
}

static __attribute__((always_inline)) void
read_statistics(__u8 *data, char *cgroup, struct mem_cgroup *memcg)
{
	probe_read(&walk.scratch.vmstats, sizeof(walk.scratch.vmstats),
		   (char *)memcg + VALUE(memcg_vmstats));
	copy_chunks(data, cgroup, (void *)memcg,
		    (void *)walk.scratch.vmstats);
}

SECTION("iter.s/cgroup") int walk_cgroup(struct bpf_iter__cgroup *ctx)
{
	char *cgroup = enter(ctx), *css;

	if (!cgroup)
		return 0;
	css = LOAD(char *, cgroup + VALUE(memory_id) * sizeof(css),
		   cgroup_subsys);
	if (!css)		/* returning 1 would end the walk */
		return 0;
	if (!walk.flushed)
		flush_stats(cgroup);
	if (is_visible(css))
		add(cgroup, (void *)(css - VALUE(memcg_css)));
	return 0;
}

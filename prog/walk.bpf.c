// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The walk: one record for each cgroup that has a memory controller, in pre-order.
 * It names no statistic: what to copy is a function that the loader writes, what
 * to ask of the kernel's own functions for BPF (kfuncs, since 7.0) lies in the map
 * (record.h).
 *
 *   raw	copies the kernel's counters as they lie in memory: user space
 *		picks the values out. It works on every kernel since 6.1.
 *   kfunc	asks kfuncs for these
 *
 * Which of them it is, is a constant: what it does not do the verifier does not
 * look at.
 *
 * `make bpf` turns each program into a header under gen/. They are loaded with
 * no BPF library: what they need to know of the running kernel are plain
 * symbols that the loader (bpf.c) resolves in the kernel's BTF:
 *
 *   OFFSET(name, "struct.member")	offset of a member, bytes; with ":"
 *					behind it, of a bit field, bits; with
 *					"?", 0 where the kernel lacks it
 *   CONSTANT(name)			a number that the reader gives
 *   a function that is only declared	a kfunc, which may be missing; with "()" in
 *					its name, one that the loader writes
 *
 * A function that is OPTIONAL("NAME") is left out, and its calls return 0, where
 * the constant NAME is 0: what the verifier goes through is most of the time of a
 * load.
 */
#include <linux/bpf.h>
#include "../gen/member.h"
#include "record.h"

#define SECTION(name) __attribute__((section(name), used))
#define OPTIONAL(name) __attribute__((noinline, section("if " name)))
#define SYMBOL(name, label) \
	extern const char name##_symbol __asm__(label) __attribute__((weak))
#define CONSTANT(name) SYMBOL(name, #name)
#define VALUE(name) ((__u64)&name##_symbol)

/*
 * A member that LOAD() reads has a number of its own that stands for its offset
 * in the instruction, which so needs no other before it.
 */
#define OFFSET(name, member) \
	SYMBOL(name, member); \
	enum { name##_number = MEMBER_FIRST + __COUNTER__ * MEMBER_STEP }; \
	static const struct member_label name##_label SECTION("members") = \
		{ name##_number, member }

/* Typed loads: the verifier checks them, and no helper is called. */
#define LOAD(type, base, offset) \
	(*(type *)((char *)(base) + offset##_number))

struct cgroup;
struct cgroup_subsys_state;
struct mem_cgroup;

struct bpf_iter__cgroup {
	void *meta;
	struct cgroup *cgroup;
};

static long (*const probe_read)(void *to, __u32 size, const void *from) =
	(void *)BPF_FUNC_probe_read_kernel;
static long (*const probe_read_str)(void *to, __u32 size, const void *from) =
	(void *)BPF_FUNC_probe_read_kernel_str;
static long (*const seq_write)(void *seq, const void *from, __u32 size) =
	(void *)BPF_FUNC_seq_write;

CONSTANT(log_size);		/* bytes in which a record may begin */
CONSTANT(data_length);		/* bytes of data in each record */
CONSTANT(subsys_count);
CONSTANT(subsys_to);		/* where their counts go in the data */
CONSTANT(depth_max);		/* deepest level below the start */
CONSTANT(css_visible);		/* CSS_VISIBLE, or 0 */
CONSTANT(memory_id);		/* memory_cgrp_id */
CONSTANT(flush);		/* enum walk_flush */
CONSTANT(by_kfunc);		/* 1: kfuncs are asked; 0: counters are copied */
CONSTANT(state_count);		/* items for bpf_mem_cgroup_page_state() */
CONSTANT(event_count);		/* items for bpf_mem_cgroup_vm_events() */

/* What the running kernel may have; the loader patches out the rest. */
void cgroup_rstat_flush(struct cgroup *cgroup);
struct mem_cgroup *bpf_get_mem_cgroup(struct cgroup_subsys_state *css);
void bpf_put_mem_cgroup(struct mem_cgroup *memcg);
void bpf_mem_cgroup_flush_stats(struct mem_cgroup *memcg);
unsigned long bpf_mem_cgroup_page_state(struct mem_cgroup *memcg, int item);
unsigned long bpf_mem_cgroup_vm_events(struct mem_cgroup *memcg, int item);

/*
 * Copies the chunks of a record: straight through, as the loader wrote it.
 */
void copy_chunks(__u8 *data, const char *cgroup, const char *memcg,
		 const char *vmstats) __asm__("copy_chunks()");

/*
 * One round of an open-ended loop, counted down by the kernel (BPF_JCOND,
 * since 6.9; patched out before). With a counter whose first value the verifier
 * does not know, ZERO, it goes through the body once or twice instead of once
 * a round.
 */
#define MAY_GOTO(end) __asm__ volatile goto("may_goto %l0" : : : : end)
#define ZERO (*(volatile __u32 *)&walk.zero)

/*
 * Hides a value from clang, that it makes no branches of arithmetic (each
 * doubles the ways that the verifier goes) and no pointer of a loop's counter
 * (which then is another one each round).
 */
#define OPAQUE(value) __asm__("" : "+r"(value))

OFFSET(meta_seq, "bpf_iter_meta.seq");
OFFSET(meta_session_id, "bpf_iter_meta.session_id");
OFFSET(cgroup_self, "cgroup.self");
OFFSET(cgroup_kn, "cgroup.kn");
OFFSET(cgroup_level, "cgroup.level");
OFFSET(cgroup_subsys, "cgroup.subsys");
OFFSET(cgroup_root, "cgroup.root");
OFFSET(memcg_css, "mem_cgroup.css");
OFFSET(memcg_vmstats, "mem_cgroup.vmstats");
OFFSET(css_flags, "cgroup_subsys_state.flags");
OFFSET(css_ss, "cgroup_subsys_state.ss");
OFFSET(css_nr_descendants, "cgroup_subsys_state.nr_descendants?");
OFFSET(kn_id, "kernfs_node.id");
OFFSET(kn_name, "kernfs_node.name");
OFFSET(root_flags, "cgroup_root.flags");
OFFSET(root_subsys_mask, "cgroup_root.subsys_mask");
OFFSET(root_cgrp, "cgroup_root.cgrp");
OFFSET(ss_dfl_cftypes, "cgroup_subsys.dfl_cftypes");
OFFSET(ss_implicit_on_dfl, "cgroup_subsys.implicit_on_dfl:");

struct walk_map walk SECTION(".bss");

/* 1 unless it is 0. */
static __attribute__((always_inline)) __u64 is_set(__u64 value)
{
	__u64 negative = -value;

	OPAQUE(negative);
	return (value | negative) >> 63;
}

/*
 * Has the cgroup the controller's files? Another controller that depends on
 * memory (io) makes it be there without them (css_visible() in the kernel).
 */
static __attribute__((always_inline)) int is_visible(const char *css)
{
	__u32 flags = LOAD(__u32, css, css_flags);

	return (flags & VALUE(css_visible)) == VALUE(css_visible);
}

static __attribute__((always_inline)) void read_css(const char *cgroup)
{
	probe_read(walk.scratch.css,
		   VALUE(subsys_count) * sizeof(walk.scratch.css[0]),
		   cgroup + VALUE(cgroup_subsys));
}

/*
 * The subsystems that cgroup.stat names, as cgroup_stat_show() tells them:
 * bound to this hierarchy (the root cgroup has their css), and not inhibited
 * (cgrp_dfl_inhibit_ss_mask, as cgroup_init() sets it). There are no branches,
 * for the verifier's sake: what is read at NULL is 0.
 */
static OPTIONAL("subsys_count") __u32 subsys_shown(char *root)
{
	__u64 shown = 0;
	__u32 enabled = LOAD(__u32, root, root_subsys_mask);
	__u32 i;

	read_css(root + VALUE(root_cgrp));
	for (i = ZERO; i < WALK_SUBSYS && i < VALUE(subsys_count); i++) {
		__u64 css, implicit, named, n = i;

		MAY_GOTO(out);
		OPAQUE(n);
		css = walk.scratch.css[n];
		probe_read(&walk.scratch.ss, sizeof(walk.scratch.ss),
			   (void *)(css + VALUE(css_ss)));
		probe_read(&walk.scratch.cftypes, sizeof(walk.scratch.cftypes),
			   (void *)(walk.scratch.ss + VALUE(ss_dfl_cftypes)));
		probe_read(&walk.scratch.implicit, 1,
			   (void *)(walk.scratch.ss +
				    VALUE(ss_implicit_on_dfl) / 8));
		implicit = walk.scratch.implicit >>
			VALUE(ss_implicit_on_dfl) % 8 & 1;
		/* css && (!(enabled & 1 << i) || implicit || cftypes) */
		named = is_set(walk.scratch.cftypes) | implicit |
			(~enabled >> i & 1);
		named &= is_set(css);
		OPAQUE(named);
		shown |= named << i;
	}
out:
	return shown;
}

/* nr_subsys_*: as cgroup_stat_show() counts, live ones and the css itself. */
static OPTIONAL("subsys_count") void
subsys_counts(__u32 *to, const char *cgroup, __u32 shown)
{
	__u32 i;

	read_css(cgroup);
	for (i = ZERO; i < WALK_SUBSYS && i < VALUE(subsys_count); i++) {
		__u64 css, mask, n = i;

		MAY_GOTO(out);
		OPAQUE(n);
		css = walk.scratch.css[n];
		mask = -(__u64)(shown >> i & 1);
		OPAQUE(mask);
		probe_read(&walk.scratch.count, sizeof(walk.scratch.count),
			   (void *)(css + VALUE(css_nr_descendants)));
		to[n] = (walk.scratch.count + is_set(css)) & mask;
	}
out:
	return;
}

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

/* Return: 0 where the cgroup is going away. */
static OPTIONAL("by_kfunc") int ask_kfuncs(__u64 *to, char *cgroup)
{
	struct mem_cgroup *memcg =
		bpf_get_mem_cgroup((void *)(cgroup + VALUE(cgroup_self)));
	__u32 i;

	if (!memcg)
		return 0;
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
	bpf_put_mem_cgroup(memcg);
	return 1;
}

/* The counters themselves lie elsewhere. Return: their address. */
static __attribute__((always_inline)) void *find_vmstats(const char *memcg)
{
	probe_read(&walk.scratch.vmstats, sizeof(walk.scratch.vmstats),
		   memcg + VALUE(memcg_vmstats));
	return (void *)walk.scratch.vmstats;
}

static __attribute__((always_inline)) void
begin(const void *meta, char *cgroup, __u64 turn)
{
	char *root = LOAD(char *, cgroup, cgroup_root);

	walk.turn = turn;
	/* tells who reads the iterator that his walk is one */
	seq_write(LOAD(void *, meta, meta_seq), &walk.zero, 1);
	walk.count = 0;
	walk.used = 0;
	walk.missed = 0;
	walk.flushed = 0;
	walk.start_level = LOAD(__u32, cgroup, cgroup_level);
	walk.hierarchy_flags = LOAD(__u32, root, root_flags);
	walk.subsys_mask = subsys_shown(root);
}

/*
 * What comes before a record: is it the walk's end, its beginning, or a cgroup
 * too deep? Return: the cgroup, or NULL where it gets no record.
 */
static __attribute__((always_inline)) char *
enter(struct bpf_iter__cgroup *ctx)
{
	__u64 turn = LOAD(__u64, ctx->meta, meta_session_id) * 2 + 1;
	char *cgroup = (char *)ctx->cgroup;

	if (!cgroup) {
		/*
		 * The walk is complete; but its lock was let go before this
		 * (cgroup_iter_seq_stop()), so that the next may have begun.
		 */
		__sync_val_compare_and_swap(&walk.turn, turn, turn - 1);
		return 0;
	}
	if (walk.turn != turn)
		begin(ctx->meta, cgroup, turn);
	if (LOAD(__u32, cgroup, cgroup_level) - walk.start_level >
	    VALUE(depth_max))
		return 0;
	return cgroup;
}

static __attribute__((always_inline)) void add(char *cgroup, char *memcg)
{
	struct record *record;
	__u64 used = walk.used;
	void *vmstats = 0;
	char *kn;
	long length;

	if (used >= VALUE(log_size)) {
		walk.missed += sizeof(*record) + VALUE(data_length) +
			WALK_NAME_MAX;
		return;
	}
	kn = LOAD(char *, cgroup, cgroup_kn);
	record = (void *)(walk.log + used);
	record->id = LOAD(__u64, kn, kn_id);
	record->level = LOAD(__u32, cgroup, cgroup_level);
	record->data_length = VALUE(data_length);
	if (!VALUE(by_kfunc))
		vmstats = find_vmstats(memcg);
	else if (!ask_kfuncs((void *)record->data, cgroup))
		return;
	copy_chunks(record->data, cgroup, memcg, vmstats);
	subsys_counts((void *)(record->data + VALUE(subsys_to)), cgroup,
		      walk.subsys_mask);
	length = probe_read_str(record->data + VALUE(data_length),
				WALK_NAME_MAX, LOAD(char *, kn, kn_name));
	if (length < 0)
		length = 0;
	record->name_length = length;
	walk.used = used + ((sizeof(*record) + VALUE(data_length) +
			     (__u64)length + 7) & ~7ULL);
	walk.count++;
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
		add(cgroup, css - VALUE(memcg_css));
	return 0;
}

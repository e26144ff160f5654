/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The memory that the BPF program and its reader share: the one value of the
 * .bss array map. The reader writes states and events, the program all else.
 */
#ifndef MEMCGSTAT_RECORD_H
#define MEMCGSTAT_RECORD_H

#include <linux/types.h>

#define WALK_CHUNKS	16	/* most pieces of memory copied for a cgroup */
#define WALK_ITEMS	128	/* most statistics asked for by a kfunc */
#define WALK_SUBSYS	32	/* the kernel's own bound, cgroup_init() */
#define WALK_CHUNK_MAX	1024	/* bytes, most that one chunk copies */
#define WALK_DATA_MAX	4096	/* bytes, most that one record holds */
#define WALK_NAME_MAX	256	/* bytes, NAME_MAX and its NUL */

/* Where the memory of a chunk begins. */
enum chunk_base {
	CHUNK_CGROUP,		/* struct cgroup */
	CHUNK_MEMCG,		/* struct mem_cgroup */
	CHUNK_VMSTATS,		/* struct memcg_vmstats */
};

/* How the walk brings the counters up to date. */
enum walk_flush {
	FLUSH_NONE,		/* the reader has one file read before the walk */
	FLUSH_RSTAT,		/* cgroup_rstat_flush() */
	FLUSH_MEMCG,		/* bpf_mem_cgroup_flush_stats() */
};

/* One piece of kernel memory, copied as it lies into each record's data. */
struct chunk {
	__u16 base;		/* enum chunk_base */
	__u16 size;		/* bytes */
	__u16 from;		/* offset in the base, bytes */
	__u16 to;		/* offset in the record's data, bytes */
};

/*
 * One cgroup: this head, `data_length` bytes of data, `name_length` bytes of
 * name with a NUL, and padding to a multiple of 8 bytes.
 */
struct record {
	__u64 id;		/* kernfs_node.id: the inode number in cgroupfs */
	__u32 level;		/* depth: in the hierarchy, 0 is its root; from
				   the file source below the first cgroup */
	__u16 data_length;
	__u16 name_length;	/* the NUL included */
	__u8 data[];
};

struct walk_map {
	__s32 states[WALK_ITEMS], events[WALK_ITEMS];	/* asked of kfuncs */

	/* The outcome. */
	__u64 turn;		/* twice the session of the iterator whose walk
				   began last, and 1 while that runs */
	__u32 count;		/* records in the log */
	__u64 used;		/* bytes in the log */
	__u64 missed;		/* bytes, at most, that did not fit */
	__u32 start_level;	/* level of the cgroup where the walk began */
	__u32 hierarchy_flags;	/* cgroup_root.flags */
	__u32 subsys_mask;	/* subsystems that cgroup.stat names */
	__u32 flushed;
	__u32 zero;		/* always */

	/*
	 * What the program has just read and needs for a moment. It has no
	 * stack: to tell what pointers to one are used for takes most of the
	 * time in which newer kernels verify (kernel/bpf/liveness.c).
	 */
	struct {
		__u64 css[WALK_SUBSYS], ss, cftypes, vmstats;
		__u32 count;
		__u8 implicit;
	} scratch;
	__u8 log[] __attribute__((aligned(8)));
};

#define PEEK_SYMBOL	32	/* bytes of a name, NUL included */
#define PEEK_MAX	8192	/* bytes */

/* What peek.bpf.c is to read, and what it found. */
struct peek {
	char symbol[PEEK_SYMBOL];	/* empty: address is given */
	__u64 address;		/* found, or 0 */
	__u32 size;		/* bytes */
	__s32 error;		/* 0 or a -errno */
	__u8 data[PEEK_MAX];
};

#endif

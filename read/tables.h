/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's own tables of its memory statistics, read from its memory: which
 * slot of struct memcg_vmstats holds an item, what memory.stat calls it, which
 * files a cgroup has. BTF has no static data, so they are found by kallsyms.
 */
#ifndef MEMCGSTAT_TABLES_H
#define MEMCGSTAT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "../bpf.h"
#include "../reason.h"

#define TABLE_ITEMS	512	/* enumerators of one enum */
#define TABLE_STATS	96	/* keys of memory.stat that are state */
#define TABLE_FILES	48
#define TABLE_NAME	32
#define SLOT_MISSING	0xff	/* the item is not counted for cgroups */

/* Two kinds of items are counted: page state, and events. */
enum item_kind { ITEM_STATE, ITEM_EVENT, ITEM_KINDS };

struct tables {
	uint32_t slot_counts[ITEM_KINDS];	/* that there are */
	uint32_t offsets[ITEM_KINDS];		/* in struct memcg_vmstats */
	uint32_t stat_count, file_count;
	uint8_t slots[ITEM_KINDS][TABLE_ITEMS];	/* by enumerator */
	/* memory_stats[] of mm/memcontrol.c */
	struct {
		char name[TABLE_NAME];
		uint32_t item;
	} stats[TABLE_STATS];
	/* memory_files[] and its kin, with the "memory." that they lack */
	char files[TABLE_FILES][TABLE_NAME];
};

/*
 * tables_read - read and check all tables
 * @walk: the program that reads them, left loaded for its next use; bpf_unload()
 *	it also after a failure
 *
 * Return: 0 or -errno with a @reason: -ENOENT where kallsyms does not know them
 * (CONFIG_KALLSYMS_ALL), -EPERM where it may not tell, -EINVAL where they are
 * not as they should be: the used slots exactly 0 to n - 1, each once.
 */
int tables_read(struct tables *tables, struct bpf_walk *walk,
		const struct btf *btf, struct reason *reason);

/*
 * tables_index - read one index table, which tells the slot of each item
 * @slots: by item; SLOT_MISSING where it has none
 * @items: in the table; @count: slots that there are, below 255
 * @raw, @width: the table, bytes of an entry
 * @base: what stands for slot 0
 *
 * Tables have had three forms: bytes that are slots, where all ones or the
 * highest positive number mean none (since 6.11), and bytes or ints that are a
 * slot plus 1, where 0 means none (before).
 *
 * Return: is this its form? The slots used are exactly 0 to count - 1, each once.
 */
bool tables_index(uint8_t *slots, uint32_t items, uint32_t count,
		  const uint8_t *raw, uint32_t width, uint32_t base);

/* The item of page state that memory.stat prints under that key, or -ENOENT. */
int64_t tables_stat_item(const struct tables *tables, const char *key);

/* Does a cgroup have that file? */
bool tables_has_file(const struct tables *tables, const char *file);

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../bpf.h"
#include "../gen/peek.h"
#include "../prog/record.h"
#include "../write/format.h"
#include "tables.h"

#define CFTYPES_MAX	24	/* entries of one array of struct cftype */

enum { VMSTATS, CFTYPE, STAT, MEMCG_STAT, VM_EVENT, QUERIES };

/* The layout of what is read, bytes but for the last line. */
struct layout {
	uint32_t cftype_size, stat_size, stat_name, stat_item;
	uint32_t state_items, event_items;	/* enumerators */
};

static int no_such(struct reason *reason, const char *what)
{
	return reason_set(reason, -ENOENT, "this kernel's memory statistics are"
			  " not laid out as known: it has no %s", what);
}

static int find_layout(struct layout *layout, struct tables *tables,
		       const struct btf *btf, struct reason *reason)
{
	struct btf_query queries[QUERIES] = {
		[VMSTATS] = { .name = "memcg_vmstats", .what = BTF_STRUCT },
		[CFTYPE] = { .name = "cftype", .what = BTF_STRUCT },
		[STAT] = { .name = "memory_stat", .what = BTF_STRUCT },
		[MEMCG_STAT] = { .name = "memcg_stat_item", .what = BTF_ENUM },
		[VM_EVENT] = { .name = "vm_event_item", .what = BTF_ENUM },
	};
	uint32_t size, name;
	int64_t states, events;
	int i;

	btf_find(btf, queries, QUERIES);
	for (i = 0; i < QUERIES; i++)
		if (!queries[i].type)
			return no_such(reason, queries[i].name);
	if (btf_member(btf, queries[VMSTATS].type, "state",
		       &tables->state_offset, &size))
		return no_such(reason, "memcg_vmstats.state");
	tables->state_count = size / 8;
	if (btf_member(btf, queries[VMSTATS].type, "events",
		       &tables->event_offset, &size))
		return no_such(reason, "memcg_vmstats.events");
	tables->event_count = size / 8;
	if (btf_enumerator(btf, queries[MEMCG_STAT].type, "MEMCG_NR_STAT",
			   &states) ||
	    btf_enumerator(btf, queries[VM_EVENT].type, "NR_VM_EVENT_ITEMS",
			   &events) ||
	    states <= 0 || states > TABLE_ITEMS || events <= 0 ||
	    events > TABLE_ITEMS || tables->state_count >= SLOT_MISSING ||
	    tables->event_count >= SLOT_MISSING)
		return no_such(reason, "MEMCG_NR_STAT or NR_VM_EVENT_ITEMS");
	layout->state_items = (uint32_t)states;
	layout->event_items = (uint32_t)events;
	if (btf_member(btf, queries[STAT].type, "name", &layout->stat_name,
		       &size) || size != 8 ||
	    btf_member(btf, queries[STAT].type, "idx", &layout->stat_item,
		       &size) || size != 4 ||
	    btf_member(btf, queries[CFTYPE].type, "name", &name, &size) ||
	    name)
		return no_such(reason, "memory_stat.idx or cftype.name");
	layout->stat_size = btf_size(queries[STAT].type);
	layout->cftype_size = btf_size(queries[CFTYPE].type);
	return 0;
}

bool tables_index(uint8_t *slots, uint32_t items, uint32_t count,
		  const uint8_t *raw, uint32_t width, uint32_t base)
{
	uint8_t used[256] = { 0 };
	uint32_t i, found = 0;

	for (i = 0; i < items; i++) {
		uint32_t value = 0;

		memcpy(&value, raw + (size_t)i * width, width);
		slots[i] = SLOT_MISSING;
		if (value < base || value - base >= count)
			continue;
		if (used[value - base])
			return false;
		used[value - base] = 1;
		slots[i] = (uint8_t)(value - base);
		found++;
	}
	return found == count;
}

/*
 * Have a piece of kernel memory copied to @peek: by the name of a symbol, or
 * where that is NULL from an address. Return: 0 or -errno, without a reason
 * where it is that the kernel does not know the symbol or the address.
 */
static int look(const struct bpf_walk *walk, const char *symbol,
		uint64_t address, size_t size, struct reason *reason)
{
	struct peek *peek = walk->value;
	int err;

	memset(peek->symbol, 0, sizeof(peek->symbol));
	if (symbol)
		memcpy(peek->symbol, symbol, strlen(symbol));
	peek->address = address;
	peek->size = (uint32_t)(size < PEEK_MAX ? size : PEEK_MAX);
	err = bpf_call(walk, reason);
	return err ? err : peek->error;
}

static int look_for(const struct bpf_walk *walk, const char *symbol,
		    size_t size, struct reason *reason)
{
	int err = look(walk, symbol, 0, size, reason);

	if (err == -EPERM)
		return reason_set(reason, err, "kallsyms does not tell this"
				  " process where %s is: it wants CAP_SYSLOG, or"
				  " kernel.kptr_restrict=0 and"
				  " kernel.perf_event_paranoid=1", symbol);
	if (err == -ENOENT)
		return reason_set(reason, err, "kallsyms does not know %s: the"
				  " kernel is built without"
				  " CONFIG_KALLSYMS_ALL", symbol);
	return err ? reason_set(reason, err, "the kernel's %s cannot be read:"
				" %s", symbol, error_text(err)) : 0;
}

static int read_slots(struct tables *tables, const struct bpf_walk *walk,
		      const struct layout *layout, struct reason *reason)
{
	static const char states[] = "mem_cgroup_stats_index";
	static const char events[] = "mem_cgroup_events_index";
	const struct peek *peek = walk->value;
	uint32_t items = layout->state_items, i;
	int err;

	if (tables->state_count == items) {
		/* before 6.11 an item is its own slot */
		for (i = 0; i < items; i++)
			tables->state_slots[i] = (uint8_t)i;
	} else {
		err = look_for(walk, states, items, reason);
		if (err)
			return err;
		if (!tables_index(tables->state_slots, items,
				tables->state_count, peek->data, 1, 0))
			return reason_set(reason, -EINVAL, "the kernel's %s is"
					  " not as known", states);
	}
	items = layout->event_items;
	err = look_for(walk, events, items * sizeof(uint32_t), reason);
	if (err)
		return err;
	if (!tables_index(tables->event_slots, items, tables->event_count,
			peek->data, 1, 0) &&
	    !tables_index(tables->event_slots, items, tables->event_count,
			peek->data, 1, 1) &&
	    !tables_index(tables->event_slots, items, tables->event_count,
			peek->data, 4, 1))
		return reason_set(reason, -EINVAL, "the kernel's %s is not as"
				  " known", events);
	return 0;
}

static bool is_key(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.");

	return length && length < TABLE_NAME && !name[length];
}

/*
 * Names are pointers in the kernel's table. The strings mostly lie together:
 * from the lowest on as many as fit are read at once.
 */
static int read_names(struct tables *tables, const struct bpf_walk *walk,
		      const uint64_t *addresses, struct reason *reason)
{
	const struct peek *peek = walk->value;
	uint64_t lowest, done = 0;
	uint32_t i;
	int err;

	for (;;) {
		lowest = UINT64_MAX;
		for (i = 0; i < tables->stat_count; i++)
			if (addresses[i] >= done && addresses[i] < lowest)
				lowest = addresses[i];
		if (lowest == UINT64_MAX)
			return 0;
		err = look(walk, NULL, lowest, PEEK_MAX, reason);
		if (err)	/* what is behind is not to be read */
			err = look(walk, NULL, lowest, TABLE_NAME, reason);
		done = lowest + (err ? 1 : peek->size - TABLE_NAME + 1);
		for (i = 0; i < tables->stat_count && !err; i++)
			if (addresses[i] >= lowest && addresses[i] < done)
				memcpy(tables->stats[i].name, peek->data +
				       (addresses[i] - lowest), TABLE_NAME);
	}
}

/* What memory.stat prints of page state, memory_stats[]. */
static int read_stats(struct tables *tables, const struct bpf_walk *walk,
		      const struct layout *layout, struct reason *reason)
{
	static const char symbol[] = "memory_stats";
	const struct peek *peek = walk->value;
	uint64_t addresses[TABLE_STATS];
	uint32_t i;
	int err = look_for(walk, symbol, TABLE_STATS * layout->stat_size,
			   reason);

	if (err)
		return err;
	for (i = 0; i < TABLE_STATS &&
	     (i + 1) * layout->stat_size <= peek->size; i++) {
		const uint8_t *at = peek->data + i * layout->stat_size;
		uint32_t item;

		memcpy(&addresses[i], at + layout->stat_name,
		       sizeof(addresses[i]));
		memcpy(&item, at + layout->stat_item, sizeof(item));
		if (item >= layout->state_items ||
		    tables->state_slots[item] == SLOT_MISSING)
			break;
		tables->stats[i].item = item;
	}
	tables->stat_count = i;
	err = read_names(tables, walk, addresses, reason);
	if (err)
		return err;
	/* what follows the table in memory is no part of it */
	for (i = 0; i < tables->stat_count && is_key(tables->stats[i].name); i++)
		;
	tables->stat_count = i;
	return i ? 0 : reason_set(reason, -EINVAL, "the kernel's %s is not as"
				  " known", symbol);
}

/* An array of struct cftype: it ends with an empty name. */
static int read_files(struct tables *tables, const struct bpf_walk *walk,
		      const struct layout *layout, const char *symbol,
		      struct reason *reason)
{
	const struct peek *peek = walk->value;
	int err = look_for(walk, symbol, CFTYPES_MAX * layout->cftype_size,
			   reason);
	uint32_t at;

	if (err)
		return err;
	for (at = 0; at + TABLE_NAME <= peek->size; at += layout->cftype_size) {
		const char *name = (const char *)peek->data + at;

		if (!*name)
			return 0;
		if (tables->file_count == TABLE_FILES)
			break;
		/* a longer one is of no field that is known */
		if (memchr(name, '\0', TABLE_NAME))
			memcpy(tables->files[tables->file_count++], name,
			       TABLE_NAME);
	}
	return reason_set(reason, -ENOSPC, "the kernel's %s is larger than"
			  " known", symbol);
}

int tables_read(struct tables *tables, struct bpf_walk *walk,
		const struct btf *btf, struct reason *reason)
{
	struct bpf_resolved resolved;
	struct layout layout;
	int err;

	memset(tables, 0, sizeof(*tables));
	memset(tables->state_slots, SLOT_MISSING, sizeof(tables->state_slots));
	memset(tables->event_slots, SLOT_MISSING, sizeof(tables->event_slots));
	err = find_layout(&layout, tables, btf, reason);
	if (!err)
		err = bpf_resolve(&resolved, &peek_object, btf, NULL, reason);
	if (!err)
		err = bpf_load(walk, &peek_object, &resolved,
			       sizeof(struct peek), NULL, 0, reason);
	if (!err)
		err = read_slots(tables, walk, &layout, reason);
	if (!err)
		err = read_stats(tables, walk, &layout, reason);
	if (!err)
		err = read_files(tables, walk, &layout, "memory_files", reason);
	/* with CONFIG_SWAP, CONFIG_ZSWAP */
	if (!err && read_files(tables, walk, &layout, "swap_files", reason) ==
	    -ENOSPC)
		err = -ENOSPC;
	if (!err && read_files(tables, walk, &layout, "zswap_files", reason) ==
	    -ENOSPC)
		err = -ENOSPC;
	return err;
}

int64_t tables_stat_item(const struct tables *tables, const char *key)
{
	uint32_t i;

	for (i = 0; i < tables->stat_count; i++)
		if (!strcmp(tables->stats[i].name, key))
			return tables->stats[i].item;
	return -ENOENT;
}

bool tables_has_file(const struct tables *tables, const char *file)
{
	static const char prefix[] = "memory.";
	uint32_t i;

	if (strncmp(file, prefix, sizeof(prefix) - 1))
		return true;	/* cgroup.stat */
	for (i = 0; i < tables->file_count; i++)
		if (!strcmp(tables->files[i], file + sizeof(prefix) - 1))
			return true;
	return false;
}

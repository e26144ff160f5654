// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../bpf.h"
#include "../gen/peek.h"
#include "../prog/record.h"
#include "../text.h"
#include "../write/format.h"
#include "tables.h"

#define CFTYPES_MAX	24	/* entries of one array of struct cftype */

enum { VMSTATS, CFTYPE, STAT, MEMCG_STAT, VM_EVENT, QUERIES };

/* What the tables are read with. */
struct reading {
	struct tables *tables;
	struct bpf_walk *walk;
	const struct btf *btf;
	struct reason *reason;
	/* the layout of what is read, bytes */
	uint32_t cftype_size, cftype_name, stat_size, stat_name, stat_item;
	uint32_t items[ITEM_KINDS];	/* enumerators */
	struct btf_query queries[QUERIES];
};

static int no_such(const struct reading *reading, const char *what,
		   const char *where)
{
	return reason_set(reading->reason, -ENOENT, "this kernel's memory"
			  " statistics are not laid out as known: it has no %s"
			  " in %s", what, where);
}

/* A member of a known size; 0: of any. Return: 0 or -errno with a reason. */
static int find_member(const struct reading *reading, int query,
		       const char *name, uint32_t *offset, uint32_t known)
{
	const struct btf_query *in = &reading->queries[query];
	uint32_t size;

	if (btf_member(reading->btf, in->type, name, offset, &size) ||
	    (known && size != known))
		return no_such(reading, name, in->name);
	return 0;
}

/* One kind of items: its array in struct memcg_vmstats, and its enumerators. */
static int find_items(struct reading *reading, enum item_kind kind,
		      const char *array, int query, const char *end)
{
	const struct btf_query *vmstats = &reading->queries[VMSTATS];
	const struct btf_query *items = &reading->queries[query];
	struct tables *tables = reading->tables;
	uint32_t size;
	int64_t count;

	if (btf_member(reading->btf, vmstats->type, array,
		       &tables->offsets[kind], &size) ||
	    size / 8 >= SLOT_MISSING)
		return no_such(reading, array, vmstats->name);
	if (btf_enumerator(reading->btf, items->type, end, &count) ||
	    count <= 0 || count > TABLE_ITEMS)
		return no_such(reading, end, items->name);
	tables->slot_counts[kind] = size / 8;
	reading->items[kind] = (uint32_t)count;
	return 0;
}

static int find_layout(struct reading *reading)
{
	static const struct btf_query wanted[QUERIES] = {
		[VMSTATS] = { .name = "memcg_vmstats", .what = BTF_STRUCT },
		[CFTYPE] = { .name = "cftype", .what = BTF_STRUCT },
		[STAT] = { .name = "memory_stat", .what = BTF_STRUCT },
		[MEMCG_STAT] = { .name = "memcg_stat_item", .what = BTF_ENUM },
		[VM_EVENT] = { .name = "vm_event_item", .what = BTF_ENUM },
	};
	struct btf_query *queries = reading->queries;
	int i, err;

	memcpy(queries, wanted, sizeof(wanted));
	btf_find(reading->btf, queries, QUERIES);
	for (i = 0; i < QUERIES; i++)
		if (!queries[i].type)
			return no_such(reading, queries[i].name, "its BTF");
	reading->stat_size = btf_size(queries[STAT].type);
	reading->cftype_size = btf_size(queries[CFTYPE].type);
	err = find_items(reading, ITEM_STATE, "state", MEMCG_STAT,
			 "MEMCG_NR_STAT");
	if (!err)
		err = find_items(reading, ITEM_EVENT, "events", VM_EVENT,
				 "NR_VM_EVENT_ITEMS");
	if (!err)
		err = find_member(reading, STAT, "name", &reading->stat_name, 8);
	if (!err)
		err = find_member(reading, STAT, "idx", &reading->stat_item, 4);
	if (!err)
		err = find_member(reading, CFTYPE, "name",
				  &reading->cftype_name, 0);
	return err;
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
 * Have a piece of kernel memory copied to the program's struct peek: by the name
 * of a symbol, or where that is "" from an address. Return: 0 or -errno, without
 * a reason where it is that the kernel does not know the symbol or the address.
 */
static int look(const struct reading *reading, const char *symbol,
		uint64_t address, uint32_t size)
{
	struct peek *peek = reading->walk->value;
	int err;

	format_text(peek->symbol, sizeof(peek->symbol), "%s", symbol);
	peek->address = address;
	peek->size = size < PEEK_MAX ? size : PEEK_MAX;
	err = bpf_call(reading->walk, reading->reason);
	return err ? err : peek->error;
}

static int look_for(const struct reading *reading, const char *symbol,
		    uint32_t size)
{
	int err = look(reading, symbol, 0, size);

	if (!err)
		return 0;
	if (err == -EPERM)
		return reason_set(reading->reason, err, "kallsyms does not tell"
				  " this process where %s is: it wants"
				  " CAP_SYSLOG, or kernel.kptr_restrict=0 and"
				  " kernel.perf_event_paranoid=1", symbol);
	if (err == -ENOENT)
		return reason_set(reading->reason, err, "kallsyms does not know"
				  " %s: the kernel is built without"
				  " CONFIG_KALLSYMS_ALL", symbol);
	return reason_set(reading->reason, err, "the kernel's %s cannot be"
			  " read: %s", symbol, error_text(err));
}

static int not_known(const struct reading *reading, const char *symbol)
{
	return reason_set(reading->reason, -EINVAL, "the kernel's %s is not as"
			  " known", symbol);
}

/* Which slot an item has, in whichever form that is told; see tables_index(). */
static int read_slots(const struct reading *reading, enum item_kind kind,
		      const char *symbol)
{
	/* bytes an entry, and what stands for slot 0 */
	static const uint8_t forms[][2] = { { 1, 0 }, { 1, 1 }, { 4, 1 } };
	const struct peek *peek = reading->walk->value;
	uint32_t items = reading->items[kind], i;
	int err = look_for(reading, symbol, items * 4);

	if (err)
		return err;
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (tables_index(reading->tables->slots[kind], items,
				 reading->tables->slot_counts[kind], peek->data,
				 forms[i][0], forms[i][1]))
			return 0;
	return not_known(reading, symbol);
}

static bool is_key(const char *name)
{
	size_t length = text_span(name, "abcdefghijklmnopqrstuvwxyz0123456789_.");

	return length && length < TABLE_NAME && !name[length];
}

/*
 * Names are pointers in the kernel's table. The strings mostly lie together:
 * from the lowest on as many as fit are read at once.
 */
static void read_names(const struct reading *reading, const uint64_t *addresses)
{
	const struct peek *peek = reading->walk->value;
	struct tables *tables = reading->tables;
	uint64_t lowest, done = 0;
	uint32_t i;
	int err;

	for (;;) {
		lowest = UINT64_MAX;
		for (i = 0; i < tables->stat_count; i++)
			if (addresses[i] >= done && addresses[i] < lowest)
				lowest = addresses[i];
		if (lowest == UINT64_MAX)
			return;
		err = look(reading, "", lowest, PEEK_MAX);
		if (err)	/* what is behind is not to be read */
			err = look(reading, "", lowest, TABLE_NAME);
		done = lowest + (err ? 1 : peek->size - TABLE_NAME + 1);
		for (i = 0; i < tables->stat_count && !err; i++)
			if (addresses[i] >= lowest && addresses[i] < done)
				memcpy(tables->stats[i].name, peek->data +
				       (addresses[i] - lowest), TABLE_NAME);
	}
}

/* What memory.stat prints of page state, memory_stats[]. */
static int read_stats(const struct reading *reading)
{
	static const char symbol[] = "memory_stats";
	const struct peek *peek = reading->walk->value;
	const uint8_t *at = peek->data;
	struct tables *tables = reading->tables;
	static uint64_t addresses[TABLE_STATS];	/* too large for a stack */
	uint32_t i, item;
	int err = look_for(reading, symbol, TABLE_STATS * reading->stat_size);

	if (err)
		return err;
	for (i = 0; i < TABLE_STATS &&
	     (i + 1) * reading->stat_size <= peek->size; i++) {
		memcpy(&addresses[i], at + reading->stat_name,
		       sizeof(addresses[i]));
		memcpy(&item, at + reading->stat_item, sizeof(item));
		if (item >= reading->items[ITEM_STATE] ||
		    tables->slots[ITEM_STATE][item] == SLOT_MISSING)
			break;
		tables->stats[i].item = item;
		at += reading->stat_size;
	}
	tables->stat_count = i;
	read_names(reading, addresses);
	/* what follows the table in memory is no part of it */
	for (i = 0; i < tables->stat_count && is_key(tables->stats[i].name); i++)
		;
	tables->stat_count = i;
	return i ? 0 : not_known(reading, symbol);
}

/* An array of struct cftype: it ends with an empty name. */
static int read_files(const struct reading *reading, const char *symbol)
{
	const struct peek *peek = reading->walk->value;
	struct tables *tables = reading->tables;
	int err = look_for(reading, symbol, CFTYPES_MAX * reading->cftype_size);
	uint32_t at;

	if (err)
		return err;
	for (at = reading->cftype_name; at + TABLE_NAME <= peek->size;
	     at += reading->cftype_size) {
		const char *name = (const char *)peek->data + at;

		if (!*name)
			return 0;
		if (tables->file_count == TABLE_FILES)
			break;
		/* a longer one is of no field that is known */
		if (text_find(name, name + TABLE_NAME, '\0') <
		    name + TABLE_NAME)
			memcpy(tables->files[tables->file_count++], name,
			       TABLE_NAME);
	}
	return reason_set(reading->reason, -ENOSPC, "the kernel's %s is larger"
			  " than known", symbol);
}

/* All tables, with the program loaded. */
static int read_all(const struct reading *reading)
{
	/* the last two with CONFIG_SWAP, CONFIG_ZSWAP */
	static const char *const files[] = {
		"memory_files", "swap_files", "zswap_files"
	};
	struct tables *tables = reading->tables;
	uint32_t i;
	int err = 0;

	if (tables->slot_counts[ITEM_STATE] == reading->items[ITEM_STATE]) {
		/* before 6.11 an item is its own slot */
		for (i = 0; i < reading->items[ITEM_STATE]; i++)
			tables->slots[ITEM_STATE][i] = (uint8_t)i;
	} else {
		err = read_slots(reading, ITEM_STATE, "mem_cgroup_stats_index");
	}
	if (!err)
		err = read_slots(reading, ITEM_EVENT, "mem_cgroup_events_index");
	if (!err)
		err = read_stats(reading);
	for (i = 0; i < 3 && !err; i++) {
		err = read_files(reading, files[i]);
		if (i && err != -ENOSPC)
			err = 0;
	}
	return err;
}

int tables_read(struct tables *tables, struct bpf_walk *walk,
		const struct btf *btf, struct reason *reason)
{
	struct reading reading = {
		.tables = tables, .walk = walk, .btf = btf, .reason = reason,
	};
	static struct bpf_resolved resolved;	/* too large for a stack */
	int err;

	memset(tables, 0, sizeof(*tables));
	memset(tables->slots, SLOT_MISSING, sizeof(tables->slots));
	err = find_layout(&reading);
	if (!err)
		err = bpf_resolve(&resolved, &peek_object, btf, NULL, reason);
	if (!err)
		err = bpf_load(walk, &peek_object, &resolved,
			       sizeof(struct peek), NULL, 0, reason);
	return err ? err : read_all(&reading);
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

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../bpf.h"
#include "../gen/peek.h"
#include "../prog/record.h"
#include "../write/format.h"
#include "tables.h"

#define CFTYPES_MAX	24	/* entries of one array of struct cftype */

/* What the first look asks for, in this order. */
enum { STATS_INDEX, EVENTS_INDEX, STATS, EVENTS, MEMORY_FILES, SWAP_FILES,
	ZSWAP_FILES, FIRST_REQUESTS };

/* mm/memcontrol.c */
static const char symbols[FIRST_REQUESTS][PEEK_SYMBOL] = {
	[STATS_INDEX] = "mem_cgroup_stats_index",
	[EVENTS_INDEX] = "mem_cgroup_events_index",
	[STATS] = "memory_stats",
	[EVENTS] = "memcg_vm_event_stat",
	[MEMORY_FILES] = "memory_files",
	[SWAP_FILES] = "swap_files",
	[ZSWAP_FILES] = "zswap_files",
};

enum { VMSTATS, CFTYPE, STAT, MEMCG_STAT, VM_EVENT, QUERIES };

/* The layout of what is read. */
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

static struct peek_request *ask(struct peek *peek, uint32_t *to,
				uint64_t address, uint32_t size, bool string)
{
	struct peek_request *request;

	if (peek->count == PEEK_REQUESTS || *to + size > PEEK_ROOM)
		return NULL;
	request = &peek->requests[peek->count++];
	memset(request, 0, sizeof(*request));
	request->address = address;
	request->size = size;
	request->to = *to;
	request->string = string;
	*to += size;
	return request;
}

/* How much of each table to read: its length is found out afterwards. */
static void ask_first(struct peek *peek, const struct layout *layout)
{
	uint32_t sizes[FIRST_REQUESTS] = {
		[STATS_INDEX] = layout->state_items,
		[EVENTS_INDEX] = layout->event_items * 4,
		[STATS] = TABLE_STATS * layout->stat_size,
		[EVENTS] = TABLE_ITEMS / 4 * 4,
		[MEMORY_FILES] = 8, [SWAP_FILES] = 8, [ZSWAP_FILES] = 8,
	};
	uint32_t to = 0;
	int i;

	peek->count = 0;
	for (i = 0; i < FIRST_REQUESTS; i++) {
		struct peek_request *request = ask(peek, &to, 0, sizes[i] >
						   PEEK_MAX ? PEEK_MAX :
						   sizes[i], false);

		memcpy(request->symbol, symbols[i], PEEK_SYMBOL);
	}
}

/*
 * The forms that an index table has had: bytes that are slots, where all ones
 * or the highest positive number mean none (since 6.11), and ints that are a
 * slot plus 1, where 0 means none (before). The form is right in which the
 * slots used are exactly 0 to count - 1, each once.
 */
static bool read_index(uint8_t *slots, uint32_t items, uint32_t count,
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

static int read_slots(struct tables *tables, const struct peek *peek,
		      const struct layout *layout, struct reason *reason)
{
	const uint8_t *states = peek->data + peek->requests[STATS_INDEX].to;
	const uint8_t *events = peek->data + peek->requests[EVENTS_INDEX].to;
	uint32_t i;

	if (!peek->requests[STATS_INDEX].error) {
		if (!read_index(tables->state_slots, layout->state_items,
				tables->state_count, states, 1, 0))
			return reason_set(reason, -EINVAL, "the kernel's %s is"
					  " not as known", symbols[STATS_INDEX]);
	} else if (tables->state_count == layout->state_items) {
		/* before 6.11 an item is its own slot */
		for (i = 0; i < layout->state_items; i++)
			tables->state_slots[i] = (uint8_t)i;
	} else {
		return reason_set(reason, peek->requests[STATS_INDEX].error,
				  "the kernel does not tell where %s is",
				  symbols[STATS_INDEX]);
	}
	if (!read_index(tables->event_slots, layout->event_items,
			tables->event_count, events, 1, 0) &&
	    !read_index(tables->event_slots, layout->event_items,
			tables->event_count, events, 1, 1) &&
	    !read_index(tables->event_slots, layout->event_items,
			tables->event_count, events, 4, 1))
		return reason_set(reason, -EINVAL, "the kernel's %s is not as"
				  " known", symbols[EVENTS_INDEX]);
	return 0;
}

static bool is_key(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.");

	return length && !name[length];
}

/* Names are pointers in the tables: a second look follows them. */
static bool ask_names(struct peek *peek, const struct layout *layout,
		      struct tables *tables)
{
	uint64_t files[3] = {
		peek->requests[MEMORY_FILES].address,
		peek->requests[SWAP_FILES].address,
		peek->requests[ZSWAP_FILES].address,
	};
	uint8_t stats[PEEK_MAX];
	uint32_t to = 0, i, n, room = TABLE_STATS * layout->stat_size;

	memcpy(stats, peek->data + peek->requests[STATS].to,
	       room < PEEK_MAX ? room : PEEK_MAX);
	peek->count = 0;
	for (i = 0; i < TABLE_STATS && (i + 1) * layout->stat_size <= PEEK_MAX;
	     i++) {
		const uint8_t *at = stats + i * layout->stat_size;
		uint64_t name;
		uint32_t item;

		memcpy(&name, at + layout->stat_name, sizeof(name));
		memcpy(&item, at + layout->stat_item, sizeof(item));
		if (item >= layout->state_items ||
		    tables->state_slots[item] == SLOT_MISSING)
			break;
		tables->stats[i].item = item;
		if (!ask(peek, &to, name, TABLE_NAME, true))
			return false;
	}
	tables->stat_count = i;
	for (n = 0; n < 3; n++)
		for (i = 0; i < CFTYPES_MAX && files[n]; i++)
			if (!ask(peek, &to, files[n] + (uint64_t)i *
				 layout->cftype_size, TABLE_NAME, true))
				return false;
	return true;
}

static void read_names(struct tables *tables, const struct peek *peek)
{
	uint32_t i;
	bool ended = false;

	for (i = 0; i < tables->stat_count; i++) {
		const char *name = (const char *)peek->data +
			peek->requests[i].to;

		if (peek->requests[i].error || !is_key(name))
			break;
		memcpy(tables->stats[i].name, name, TABLE_NAME);
	}
	/* the arrays of files: each ends with an empty name */
	for (i = tables->stat_count; i < peek->count; i++) {
		const char *name = (const char *)peek->data +
			peek->requests[i].to;

		if ((i - tables->stat_count) % CFTYPES_MAX == 0)
			ended = false;
		if (peek->requests[i].error || !*name)
			ended = true;
		if (!ended && is_key(name) &&
		    tables->file_count < TABLE_FILES)
			memcpy(tables->files[tables->file_count++], name,
			       TABLE_NAME);
	}
	/* what followed memory_stats[] in memory was no part of it */
	for (i = 0; i < tables->stat_count && tables->stats[i].name[0]; i++)
		;
	tables->stat_count = i;
}

int tables_read(struct tables *tables, const struct btf *btf,
		struct reason *reason)
{
	struct bpf_resolved resolved;
	struct bpf_walk walk = { .map = -1, .program = -1, .link = -1 };
	struct layout layout;
	struct peek *peek;
	int err;

	memset(tables, 0, sizeof(*tables));
	memset(tables->state_slots, SLOT_MISSING, sizeof(tables->state_slots));
	memset(tables->event_slots, SLOT_MISSING, sizeof(tables->event_slots));
	err = find_layout(&layout, tables, btf, reason);
	if (!err)
		err = bpf_resolve(&resolved, &peek_object, btf, NULL, reason);
	if (!err)
		err = bpf_load(&walk, &peek_object, &resolved, sizeof(*peek),
			       -1, NULL, 0, reason);
	if (err)
		goto out;
	peek = walk.value;
	ask_first(peek, &layout);
	err = bpf_call(&walk, reason);
	if (err)
		goto out;
	err = peek->requests[STATS].error;
	if (err) {
		reason_set(reason, err, err == -EPERM ? "kallsyms does not tell"
			   " this process where %s is: it wants CAP_SYSLOG, or"
			   " kernel.kptr_restrict=0 and"
			   " kernel.perf_event_paranoid=1" : "kallsyms does not"
			   " know %s: the kernel is built without"
			   " CONFIG_KALLSYMS_ALL", symbols[STATS]);
		goto out;
	}
	err = read_slots(tables, peek, &layout, reason);
	if (err)
		goto out;
	memcpy(tables->events, peek->data + peek->requests[EVENTS].to,
	       tables->event_count * sizeof(tables->events[0]));
	if (!ask_names(peek, &layout, tables)) {
		err = reason_set(reason, -ENOSPC, "the kernel's tables are"
				 " larger than known");
		goto out;
	}
	err = bpf_call(&walk, reason);
	if (!err)
		read_names(tables, peek);
out:
	bpf_unload(&walk);
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

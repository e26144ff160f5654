// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../gen/walk.h"
#include "walk.h"
#include "../write/format.h"

#define TARGET		"bpf_iter_cgroup"	/* kernel/bpf/cgroup_iter.c */
#define CAPACITY	64	/* cgroups, where nothing tells how many */
#define NAME_GUESS	48	/* bytes of name that a record is given */
#define GROW_MAX	10	/* walks after one another that did not fit */
#define CHUNK_GAP	64	/* bytes not wanted that still join a chunk */
#define HUGETLB_FLAG	"CGRP_ROOT_MEMORY_HUGETLB_ACCOUNTING"
#define WANTS_MAX	64

/* Behind the last record's begin: what the verifier must see to be there. */
#define LOG_SLACK \
	(sizeof(struct record) + WALK_DATA_MAX + WALK_CHUNK_MAX)

enum { NODE_STAT, MEMCG_STAT, VM_EVENT, MEMORY_EVENT, SUBSYS_ID,
	MEM_CGROUP, PAGE_COUNTER, CGROUP, ROOT_FLAG, QUERIES };

/* A piece of memory that one column wants. */
struct want {
	uint16_t base, from, size, column;
};

/* What a plan is made from. */
struct planner {
	struct walk_source *source;
	struct snapshot *snapshot;
	const struct btf *btf;
	struct btf_query queries[QUERIES];
	struct want wants[WANTS_MAX];
	uint16_t columns[WALK_ITEMS];	/* whose items these are */
	size_t want_count, state_count, event_count;
	int32_t events[WALK_ITEMS];
	uint16_t event_columns[WALK_ITEMS];
	uint32_t chunk_count, data_length, subsys_count, subsys_to;
};

static void find_types(struct planner *planner)
{
	static const struct btf_query queries[QUERIES] = {
		[NODE_STAT] = { .name = "node_stat_item", .what = BTF_ENUM },
		[MEMCG_STAT] = { .name = "memcg_stat_item", .what = BTF_ENUM },
		[VM_EVENT] = { .name = "vm_event_item", .what = BTF_ENUM },
		[MEMORY_EVENT] = { .name = "memcg_memory_event",
				   .what = BTF_ENUM },
		[SUBSYS_ID] = { .name = "cgroup_subsys_id", .what = BTF_ENUM },
		[MEM_CGROUP] = { .name = "mem_cgroup", .what = BTF_STRUCT },
		[PAGE_COUNTER] = { .name = "page_counter",
				   .what = BTF_STRUCT },
		[CGROUP] = { .name = "cgroup", .what = BTF_STRUCT },
		[ROOT_FLAG] = { .name = HUGETLB_FLAG, .what = BTF_ENUMERATOR },
	};

	memcpy(planner->queries, queries, sizeof(queries));
	btf_find(planner->btf, planner->queries, QUERIES);
}

static bool find_enumerator(const struct planner *planner, int query,
			    const char *name, int64_t *value)
{
	const struct btf_type *type = planner->queries[query].type;

	return type && !btf_enumerator(planner->btf, type, name, value);
}

static bool find_member(const struct planner *planner, int query,
			const char *name, uint32_t *offset, uint32_t *size)
{
	const struct btf_type *type = planner->queries[query].type;

	return type && !btf_member(planner->btf, type, name, offset, size);
}

/* Is the configuration there that a field needs? Its other traces tell. */
static bool is_configured(const struct planner *planner, enum field_needs needs)
{
	uint32_t offset, size;
	int64_t value;

	switch (needs) {
	case NEEDS_NOTHING:
		break;
	case NEEDS_ZSWAP:
		return find_member(planner, MEM_CGROUP, "zswap_max", &offset,
				   &size);
	case NEEDS_SWAP:
		return find_enumerator(planner, NODE_STAT, "NR_SWAPCACHE",
				       &value);
	case NEEDS_THP:
		return find_enumerator(planner, VM_EVENT, "THP_FAULT_ALLOC",
				       &value);
	case NEEDS_HUGETLB:
		return find_enumerator(planner, ROOT_FLAG, HUGETLB_FLAG,
				       &value);
	}
	return true;
}

static int add_column(struct planner *planner, const struct field *field,
		      const struct selection *selection, enum slot_kind kind)
{
	const char *file = field_file(field), *key = field_key(field);
	int column = snapshot_column(planner->snapshot, file, key, field,
				     selection_has(selection, file, key));
	struct slot *slot;

	if (column < 0)
		return column;
	slot = &planner->snapshot->columns[column].slot;
	slot->kind = (uint8_t)kind;
	slot->not_on_root = strcmp(file, "memory.stat") &&
		strcmp(file, "cgroup.stat");	/* CFTYPE_NOT_ON_ROOT */
	return column;
}

static int add_want(struct planner *planner, const struct field *field,
		    const struct selection *selection, enum slot_kind kind,
		    enum chunk_base base, uint32_t from, uint32_t size)
{
	int column;
	struct want *want;

	if (planner->want_count == WANTS_MAX || from + size > UINT16_MAX)
		return -ENOSPC;
	column = add_column(planner, field, selection, kind);
	if (column < 0)
		return column;
	want = &planner->wants[planner->want_count++];
	want->base = (uint16_t)base;
	want->from = (uint16_t)from;
	want->size = (uint16_t)size;
	want->column = (uint16_t)column;
	return 0;
}

/* A member of struct mem_cgroup, or of one of its page counters. */
static bool find_counter(const struct planner *planner, const char *symbol,
			 uint32_t *offset, uint32_t *size)
{
	const char *dot = strchr(symbol, '.');
	char name[32];
	uint32_t base;

	if (!dot)
		return find_member(planner, MEM_CGROUP, symbol, offset, size);
	if ((size_t)(dot - symbol) >= sizeof(name))
		return false;
	memcpy(name, symbol, (size_t)(dot - symbol));
	name[dot - symbol] = '\0';
	if (!find_member(planner, MEM_CGROUP, name, &base, size) ||
	    !find_member(planner, PAGE_COUNTER, dot + 1, offset, size))
		return false;
	*offset += base;
	return true;
}

static int plan_stat(struct planner *planner, const struct field *field,
		     const struct selection *selection)
{
	bool state = false, event = false;
	int64_t value;
	int column;

	/* pgscan and its kin moved from one enum to the other in 7.1 */
	state = find_enumerator(planner, NODE_STAT, field->symbol, &value) ||
		find_enumerator(planner, MEMCG_STAT, field->symbol, &value);
	if (!state)
		event = find_enumerator(planner, VM_EVENT, field->symbol,
					&value);
	if (!state && !event)
		return 0;
	if (planner->state_count + planner->event_count == WALK_ITEMS)
		return -ENOSPC;
	column = add_column(planner, field, selection, SLOT_VALUE);
	if (column < 0)
		return column;
	if (state) {
		planner->columns[planner->state_count] = (uint16_t)column;
		planner->source->plan.items[planner->state_count++] =
			(int32_t)value;
	} else {
		planner->event_columns[planner->event_count] =
			(uint16_t)column;
		planner->events[planner->event_count++] = (int32_t)value;
	}
	if (field->needs == NEEDS_HUGETLB &&
	    find_enumerator(planner, ROOT_FLAG, HUGETLB_FLAG, &value)) {
		planner->source->flag_column = column;
		planner->source->flag = (uint32_t)value;
	}
	return 0;
}

static int plan_field(struct planner *planner, const struct field *field,
		      const struct selection *selection)
{
	const char *array = field->from == FROM_EVENT ? "memory_events" :
		"memory_events_local";
	uint32_t offset, size;
	int64_t value;

	if (!is_configured(planner, field->needs))
		return 0;
	switch (field->from) {
	case FROM_STAT:
		return plan_stat(planner, field, selection);
	case FROM_EVENT:
	case FROM_EVENT_LOCAL:
		if (!find_enumerator(planner, MEMORY_EVENT, field->symbol,
				     &value) ||
		    !find_member(planner, MEM_CGROUP, array, &offset, &size) ||
		    value < 0 || (uint64_t)(value + 1) * 8 > size)
			return 0;
		return add_want(planner, field, selection, SLOT_VALUE,
				CHUNK_MEMCG, offset + (uint32_t)value * 8, 8);
	case FROM_PAGES:
	case FROM_LIMIT:
		if (!find_counter(planner, field->symbol, &offset, &size) ||
		    size != 8)
			return 0;
		return add_want(planner, field, selection,
				field->from == FROM_PAGES ? SLOT_PAGES :
				SLOT_LIMIT, CHUNK_MEMCG, offset, size);
	case FROM_BOOL:
		if (!find_counter(planner, field->symbol, &offset, &size) ||
		    size != 1)
			return 0;
		return add_want(planner, field, selection, SLOT_BYTE,
				CHUNK_MEMCG, offset, size);
	case FROM_CGROUP:
		if (!find_member(planner, CGROUP, field->symbol, &offset,
				 &size) || size != 4)
			return 0;
		return add_want(planner, field, selection, SLOT_INT,
				CHUNK_CGROUP, offset, size);
	}
	return 0;
}

static int compare_wants(const void *a, const void *b)
{
	const struct want *x = a, *y = b;

	if (x->base != y->base)
		return x->base - y->base;
	return x->from - y->from;
}

/* Join what lies near each other: each chunk is one call in the kernel. */
static int plan_chunks(struct planner *planner)
{
	struct chunk *chunks = planner->source->plan.chunks, *chunk = NULL;
	uint32_t to = planner->data_length;
	size_t i;

	qsort(planner->wants, planner->want_count, sizeof(planner->wants[0]),
	      compare_wants);
	for (i = 0; i < planner->want_count; i++) {
		const struct want *want = &planner->wants[i];
		uint32_t end = (uint32_t)want->from + want->size;

		if (!chunk || chunk->base != want->base ||
		    want->from > chunk->from + chunk->size + CHUNK_GAP ||
		    end - chunk->from > WALK_CHUNK_MAX) {
			if (planner->chunk_count == WALK_CHUNKS)
				return -ENOSPC;
			if (chunk)
				to += chunk->size;
			chunk = &chunks[planner->chunk_count++];
			chunk->base = want->base;
			chunk->from = want->from;
			chunk->to = (uint16_t)to;
			chunk->size = 0;
		}
		if (end - chunk->from > chunk->size)
			chunk->size = (uint16_t)(end - chunk->from);
		planner->snapshot->columns[want->column].slot.offset =
			(uint16_t)(chunk->to + want->from - chunk->from);
	}
	if (chunk)
		to += chunk->size;
	planner->data_length = (to + 3) & ~3U;
	return 0;
}

/* cgroup.stat's nr_subsys_NAME and nr_dying_subsys_NAME. */
static int plan_subsys(struct planner *planner,
		       const struct selection *selection)
{
	static const char *const prefixes[2] = {
		"nr_subsys_", "nr_dying_subsys_",
	};
	struct walk_source *source = planner->source;
	const struct btf_type *ids = planner->queries[SUBSYS_ID].type;
	static const char file[] = "cgroup.stat", suffix[] = "_cgrp_id";
	uint32_t offset, size, dying;
	int64_t count, value;
	int i, n, column;

	if (!ids || btf_enumerator(planner->btf, ids, "CGROUP_SUBSYS_COUNT",
				   &count) || count > WALK_SUBSYS ||
	    !selection_needs_file(selection, file) ||
	    !find_member(planner, CGROUP, "nr_dying_subsys", &dying, &size))
		return 0;
	for (n = 0; n < 2; n++) {
		for (i = 0; i < count; i++) {
			const char *name = btf_enumerator_at(planner->btf, ids,
							     (uint32_t)i,
							     &value);
			char *key = source->subsys_keys[n][i];
			size_t length = name ? strlen(name) : 0;

			if (length < sizeof(suffix) || value != i)
				return 0;
			length -= sizeof(suffix) - 1;
			format_text(key, sizeof(source->subsys_keys[n][i]),
				 "%s%.*s", prefixes[n], (int)length, name);
			if (!selection_has(selection, file, key))
				continue;
			column = snapshot_column(planner->snapshot, file, key,
						 NULL, true);
			if (column < 0)
				return column;
			source->subsys_columns[n][i] = column + 1;
			offset = n ? 0 : (uint32_t)i * 4;
			planner->snapshot->columns[column].slot.offset =
				(uint16_t)offset;
			if (!n)
				planner->subsys_count = (uint32_t)count;
			else if (planner->want_count == WANTS_MAX)
				return -ENOSPC;
			else
				planner->wants[planner->want_count++] =
					(struct want){ CHUNK_CGROUP, (uint16_t)
						(dying + (uint32_t)i * 4), 4,
						(uint16_t)column };
		}
	}
	return 0;
}

static int plan(struct planner *planner, const struct selection *selection)
{
	struct walk_source *source = planner->source;
	struct snapshot *snapshot = planner->snapshot;
	size_t i, states;
	int err;

	for (i = 0; i < field_count; i++) {
		if (!(fields[i].version & FIELD_V2) ||
		    !selection_needs(selection, field_file(&fields[i]),
				     field_key(&fields[i])))
			continue;
		err = plan_field(planner, &fields[i], selection);
		if (err < 0)
			return err;
	}
	states = planner->state_count;
	for (i = 0; i < planner->event_count; i++) {
		source->plan.items[states + i] = planner->events[i];
		planner->columns[states + i] = planner->event_columns[i];
	}
	for (i = 0; i < states + planner->event_count; i++)
		snapshot->columns[planner->columns[i]].slot.offset =
			(uint16_t)(i * 8);
	planner->data_length = (uint32_t)(states + planner->event_count) * 8;
	err = plan_subsys(planner, selection);
	if (!err)
		err = plan_chunks(planner);
	if (err)
		return err;
	planner->subsys_to = planner->data_length;
	if (planner->subsys_count) {
		for (i = 0; i < planner->subsys_count; i++)
			if (source->subsys_columns[0][i])
				snapshot->columns[source->subsys_columns[0][i]
					- 1].slot.offset = (uint16_t)
					(planner->subsys_to + i * 4);
		planner->data_length += planner->subsys_count * 4;
	}
	if (planner->data_length > WALK_DATA_MAX)
		return -ENOSPC;
	err = snapshot_derive(snapshot, selection, FROM_SUM, FIELD_V2);
	if (!err)
		err = snapshot_derive(snapshot, selection, FROM_DIFFERENCE,
				      FIELD_V2);
	snapshot_sort(snapshot);
	return err;
}

static void set_constants(const struct planner *planner,
			  const struct walk_options *options)
{
	struct bpf_resolved *resolved = &planner->source->resolved;
	const struct bpf_object *object = &walk_object;

	bpf_constant(resolved, object, "data_length", planner->data_length);
	bpf_constant(resolved, object, "chunk_count", planner->chunk_count);
	bpf_constant(resolved, object, "state_count", planner->state_count);
	bpf_constant(resolved, object, "event_count", planner->event_count);
	bpf_constant(resolved, object, "subsys_count", planner->subsys_count);
	bpf_constant(resolved, object, "subsys_to", planner->subsys_to);
	/* a walk that is searched sees the whole tree */
	bpf_constant(resolved, object, "depth_max",
		     options->search ? UINT32_MAX : options->depth);
}

/* Load a program whose log has room for @bytes of records. */
static int load(struct walk_source *source, const struct walk_options *options,
		uint64_t bytes, uint64_t page_size, struct reason *reason)
{
	uint64_t size = sizeof(struct walk) + bytes + LOG_SLACK;
	int err;

	size = (size + page_size - 1) & ~(page_size - 1);
	if (size > UINT32_MAX)
		return reason_set(reason, -ENOSPC, "the tree is too large for"
				  " one BPF map: use --source=file");
	bytes = size - sizeof(struct walk) - LOG_SLACK;
	bpf_constant(&source->resolved, &walk_object, "log_size", bytes);
	err = bpf_load(&source->bpf, &walk_object, &source->resolved, size,
		       options->cgroup, options->log ? source->log : NULL,
		       sizeof(source->log), reason);
	if (!err)
		((struct walk *)source->bpf.value)->plan = source->plan;
	return err;
}

int walk_open(struct walk_source *source, struct snapshot *snapshot,
	      const struct walk_options *options, struct reason *reason)
{
	uint64_t capacity = options->capacity ? options->capacity : CAPACITY;
	struct planner planner = { .source = source, .snapshot = snapshot };
	struct reason why;
	struct bpf_btf btf;
	int err;

	memset(source, 0, sizeof(*source));
	source->bpf = (struct bpf_walk){ .map = -1, .program = -1, .link = -1 };
	source->flag_column = -1;
	err = bpf_btf_open(&btf, options->btf, reason);
	if (err)
		return err;
	err = bpf_resolve(&source->resolved, &walk_object, &btf.btf, TARGET,
			  &why);
	if (err) {
		reason_set(reason, err, "%s: the kfunc source wants Linux 7.0"
			   " or later", why.text);
	} else {
		planner.btf = &btf.btf;
		find_types(&planner);
		err = plan(&planner, options->selection);
		if (err)
			reason_set(reason, err, "this kernel's statistics do"
				   " not fit in a record: %s", strerror(-err));
	}
	bpf_btf_close(&btf);
	if (err)
		return err;
	snapshot->source = "kfunc";
	snapshot->depth = options->depth;
	set_constants(&planner, options);
	source->stride = sizeof(struct record) + planner.data_length +
		NAME_GUESS;
	/* a tree may grow a little while we start */
	return load(source, options, (capacity + capacity / 8 + 8) *
		    source->stride, snapshot->page_size, reason);
}

/* Show only what this hierarchy has: known once the walk has seen it. */
static void show_columns(const struct walk_source *source,
			 struct snapshot *snapshot)
{
	const struct walk *walk = source->bpf.value;
	int n, i;

	if (source->flag_column >= 0)
		snapshot->columns[source->flag_column].slot.kind =
			walk->hierarchy_flags & source->flag ? SLOT_VALUE :
			SLOT_NONE;
	for (n = 0; n < 2; n++)
		for (i = 0; i < WALK_SUBSYS; i++)
			if (source->subsys_columns[n][i])
				snapshot->columns[source->subsys_columns[n][i]
					- 1].slot.kind =
					walk->subsys_mask & 1U << i ?
					SLOT_INT : SLOT_NONE;
}

/* Narrow a snapshot of the whole tree to the cgroup at @path. */
static int search(struct snapshot *snapshot, const char *path,
		  struct reason *reason)
{
	size_t length = strlen(path), begin, end;
	uint32_t depth = snapshot->depth, level;
	struct rows rows;
	int found;

	snapshot->path = "/";
	snapshot->depth = UINT32_MAX;
	rows_begin(&rows, snapshot);
	while ((found = rows_next(&rows)) > 0)
		if (rows.path.used == length &&
		    !memcmp(rows.path.data, path, length))
			break;
	if (found > 0) {
		level = rows.record->level;
		begin = rows.offset - record_size(rows.record);
		do {
			end = rows.offset;
		} while ((found = rows_next(&rows)) > 0 &&
			 rows.record->level > level);
		snapshot->log = (const char *)snapshot->log + begin;
		snapshot->log_used = end - begin;
		snapshot->path = path;
		found = found < 0 ? found : 1;
	}
	rows_end(&rows);
	snapshot->depth = depth;
	if (found > 0)
		return 0;
	if (found < 0)
		return reason_set(reason, found, "out of memory");
	return reason_set(reason, -ENOENT, "no cgroup %s has the memory"
			  " controller", path);
}

int walk_read(struct walk_source *source, struct snapshot *snapshot,
	      const struct walk_options *options, struct reason *reason)
{
	const struct walk *walk;
	int tries = GROW_MAX, err;
	uint64_t bytes;

	for (;;) {
		snapshot_stamp(snapshot);
		err = bpf_walk_run(&source->bpf, reason);
		if (err)
			return err;
		walk = source->bpf.value;
		if (walk->generation & 1)
			return reason_set(reason, -EIO, "the walk was cut"
					  " short");
		if (!walk->missed)
			break;
		if (!--tries)
			return reason_set(reason, -ENOSPC, "the tree grows"
					  " faster than it can be read");
		bytes = walk->used + walk->missed;
		bytes += bytes / 8;
		bpf_unload(&source->bpf);
		err = load(source, options, bytes, snapshot->page_size, reason);
		if (err)
			return err;
	}
	if (!walk->count)
		return reason_set(reason, -ENODATA, "no cgroup from %s on has"
			" the memory controller: it is off"
			" (cgroup_disable=memory), on a cgroup v1 hierarchy, or"
			" not enabled there (cgroup.subtree_control)",
			options->path);
	show_columns(source, snapshot);
	snapshot->log = walk->log;
	snapshot->log_used = walk->used;
	snapshot->path = options->path;
	return options->search ? search(snapshot, options->path, reason) : 0;
}

void walk_close(struct walk_source *source)
{
	bpf_unload(&source->bpf);
}

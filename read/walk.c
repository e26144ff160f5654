// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../fd.h"
#include "../gen/walk.h"
#include "hierarchy.h"
#include "limit.h"
#include "walk.h"

#define TARGET		"bpf_iter_cgroup"	/* kernel/bpf/cgroup_iter.c */
#define CAPACITY	64	/* cgroups, where nothing tells how many */
#define NAME_GUESS	48	/* bytes of name that a record is given */
#define GROW_MAX	10	/* walks after one another that did not fit */

/* What the object was made for, and how snapshot.c reads its records. */
#define IS_SUPPORTED \
	(sizeof(long) == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Behind the last record's begin: what the verifier must see to be there. */
#define LOG_SLACK \
	(sizeof(struct record) + WALK_DATA_MAX + WALK_CHUNK_MAX)

/* What write_copy() emits. */
_Static_assert(4 + 6 * WALK_CHUNKS + 2 <= BPF_GIVEN, "BPF_GIVEN is too small");

static void emit(struct bpf_resolved *resolved, uint8_t code, unsigned int to,
		 unsigned int from, int32_t number)
{
	resolved->given[resolved->given_count++] = (struct bpf_insn){
		.code = code, .dst_reg = to & 0xf, .src_reg = from & 0xf,
		.imm = number,
	};
}

/* Write copy_chunks() of prog/walk.bpf.c: one call of a helper for each chunk. */
static void write_copy(struct bpf_resolved *resolved,
		       const struct walk_plan *plan)
{
	const uint8_t move = BPF_ALU64 | BPF_MOV, add = BPF_ALU64 | BPF_ADD;
	/* where the arguments are kept; bases in the order of enum chunk_base */
	enum { DATA = BPF_REG_6, BASE };
	uint32_t i;

	for (i = 0; i < 4; i++)
		emit(resolved, move | BPF_X, DATA + i, BPF_REG_1 + i, 0);
	for (i = 0; i < plan->chunk_count; i++) {
		const struct chunk *chunk = &plan->chunks[i];

		emit(resolved, move | BPF_X, BPF_REG_1, DATA, 0);
		emit(resolved, add | BPF_K, BPF_REG_1, 0, chunk->to);
		emit(resolved, move | BPF_K, BPF_REG_2, 0, chunk->size);
		emit(resolved, move | BPF_X, BPF_REG_3, BASE + chunk->base, 0);
		emit(resolved, add | BPF_K, BPF_REG_3, 0, chunk->from);
		emit(resolved, BPF_JMP | BPF_CALL, 0, 0,
		     BPF_FUNC_probe_read_kernel);
	}
	emit(resolved, move | BPF_K, BPF_REG_0, 0, 0);
	emit(resolved, BPF_JMP | BPF_EXIT, 0, 0, 0);
}

static void set_constants(struct walk_source *source,
			  const struct walk_options *options)
{
	struct bpf_resolved *resolved = &source->resolved;
	const struct walk_plan *plan = &source->plan;

	bpf_constant(resolved, "data_length", plan->data_length);
	bpf_constant(resolved, "subsys_count", plan->subsys_count);
	bpf_constant(resolved, "subsys_to", plan->subsys_to);
	bpf_constant(resolved, "css_visible", plan->css_visible);
	/* a walk that is searched sees the whole tree */
	bpf_constant(resolved, "depth_max",
		     options->search ? UINT32_MAX : options->depth);
	bpf_constant(resolved, "flush", source->flush);
	bpf_constant(resolved, "memory_id", plan->memory_id);
	bpf_constant(resolved, "by_kfunc", !options->raw);
	bpf_constant(resolved, "state_count", plan->item_counts[ITEM_STATE]);
	bpf_constant(resolved, "event_count", plan->item_counts[ITEM_EVENT]);
}

/* The flush that this kernel offers to a BPF program. */
static enum walk_flush choose_flush(const struct walk_source *source)
{
	if (bpf_has_kfunc(&source->resolved, "bpf_mem_cgroup_flush_stats"))
		return FLUSH_MEMCG;
	return bpf_has_kfunc(&source->resolved, "cgroup_rstat_flush") ?
		FLUSH_RSTAT : FLUSH_NONE;
}

/* Load a program whose log has room for @bytes of records. */
static int load(struct walk_source *source, const struct walk_options *options,
		uint64_t bytes, uint64_t page_size, struct reason *reason)
{
	uint64_t size = sizeof(struct walk_map) + bytes + LOG_SLACK;
	const struct walk_plan *plan = &source->plan;
	struct walk_map *map;
	int err;

	size = (size + page_size - 1) & ~(page_size - 1);
	if (size > UINT32_MAX)
		return reason_set(reason, -ENOSPC, "no BPF map has room for so"
				  " many cgroups: use --source=file, or less"
				  " --capacity");
	bytes = size - sizeof(struct walk_map) - LOG_SLACK;
	bpf_constant(&source->resolved, "log_size", bytes);
	err = bpf_load(&source->bpf, &walk_object, &source->resolved, size,
		       options->log ? source->log : NULL, sizeof(source->log),
		       reason);
	steps_note(options->steps, "load");
	if (!err)
		err = bpf_attach(&source->bpf, options->cgroup,
				 !options->depth && !options->search, reason);
	steps_note(options->steps, "attach");
	if (err)
		return err;
	map = source->bpf.value;
	memcpy(map->states, plan->items[ITEM_STATE], sizeof(map->states));
	memcpy(map->events, plan->items[ITEM_EVENT], sizeof(map->events));
	return 0;
}

/* Has the kernel all that the kfunc source asks? */
static int check_kfuncs(const struct bpf_resolved *resolved,
			struct reason *reason)
{
	static const char *const names[] = {
		"bpf_get_mem_cgroup", "bpf_mem_cgroup_flush_stats",
		"bpf_mem_cgroup_page_state", "bpf_mem_cgroup_vm_events",
		"bpf_put_mem_cgroup",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!bpf_has_kfunc(resolved, names[i]))
			return reason_set(reason, -ENOSYS, "this kernel has no"
				" kfunc %s: they came with Linux 7.0",
				names[i]);
	return 0;
}

/* Resolve and plan: all that wants the BTF. */
static int prepare(struct walk_source *source, struct snapshot *snapshot,
		   const struct walk_options *options, const struct btf *btf,
		   struct reason *reason)
{
	int err = bpf_resolve(&source->resolved, &walk_object, btf, TARGET,
			      reason);

	if (err)
		return err;
	source->flush = choose_flush(source);
	if (options->raw) {
		err = tables_read(&source->tables, &source->peek, btf, reason);
		steps_note(options->steps, "tables");
	} else {
		err = check_kfuncs(&source->resolved, reason);
	}
	if (err)
		return err;
	err = plan_make(&source->plan, snapshot, btf,
			options->raw ? &source->tables : NULL,
			options->selection);
	return err ? reason_set(reason, err, "this kernel's statistics do not"
				" fit in a record") : 0;
}

/* How many cgroups there may be, so that the first walk fits: only a hint. */
static uint64_t guess_capacity(const struct walk_options *options)
{
	uint64_t count = options->count;

	if (options->capacity)
		count = options->capacity;
	else if (!options->depth && !options->search)
		count = 1;
	else if (!count && options->directory >= 0)
		count = hierarchy_count(options->directory);
	if (!count)
		count = CAPACITY;
	/* times a record's size it is no more than 64 bits */
	return count < UINT32_MAX ? count : UINT32_MAX;
}

int walk_open(struct walk_source *source, struct snapshot *snapshot,
	      const struct walk_options *options, struct reason *reason)
{
	uint64_t capacity, stride;
	static struct bpf_btf btf;	/* too large for a stack */
	int err;

	memset(source, 0, sizeof(*source));
	if (!IS_SUPPORTED)
		return reason_set(reason, -ENOTSUP, "the embedded BPF object is"
				  " for 64-bit little-endian machines");
	err = bpf_btf_open(&btf, options->btf, reason);
	if (err) {
		source->bad_btf = true;
		return err;
	}
	steps_note(options->steps, "BTF");
	err = prepare(source, snapshot, options, &btf.btf, reason);
	bpf_btf_close(&btf);
	steps_note(options->steps, "plan");
	if (err)
		return err;
	snapshot->source = options->raw ? "raw" : "kfunc";
	snapshot->depth = options->depth;
	set_constants(source, options);
	write_copy(&source->resolved, &source->plan);
	stride = sizeof(struct record) + source->plan.data_length +
		NAME_GUESS;
	/* a tree may grow a little while we start */
	capacity = guess_capacity(options);
	err = load(source, options, (capacity + capacity / 32 + 8) * stride,
		   snapshot->page_size, reason);
	/*
	 * Only now: the kernel lets go of 2 MiB for code with the last program
	 * there, and would have to make them anew (kernel/bpf/core.c
	 * bpf_prog_pack_free()).
	 */
	bpf_unload(&source->peek);
	return err;
}

/* Narrow a snapshot to the cgroup at @path. */
static int search(struct snapshot *snapshot, const char *path,
		  struct reason *reason)
{
	size_t length = strlen(path), begin, end;
	uint32_t depth = snapshot->depth, level;
	struct rows rows;
	int found;

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
		return reason_no_memory(reason);
	return reason_set(reason, -ENOENT, "no cgroup %s has the memory"
			  " controller", path);
}

bool walk_flush_by_file(int directory)
{
	char first;

	return directory >= 0 &&
		fd_read(directory, "memory.stat", &first, 1) == 1;
}

int walk_take(const struct walk_plan *plan, struct snapshot *snapshot,
	      const struct walk_map *walk, const char *top,
	      const struct walk_options *options, struct reason *reason)
{
	if (!walk->count)
		return reason_set(reason, -ENODATA, "no cgroup from %s on has"
			" the memory controller: cgroup_disable=memory, cgroup"
			" v1, or not in cgroup.subtree_control", top);
	plan_show(plan, snapshot, walk);
	snapshot->log = walk->log;
	snapshot->log_used = walk->used;
	snapshot->path = top;
	if (limit_fill(snapshot, options->above))
		return reason_no_memory(reason);
	return options->search ? search(snapshot, options->path, reason) : 0;
}

int walk_read(struct walk_source *source, struct snapshot *snapshot,
	      const struct walk_options *options, struct reason *reason)
{
	const struct walk_map *walk;
	int tries = GROW_MAX, err;
	uint64_t bytes;

	for (;;) {
		if (options->raw && source->flush == FLUSH_NONE)
			source->stale = !walk_flush_by_file(options->directory);
		snapshot_stamp(snapshot);
		err = bpf_walk_run(&source->bpf, reason);
		steps_note(options->steps, "walk");
		if (!err)	/* it began with no cgroup */
			return reason_set(reason, -ENOENT, "the cgroup %s is"
					  " gone", options->path);
		if (err < 0)
			return err;
		walk = source->bpf.value;
		if (walk->turn & 1)
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
	return walk_take(&source->plan, snapshot, walk,
			 options->search ? "/" : options->path, options,
			 reason);
}

void walk_close(struct walk_source *source)
{
	bpf_unload(&source->peek);
	bpf_unload(&source->bpf);
}

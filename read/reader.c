// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check.h"
#include "limit.h"
#include "reader.h"

int reader_open(struct reader *reader, const struct options *options,
		const struct selection *selection, struct reason *reason)
{
	int err = hierarchy_open(&reader->hierarchy, options->operand,
				 &reader->no_files);

	steps_note(reader->steps, "mounts");
	reader->has_files = !err;
	if (err && options->operand && err != -ENODEV && err != -EXDEV) {
		*reason = reader->no_files;
		return err;
	}
	reader->selection = selection;
	if (reader->hierarchy.version != 1)
		return 0;
	reader->selection = &reader->v1_selection;
	return selection_for_v1(&reader->v1_selection, selection, reason);
}

/* What a walk is to be, of what reader_open() found. */
static void describe_walk(struct reader *reader, const struct options *options)
{
	const struct hierarchy *hierarchy = &reader->hierarchy;
	struct walk_options *walk = &reader->walk_options;

	*walk = (struct walk_options){
		.selection = reader->selection, .btf = options->btf,
		.cgroup = -1, .directory = -1, .path = "/",
		.depth = (uint32_t)options->depth, .log = options->verbose,
		.count = reader->count, .capacity = options->capacity,
		.steps = reader->steps,
	};
	if (options->operand) {
		walk->path = hierarchy->path;
		walk->cgroup = hierarchy->fd;
		walk->search = !reader->has_files;
	}
	/* what is mounted may be another part of the tree */
	if (options->operand || !strcmp(hierarchy->path, "/"))
		walk->directory = hierarchy->fd;
}

/* Return: 0, or -errno with a @reason why no walk can help. */
static int check_walk_helps(const struct reader *reader, bool by_tables,
			    struct reason *reason)
{
	const struct selected *unknown = selection_unknown(reader->selection);

	if (unknown && !by_tables)	/* the kernel's own were not read */
		return reason_set(reason, -ENOENT, "%s.%s is newer than this"
				  " version, or no field: only files can tell",
				  unknown->file, unknown->key);
	if (reader->hierarchy.version == 1)
		return reason_set(reason, -ENODEV, "the memory controller is on"
				  " cgroup v1 here: only its files tell");
	return 0;
}

static int open_walk(struct reader *reader, struct reason *reason)
{
	int err;

	reader->walk_options.raw = reader->source == SOURCE_RAW;
	err = check_walk_helps(reader, reader->walk_options.raw, reason);
	return err ? err : walk_open(&reader->walk, &reader->snapshot,
				     &reader->walk_options, reason);
}

static int open_pin(struct reader *reader, const struct options *options,
		    struct reason *reason)
{
	const char *directory = options->pinned ? options->pinned : PIN_DEFAULT;
	struct walk_options *walk = &reader->walk_options;
	/* a person who names the pin alone means all that it has */
	bool whole = !options->operand && options->source == SOURCE_PINNED;
	int err = check_walk_helps(reader, true, reason);

	if (!err)
		err = pin_open(&reader->pin, directory, &reader->snapshot,
			       reader->selection, reason);
	steps_note(reader->steps, "pin");
	if (err)
		return err;
	if (whole)
		walk->path = pin_top(&reader->pin);
	return pin_has(&reader->pin, walk->path, walk->depth, !whole, reason);
}

static int open_files(struct reader *reader, const struct options *options,
		      struct reason *reason)
{
	if (!reader->has_files) {
		*reason = reader->no_files;
		return -ENODEV;
	}
	files_open(&reader->files, &reader->snapshot, &reader->hierarchy,
		   reader->selection, (uint32_t)options->depth,
		   reader->above);
	return 0;
}

/* The limits above, which each source is to know. */
static void note_above(struct reader *reader)
{
	reader->above = limit_above(&reader->hierarchy, reader->selection,
				    &reader->no_limit);
	reader->files.above = reader->walk_options.above = reader->above;
}

/* One picture by the source that is open. */
static int take(struct reader *reader, struct reason *reason)
{
	struct snapshot *snapshot = &reader->snapshot;
	const struct walk_options *walk = &reader->walk_options;
	int err;

	if (reader->source == SOURCE_FILE) {
		err = files_read(&reader->files, reason);
		steps_note(reader->steps, "files");
	} else if (reader->source == SOURCE_PINNED) {
		err = pin_read(&reader->pin, snapshot, walk, reason);
		steps_note(reader->steps, "walk");
	} else {
		err = walk_read(&reader->walk, snapshot, walk, reason);
	}
	return err;
}

/* A picture was taken, or not; that limits could not be read is part of it. */
static int finish(struct reader *reader, int err, struct reason *reason)
{
	/* where a person named a cgroup, it may only be that it was removed */
	if (err && reader->source != SOURCE_FILE &&
	    reader->walk_options.cgroup >= 0 &&
	    hierarchy_is_gone(&reader->hierarchy))
		return reason_set(reason, -ENOENT, "the cgroup %s is gone",
				  reader->hierarchy.path);
	/* a pin's walk has seen them by itself */
	if (!err && reader->above == VALUE_ABSENT &&
	    reader->source != SOURCE_PINNED &&
	    !reader->snapshot.unreadable++)
		*reason = reader->no_limit;
	return err;
}

int reader_read(struct reader *reader, enum source source,
		const struct options *options, struct reason *reason)
{
	int err;

	walk_close(&reader->walk);
	files_close(&reader->files);
	pin_close(&reader->pin);
	if (reader->source != SOURCE_AUTO)	/* else it is: spare its pages */
		memset(&reader->snapshot, 0, sizeof(reader->snapshot));
	reader->snapshot.page_size = (uint64_t)getpagesize();
	reader->source = source;
	describe_walk(reader, options);
	note_above(reader);
	err = source == SOURCE_FILE ? open_files(reader, options, reason) :
		source == SOURCE_PINNED ? open_pin(reader, options, reason) :
		open_walk(reader, reason);
	if (!err)
		err = take(reader, reason);
	if (!err && source != SOURCE_FILE && source != SOURCE_PINNED) {
		err = check_walk(&reader->walk, &reader->snapshot,
				 &reader->walk_options, reason);
		steps_note(reader->steps, "check");
	}
	return finish(reader, err, reason);
}

int reader_repeat(struct reader *reader, struct reason *reason)
{
	note_above(reader);
	reader->snapshot.unreadable = 0;
	return finish(reader, take(reader, reason), reason);
}

void reader_close(struct reader *reader)
{
	walk_close(&reader->walk);
	files_close(&reader->files);
	pin_close(&reader->pin);
	hierarchy_close(&reader->hierarchy);
	selection_free(&reader->v1_selection);
}

/*
 * What the files of a tree cost, in units of one small file: opening and reading
 * one is a unit, going through one directory another, and memory.stat, which
 * the kernel has to make, takes eleven.
 */
static uint64_t cost_of_files(struct reader *reader,
			      const struct options *options)
{
	static const char dear[] = "memory.stat";
	const char *last = "";
	uint64_t units = 1;
	size_t i;

	for (i = 0; i < field_count; i++) {
		const char *file = field_file(&fields[i]);

		if (!(fields[i].version & FIELD_V2) || !strcmp(file, last) ||
		    !selection_needs_file(reader->selection, file))
			continue;
		units += strcmp(file, dear) ? 1 : 11;
		last = file;
	}
	if (!options->depth)
		return units;
	reader->count = hierarchy_count(reader->hierarchy.fd);
	return units * reader->count;
}

/*
 * What auto tries first: what is done soonest, from start to end. A walk costs
 * next to nothing a cgroup, but before it stands a load. Counted instructions on
 * 7.3, times 4 ns, for 1, 111 and 1,111 cgroups:
 *
 *	all fields	raw 92, 103, 178 ms	files 11, 176, 1656 ms
 *	anon		raw 64,  65,  73 ms	files 12,  70,  599 ms
 *	memory.current	raw 56,  57,  66 ms	files  4,  14,  100 ms
 *
 * So both are even where the files cost 1,500 units (40 cgroups with all fields,
 * 125 with one of memory.stat). kfunc starts 4 ms sooner than raw, and walks at
 * a third of its pace; it comes first where there are no files, since raw has
 * to be compared with it there.
 */
#define LOAD_COST	1500

/*
 * Before 7.0 the kernel's type information is not sorted, and mostly has to be
 * copied. With all fields 70 cgroups are even on 6.1, 150 on 6.12.
 */
#define LOAD_COST_6	3500

static uint64_t cost_of_load(void)
{
	struct utsname kernel;

	uname(&kernel);
	return kernel.release[0] < '7' && kernel.release[1] == '.' ?
		LOAD_COST_6 : LOAD_COST;
}

const enum source *reader_order(struct reader *reader,
				const struct options *options, size_t *count)
{
	/* a pin costs no load: it is first, where there is one */
	static const enum source large[] = {
		SOURCE_PINNED, SOURCE_RAW, SOURCE_KFUNC, SOURCE_FILE
	}, small[] = {
		SOURCE_PINNED, SOURCE_FILE, SOURCE_RAW, SOURCE_KFUNC
	}, no_files[] = {
		SOURCE_PINNED, SOURCE_KFUNC, SOURCE_RAW, SOURCE_FILE
	};
	const enum source *order = large;
	uint64_t cost;

	if (!reader->has_files) {
		order = no_files;
	/* someone wants the BTF read; or samples without end */
	} else if (!options->btf &&
		   !(options->repeat && options->count == UINT64_MAX)) {
		cost = cost_of_files(reader, options);
		if (options->count != UINT64_MAX)
			cost *= options->count < LOAD_COST_6 ? options->count :
				LOAD_COST_6;
		if (cost && cost < cost_of_load())
			order = small;
	}
	*count = SOURCES;
	if (options->btf || !pin_is_there(PIN_DEFAULT)) {
		order++;
		--*count;
	}
	return order;
}

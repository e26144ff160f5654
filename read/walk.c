// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../fd.h"
#include "../gen/walk.h"
#include "parse.h"
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

static void set_constants(struct bpf_resolved *resolved,
			  const struct walk_plan *plan,
			  const struct walk_options *options)
{
	const struct bpf_object *object = &walk_object;

	bpf_constant(resolved, object, "data_length", plan->data_length);
	bpf_constant(resolved, object, "chunk_count", plan->chunk_count);
	bpf_constant(resolved, object, "state_count", plan->state_count);
	bpf_constant(resolved, object, "event_count", plan->event_count);
	bpf_constant(resolved, object, "subsys_count", plan->subsys_count);
	bpf_constant(resolved, object, "subsys_to", plan->subsys_to);
	bpf_constant(resolved, object, "css_visible", plan->css_visible);
	/* a walk that is searched sees the whole tree */
	bpf_constant(resolved, object, "depth_max",
		     options->search ? UINT32_MAX : options->depth);
}

/* Load a program whose log has room for @bytes of records. */
static int load(struct walk_source *source, const struct walk_options *options,
		uint64_t bytes, uint64_t page_size, struct reason *reason)
{
	uint64_t size = sizeof(struct walk_map) + bytes + LOG_SLACK;
	int err;

	size = (size + page_size - 1) & ~(page_size - 1);
	if (size > UINT32_MAX)
		return reason_set(reason, -ENOSPC, "the tree is too large for"
				  " one BPF map: use --source=file");
	bytes = size - sizeof(struct walk_map) - LOG_SLACK;
	bpf_constant(&source->resolved, &walk_object, "log_size", bytes);
	err = bpf_load(&source->bpf, &walk_object, &source->resolved, size,
		       options->cgroup, options->log ? source->log : NULL,
		       sizeof(source->log), reason);
	if (!err)
		((struct walk_map *)source->bpf.value)->plan = source->plan.shared;
	return err;
}

/* How many cgroups there may be, so that the first walk fits: only a hint. */
static uint64_t guess_capacity(const struct walk_options *options)
{
	char text[64];
	const char *at = text, *key;
	size_t length;
	uint64_t value;
	ssize_t got;
	int fd;

	if (!options->depth && !options->search)
		return 1;
	fd = fd_high(options->cgroup < 0 ?
		     open("/sys/fs/cgroup/cgroup.stat", O_RDONLY | O_CLOEXEC) :
		     openat(options->cgroup, "cgroup.stat",
			    O_RDONLY | O_CLOEXEC));
	if (fd < 0)
		return CAPACITY;
	got = read(fd, text, sizeof(text));
	close(fd);
	if (got <= 0 || parse_line(&at, text + got, &key, &length, &value) ||
	    length != strlen("nr_descendants") ||
	    memcmp(key, "nr_descendants", length) || value >= UINT32_MAX)
		return CAPACITY;
	return value + 1;
}

int walk_open(struct walk_source *source, struct snapshot *snapshot,
	      const struct walk_options *options, struct reason *reason)
{
	uint64_t capacity, stride;
	struct reason why;
	struct bpf_btf btf;
	int err;

	memset(source, 0, sizeof(*source));
	source->bpf = (struct bpf_walk){ .map = -1, .program = -1, .link = -1 };
	if (!IS_SUPPORTED)
		return reason_set(reason, -ENOTSUP, "the embedded BPF object is"
				  " for 64-bit little-endian machines");
	err = bpf_btf_open(&btf, options->btf, reason);
	if (err) {
		source->bad_btf = true;
		return err;
	}
	err = bpf_resolve(&source->resolved, &walk_object, &btf.btf, TARGET,
			  &why);
	if (err) {
		reason_set(reason, err, "%s%s", why.text, err == -ENOSYS ?
			   ": the kfunc source wants Linux 7.0 or later" : "");
	} else {
		err = plan_make(&source->plan, snapshot, &btf.btf,
				options->selection);
		if (err)
			reason_set(reason, err, "this kernel's statistics do"
				   " not fit in a record");
	}
	bpf_btf_close(&btf);
	if (err)
		return err;
	snapshot->source = "kfunc";
	snapshot->depth = options->depth;
	set_constants(&source->resolved, &source->plan, options);
	stride = sizeof(struct record) + source->plan.data_length +
		NAME_GUESS;
	/* a tree may grow a little while we start */
	capacity = guess_capacity(options);
	return load(source, options, (capacity + capacity / 32 + 8) *
		    stride, snapshot->page_size, reason);
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
	const struct walk_map *walk;
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
	plan_show(&source->plan, snapshot, walk);
	snapshot->log = walk->log;
	snapshot->log_used = walk->used;
	snapshot->path = options->path;
	return options->search ? search(snapshot, options->path, reason) : 0;
}

void walk_close(struct walk_source *source)
{
	bpf_unload(&source->bpf);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fd.h"
#include "../write/format.h"
#include "pin_plan.h"

#define COPY_TRIES	10000	/* of a map that other readers write to */

const char *const pin_files[PIN_FILES] = { "link", "map", "plan" };

int pin_file(char *to, const char *directory, enum pin_file file,
	     struct reason *reason)
{
	if (format_text(to, PIN_FILE, "%s/%s", directory, pin_files[file]) >=
	    PIN_FILE)
		return reason_set(reason, -ENAMETOOLONG, "%s: too long for a"
				  " pin's name", directory);
	return 0;
}

bool pin_is_there(const char *directory)
{
	struct stat stat;
	char path[PIN_FILE];
	struct reason ignored;

	return !pin_file(path, directory, PIN_LINK, &ignored) &&
		!lstat(path, &stat) &&
		(!stat.st_uid || stat.st_uid == geteuid());
}

/* Open one of a pin's maps. Return: a descriptor, or -errno with a @reason. */
static int get_map(const char *directory, enum pin_file file, size_t *size,
		   struct reason *reason)
{
	char path[PIN_FILE];
	int map = pin_file(path, directory, file, reason);

	if (map)
		return map;
	map = bpf_map_get(path, size);
	if (map >= 0)
		return map;
	if (map == -ENOENT)
		return reason_set(reason, map, "%s is no pin: there is no %s"
				  " (memcgstat --pin %s makes one)", directory,
				  path, directory);
	if (map == -EACCES || map == -EPERM)
		return reason_set(reason, map, "%s may not be read: %s (--pin"
				  " with --mode and --group tells who may)",
				  path, error_text(map));
	return reason_set(reason, map, "%s is no pin of this program: %s", path,
			  error_text(map));
}

/* Do the columns exist that plan_show() is to show or not? */
static bool plan_fits(const struct pin_head *head)
{
	const struct walk_plan *plan = &head->plan;
	const int *columns = plan->subsys_columns[0];
	int count = (int)head->column_count, i;

	for (i = 0; i < 2 * WALK_SUBSYS; i++)
		if (columns[i] < 0 || columns[i] > count)
			return false;
	return plan->flag_column < count;
}

/* Is a plan one that this program made? */
static int check_plan(const struct pin *pin, const char *directory,
		      struct reason *reason)
{
	const struct pin_head *head = pin->plan;

	if (pin->plan_size >= sizeof(*head) &&
	    !memcmp(head->version, VERSION, sizeof(VERSION)) &&
	    head->layout == pin_layout() && head->size == pin->plan_size &&
	    head->column_count <= COLUMNS_MAX && plan_fits(head) &&
	    head->texts == sizeof(*head) + head->column_count *
			   sizeof(struct pin_column) &&
	    head->texts < head->size && head->top < head->size - head->texts &&
	    !((const char *)head)[head->size - 1] &&
	    pin->size > sizeof(struct walk_map))
		return 0;
	return reason_set(reason, -EBADF, "%s was pinned by another version of"
			  " memcgstat: memcgstat --unpin %s, then --pin it"
			  " anew", directory, directory);
}

static const char *text_at(const struct pin_head *head, uint32_t at)
{
	return at < head->size - head->texts ?
		(const char *)head + head->texts + at : "";
}

static int take_columns(const struct pin_head *head, struct snapshot *snapshot,
			const struct selection *selection)
{
	const struct pin_column *pinned = (const void *)(head + 1);
	uint32_t i;

	for (i = 0; i < head->column_count; i++, pinned++) {
		int part;
		const struct field *field = pinned->field < field_count ?
			&fields[pinned->field] : NULL;
		const char *file = field ? field_file(field) :
			text_at(head, pinned->file);
		const char *key = field ? field_key(field) : pinned->key ?
			text_at(head, pinned->key) : NULL;
		int column = snapshot_column(snapshot, file, key, field,
					     selection_has(selection, file,
							   key));

		if (column < 0)
			return column;
		snapshot->columns[column].slot = pinned->slot;
		for (part = 0; part < PARTS_MAX; part++)
			if (pinned->slot.parts[part] > i)
				return -EBADF;
		if (pinned->slot.kind >= SLOT_KINDS ||
		    pinned->slot.offset > head->plan.data_length)
			return -EBADF;
	}
	snapshot_sort(snapshot);
	return 0;
}

/* Is all there that is asked for? What a pin of all lacks the kernel lacks. */
static int check_selection(const struct pin_head *head,
			   const struct snapshot *snapshot,
			   const struct selection *selection,
			   const char *directory, struct reason *reason)
{
	size_t i;

	for (i = 0; i < selection->count && !head->all; i++) {
		const struct selected *item = &selection->items[i];
		size_t n, length = item->key ? strlen(item->key) : 0;

		if (snapshot_find(snapshot, item->file, item->key, length) >= 0)
			continue;
		/* a file of many keys: one of these tells */
		for (n = 0; n < snapshot->column_count && !item->key; n++)
			if (!strcmp(snapshot->columns[n].file, item->file))
				break;
		if (item->key || n == snapshot->column_count)
			return reason_set(reason, -ENODATA, "%s was pinned"
					  " without %s%s%s: --pin it with these"
					  " --fields", directory, item->file,
					  item->key ? "." : "",
					  item->key ? item->key : "");
	}
	if (selection->all && !head->all)
		return reason_set(reason, -ENODATA, "%s was not pinned with"
				  " all fields: name some by --fields",
				  directory);
	return 0;
}

int pin_open(struct pin *pin, const char *directory, struct snapshot *snapshot,
	     const struct selection *selection, struct reason *reason)
{
	const struct pin_head *head;
	void *plan;
	int map, err;

	memset(pin, 0, sizeof(*pin));
	err = pin_file(pin->link, directory, PIN_LINK, reason);
	if (err)
		return err;
	map = get_map(directory, PIN_PLAN, &pin->plan_size, reason);
	if (map < 0)
		return map;
	pin->plan = plan = buffer_reserve(&pin->plan_data, pin->plan_size);
	err = plan ? bpf_map_copy(map, plan) : -ENOMEM;
	close(map);
	if (err)
		return reason_set(reason, err, "%s/%s: %s", directory,
				  pin_files[PIN_PLAN],
				  error_text(err));
	pin->map = get_map(directory, PIN_MAP, &pin->size, reason);
	if (pin->map < 0)
		return pin->map;
	err = check_plan(pin, directory, reason);
	if (err)
		return err;
	head = pin->plan;
	snapshot->source = "pinned";
	snapshot->depth = head->depth;
	err = take_columns(head, snapshot, selection);
	if (err)
		return reason_set(reason, err, "%s has too many fields",
				  directory);
	return check_selection(head, snapshot, selection, directory, reason);
}

/*
 * Copy what the last walk found, whole: a copy is, if no walk had begun until it
 * was made, as the generation of the next tells.
 */
static int copy_map(struct pin *pin, const struct walk_map **walk,
		    struct reason *reason)
{
	struct walk_map *now, *before = NULL;
	int tries, err;

	for (tries = 0; tries < COPY_TRIES; tries++) {
		now = buffer_reserve(&pin->copies[tries % 2], pin->size +
				     WALK_DATA_MAX);
		err = now ? bpf_map_copy(pin->map, now) : -ENOMEM;
		if (err)
			return reason_set(reason, err, "reading the pin's map:"
					  " %s", error_text(err));
		if (before && before->generation == now->generation &&
		    !(now->generation & 1)) {
			*walk = before;
			return 0;
		}
		before = now;
	}
	return reason_set(reason, -EBUSY, "other readers of this pin left no"
			  " moment to copy what a walk found");
}

/* Is each record as long as the plan says, and in the map? */
static bool is_whole(const struct pin *pin, const struct walk_map *walk)
{
	const struct pin_head *head = pin->plan;
	uint64_t at = 0;

	if (walk->used > pin->size - sizeof(*walk) ||
	    head->plan.data_length > WALK_DATA_MAX)
		return false;
	while (at + sizeof(struct record) <= walk->used) {
		const struct record *record = (const void *)(walk->log + at);

		if (record->data_length != head->plan.data_length)
			return false;
		at += record_size(record);
	}
	return at == walk->used;
}

/* Does a person name another cgroup than the pin's topmost? */
static bool names_other(const char *top, const char *path)
{
	return strcmp(path, "/") && strcmp(path, top);
}

int pin_read(struct pin *pin, struct snapshot *snapshot,
	     const struct walk_options *walk, struct reason *reason)
{
	const struct pin_head *head = pin->plan;
	const char *top = text_at(head, head->top);
	struct walk_options options = *walk;
	const struct walk_map *found = NULL;
	bool can_vanish = strcmp(top, "/");
	uint32_t generation = 0;
	int iterator, err;

	if (head->depth != UINT32_MAX && (walk->depth > head->depth ||
					  names_other(top, walk->path)))
		return reason_set(reason, -ENODATA, "this pin has no more than"
				  " %u levels below %s: --pin it without --depth",
				  head->depth, top);
	if (can_vanish) {
		err = copy_map(pin, &found, reason);
		if (err)
			return err;
		generation = found->generation;
	}
	if (head->raw && head->flush == FLUSH_NONE)
		pin->stale = !walk_flush_by_file(walk->directory);
	snapshot_stamp(snapshot);
	iterator = fd_high(open(pin->link, O_RDONLY | O_CLOEXEC));
	if (iterator < 0)
		return reason_set(reason, iterator, "%s: %s", pin->link,
				  error_text(iterator));
	err = bpf_walk_by(iterator, reason);
	if (!err)
		err = copy_map(pin, &found, reason);
	if (err)
		return err;
	/* the walk saw nothing: what is there is another's, of long ago */
	if (can_vanish && found->generation == generation)
		return reason_set(reason, -ENOENT, "the cgroup %s, which the pin"
				  " begins with, is gone: --unpin it", top);
	if (found->missed)
		return reason_set(reason, -EOVERFLOW, "the tree has outgrown"
				  " the pin, which has room for %u of its cgroups"
				  ": --unpin it, and --pin it with a larger"
				  " --capacity", found->count);
	if (!is_whole(pin, found))
		return reason_set(reason, -EBADF, "the pin's map is not what"
				  " its plan says");
	snapshot->depth = walk->depth;
	options.search = names_other(top, walk->path);
	if (can_vanish)		/* what is above such a pin nobody tells */
		options.above = VALUE_ABSENT;
	else if (options.search)
		options.above = VALUE_NO_LIMIT;
	return walk_take(&head->plan, snapshot, found, top, &options, reason);
}

void pin_close(struct pin *pin)
{
	if (pin->map > 0)
		close(pin->map);
	pin->map = 0;
	buffer_free(&pin->plan_data);
	buffer_free(&pin->copies[0]);
	buffer_free(&pin->copies[1]);
}

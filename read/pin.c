// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../clock.h"
#include "../fd.h"
#include "../write/format.h"
#include "pin_plan.h"

#define COPY_SECONDS	10	/* for a copy of a map that others write to */

#ifndef MADV_POPULATE_WRITE	/* since 5.14 */
#define MADV_POPULATE_WRITE	23
#endif

const char *const pin_files[PIN_FILES] = { "link", "map", "plan" };

void pin_file(char *to, const char *directory, enum pin_file file)
{
	format_text(to, PIN_FILE, "%s/%s", directory, pin_files[file]);
}

bool pin_is_there(const char *directory)
{
	struct stat stat;

	/* what is in there nobody else made */
	return !fd_stat(AT_FDCWD, directory, &stat, AT_SYMLINK_NOFOLLOW) &&
		S_ISDIR(stat.st_mode) && !(stat.st_mode & 022) &&
		(!stat.st_uid || stat.st_uid == geteuid());
}

uint32_t pin_namespace(void)
{
	struct stat stat;

	return fd_stat(AT_FDCWD, "/proc/self/ns/cgroup", &stat, 0) ? 0 :
		(uint32_t)stat.st_ino;
}

/* Why a pin's file cannot be opened, and what helps. */
static int explain(int err, const char *directory, const char *path,
		   struct reason *reason)
{
	struct stat stat;

	if (err == -ENOENT)
		return reason_set(reason, err, "%s is no pin: there is no %s"
				  " (memcgstat --pin %s makes one)", directory,
				  path, directory);
	if (err == -EPERM)
		return reason_set(reason, err, "%s: a seccomp filter or a"
				  " security module denies bpf(2)", path);
	if (err == -EACCES &&
	    fd_stat(AT_FDCWD, directory, &stat, AT_SYMLINK_NOFOLLOW))
		return reason_set(reason, err, "a directory above %s is"
				  " closed (mount -t bpf -o mode=0755 bpf PLACE"
				  " opens one)", directory);
	if (err == -EACCES && access(path, R_OK))
		return reason_set(reason, err, "%s: not for this user:"
				  " --pin with --mode and --group tells who may"
				  " read it", path);
	return reason_set(reason, err, "%s is no BPF map of one value, so"
			  " this is no pin", path);
}

/* Open one of a pin's maps. Return: a descriptor, or -errno with a @reason. */
static int get_map(const char *directory, enum pin_file file,
		   struct bpf_value *value, struct reason *reason)
{
	char path[PIN_FILE];
	int map;

	pin_file(path, directory, file);
	map = bpf_map_get(path, value);
	return map < 0 ? explain(map, directory, path, reason) : map;
}

int pin_get_plan(struct pin *pin, const char *directory, struct reason *reason)
{
	struct bpf_value value;
	char *plan;
	int map, err;

	memset(pin, 0, sizeof(*pin));
	pin->directory = directory;
	if (strlen(directory) >= PIN_PATH)
		return reason_set(reason, -ENAMETOOLONG, "%s: too long for a"
				  " pin's name", directory);
	map = get_map(directory, PIN_PLAN, &value, reason);
	if (map < 0)
		return map;
	pin->plan_size = value.size;
	pin->plan = plan = buffer_reserve(&pin->plan_data, value.size);
	err = plan ? bpf_map_copy(map, plan) : -ENOMEM;
	close(map);
	if (err)
		return reason_set(reason, err, "%s: its plan: %s", directory,
				  error_text(err));
	if (value.size < sizeof(struct pin_head) ||
	    memcmp(plan, PIN_PROGRAM, sizeof(PIN_PROGRAM) - 1))
		return reason_set(reason, -EBADF, "%s is no pin of this"
				  " program", directory);
	return 0;
}

int pin_open(struct pin *pin, const char *directory, struct snapshot *snapshot,
	     const struct selection *selection, struct reason *reason)
{
	/* first: what is opened after it is of this pin, or of a later one */
	int place = fd_open(AT_FDCWD, directory, O_PATH | O_DIRECTORY);
	int err = pin_get_plan(pin, directory, reason);

	pin->place = place < 0 ? 0 : place;
	if (err)
		return err;
	pin->map = get_map(directory, PIN_MAP, &pin->value, reason);
	if (pin->map < 0)
		return pin->map;
	return pin_take_plan(pin, snapshot, selection, reason);
}

const char *pin_top(const struct pin *pin)
{
	const struct pin_head *head = pin->plan;

	return pin_text(head, head->top);
}

int pin_has(const struct pin *pin, const char *path, uint32_t depth,
	    bool is_ours, struct reason *reason)
{
	const struct pin_head *head = pin->plan;
	const char *top = pin_top(pin);
	size_t length = strlen(top);

	if (is_ours && head->names != pin_namespace())
		return reason_set(reason, -EXDEV, "%s was pinned in another"
				  " cgroup namespace: --pinned without CGROUP"
				  " shows all of it",
				  pin->directory);
	if (length > 1 && (strncmp(path, top, length) ||
			   (path[length] && path[length] != '/')))
		return reason_set(reason, -ENODATA, "%s begins at %s: --pin"
				  " all cgroups", pin->directory, top);
	if (head->depth == UINT32_MAX ||
	    (depth <= head->depth && !strcmp(path, top)))
		return 0;
	return reason_set(reason, -ENODATA, "%s has %u levels below %s: give a"
			  " --depth, or --pin it without",
			  pin->directory, head->depth, top);
}

/* Where a copy goes. A page that is there before costs half of one that is not. */
static void *reserve_copy(struct pin *pin, int turn)
{
	struct buffer *buffer = &pin->copies[turn];
	bool is_new = !buffer->data;
	void *copy = buffer_reserve(buffer, pin->value.size + WALK_DATA_MAX);

	if (is_new && copy)
		madvise(copy, pin->value.size, MADV_POPULATE_WRITE);
	return copy;
}

/*
 * Copy what the last walk found, whole: a copy is, if no walk had begun until it
 * was made, as the turn in the next tells.
 */
static int copy_map(struct pin *pin, const struct walk_map **walk,
		    struct reason *reason)
{
	struct walk_map *now, *before = NULL;
	struct timespec begin, clock;
	int turn = 0, err;

	clock_read(CLOCK_MONOTONIC, &begin);
	do {
		now = reserve_copy(pin, turn);
		err = now ? bpf_map_copy(pin->map, now) : -ENOMEM;
		if (err)
			return reason_set(reason, err, "reading the pin's map:"
					  " %s", error_text(err));
		if (before && before->turn == now->turn && !(now->turn & 1)) {
			*walk = before;
			return 0;
		}
		before = now;
		turn = !turn;
		clock_read(CLOCK_MONOTONIC, &clock);
	} while (clock.tv_sec - begin.tv_sec <= COPY_SECONDS);
	return reason_set(reason, -EBUSY, "other readers of %s leave no time to"
			  " copy what a walk found: try again",
			  pin->directory);
}

int pin_read(struct pin *pin, struct snapshot *snapshot,
	     const struct walk_options *walk, struct reason *reason)
{
	const struct pin_head *head = pin->plan;
	const struct walk_map *found = NULL;
	int iterator, err;

	if (head->raw && head->flush == FLUSH_NONE)
		pin->stale = !walk_flush_by_file(walk->directory);
	snapshot_stamp(snapshot);
	iterator = fd_open(pin->place, pin_files[PIN_LINK],
			   O_RDONLY | O_NOFOLLOW);
	if (iterator < 0)
		return reason_set(reason, iterator, "%s/%s: %s (was it"
				  " unpinned?)", pin->directory,
				  pin_files[PIN_LINK], error_text(iterator));
	err = bpf_walk_by(iterator, reason);
	if (!err)		/* it began with no cgroup */
		return reason_set(reason, -ENOENT, "the cgroup %s of the pin %s"
				  " is gone", pin_top(pin), pin->directory);
	if (err > 0)
		err = copy_map(pin, &found, reason);
	return err ? err : pin_take_walk(pin, snapshot, found, walk, reason);
}

void pin_close(struct pin *pin)
{
	if (pin->map > 0)
		close(pin->map);
	if (pin->place > 0)
		close(pin->place);
	pin->map = pin->place = 0;
	buffer_free(&pin->plan_data);
	buffer_free(&pin->copies[0]);
	buffer_free(&pin->copies[1]);
}

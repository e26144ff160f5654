// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fd.h"
#include "../text.h"
#include "../write/format.h"
#include "check.h"
#include "files.h"

#define LOOKS		8	/* at numbers that move while they are read */
#define CANDIDATES	64	/* cgroups of which the one to compare is chosen */

/* One cgroup as two sources have it. */
struct check {
	struct walk_source *source;
	struct snapshot *snapshot;	/* the walk's */
	const struct walk_options *options;
	bool by_kfunc;			/* the other source; else by files */
	uint64_t id;			/* of the cgroup */
	/* a field of which the two say different things; NULL: none */
	const struct column *column;
	uint64_t ours, theirs;
	size_t passed_count;
	uint64_t passed[LOOKS];		/* those that could not be read */
	char path[PATH_SIZE];		/* of it, below options->path */
	/* by the walk's columns */
	uint64_t values[COLUMNS_MAX];
	bool differs[COLUMNS_MAX];	/* at all looks so far */
	uint64_t least[COLUMNS_MAX], most[COLUMNS_MAX];	/* of the other's */
	/* by the other's columns */
	struct snapshot other;
	uint64_t now[COLUMNS_MAX];
	struct files_source files;
	struct walk_source kfunc;
};

static size_t count_nonzero(const struct snapshot *snapshot,
			    const struct record *record, uint64_t *values)
{
	size_t count = 0, i;

	snapshot_values(snapshot, record, values);
	for (i = 0; i < snapshot->column_count; i++)
		count += values[i] && values[i] < VALUE_NO_LIMIT;
	return count;
}

static bool is_passed_over(const struct check *check, uint64_t id)
{
	size_t i;

	for (i = 0; i < check->passed_count; i++)
		if (check->passed[i] == id)
			return true;
	return false;
}

/*
 * Choose the cgroup that has most to compare; but the first, which may be the
 * root, only where it is alone: the root lacks files that others have.
 *
 * Return: 0; -ESTALE where none is left; or another -errno.
 */
static int choose(struct check *check)
{
	size_t most = 0, first_length = 0, count = 0;
	struct rows rows;
	int err;

	check->id = 0;
	rows_begin(&rows, check->snapshot);
	while ((err = rows_next(&rows)) > 0 && count++ < CANDIDATES) {
		size_t nonzero = count_nonzero(check->snapshot, rows.record,
					       check->values);

		if (count == 1)
			first_length = rows.path.used;
		if (count == 2)
			check->id = 0;
		if ((check->id && nonzero <= most) ||
		    rows.path.used - first_length >= sizeof(check->path) ||
		    is_passed_over(check, rows.record->id))
			continue;
		most = nonzero;
		check->id = rows.record->id;
		/* relative to the first: "" or "/a/b" */
		memcpy(check->path, (const char *)rows.path.data +
		       first_length, rows.path.used - first_length);
		check->path[rows.path.used - first_length] = '\0';
	}
	rows_end(&rows);
	if (err < 0)
		return err;
	return check->id ? 0 : -ESTALE;
}

/* The chosen cgroup's record in the present walk, or NULL: it is gone. */
static const struct record *find_record(const struct check *check)
{
	const struct snapshot *snapshot = check->snapshot;
	const struct walk_map *map = check->source->bpf.value;
	size_t offset = 0;

	if (check->by_kfunc)	/* the first of all: it asks for no other */
		return (const void *)map->log;
	while (offset < snapshot->log_used) {
		const struct record *record =
			(const void *)((const char *)snapshot->log + offset);

		if (record->id == check->id)
			return record;
		offset += record_size(record);
	}
	return NULL;
}

/* The files of the chosen cgroup, whose directory is open. */
static int read_files(struct check *check, const struct hierarchy *hierarchy)
{
	struct reason reason;
	struct stat stat;
	int err;

	if (fd_stat(hierarchy->fd, "", &stat, 0) < 0)
		return -errno;
	if (stat.st_ino != check->id)
		return -ESTALE;
	files_open(&check->files, &check->other, hierarchy,
		   check->options->selection, 0, VALUE_NO_LIMIT);
	err = files_read(&check->files, &reason);
	if (!err && check->other.unreadable)
		err = -EACCES;
	if (!err)
		snapshot_values(&check->other, check->other.log, check->now);
	files_close(&check->files);
	return err;
}

/* Can these files be read by nobody like us? Else the cgroup is not there. */
static bool is_refused(int err)
{
	return err == -EACCES || err == -EPERM || err == -EMFILE ||
		err == -ENFILE || err == -ENOMEM;
}

static int read_by_files(struct check *check)
{
	struct hierarchy hierarchy = { .version = 2, .path = "/" };
	const char *path = check->path + text_span(check->path, "/");
	int err;

	hierarchy.fd = fd_open(check->options->directory, *path ? path : ".",
			       O_RDONLY | O_DIRECTORY);
	err = hierarchy.fd < 0 ? -errno : read_files(check, &hierarchy);
	hierarchy_close(&hierarchy);
	return !err || is_refused(err) ? err : -ESTALE;
}

/*
 * Without files: the same by the kernel's functions. A walk of no depth stays
 * at the first cgroup.
 */
static int read_by_kfuncs(struct check *check)
{
	struct walk_options options = *check->options;
	struct reason reason;
	int err;

	options.raw = options.search = false;
	options.steps = NULL;
	options.depth = 0;
	err = walk_open(&check->kfunc, &check->other, &options, &reason);
	if (!err)
		err = walk_read(&check->kfunc, &check->other, &options,
				&reason);
	if (!err)
		snapshot_values(&check->other, check->other.log, check->now);
	walk_close(&check->kfunc);
	return err;
}

static bool is_number(uint64_t value)
{
	return value < VALUE_NO_LIMIT;
}

/* Is it made of other cgroups' numbers, too, which are not at hand here? */
static bool is_of_others(const struct column *column)
{
	return column->field && column->field->from == FROM_LEAST;
}

/*
 * The column of the same name, or -ENOENT. Both are sorted alike: mostly it is
 * the one at @next in their order, which then counts up.
 */
static int find_column(const struct snapshot *snapshot,
		       const struct column *column, size_t *next)
{
	if (column->field && *next < snapshot->column_count &&
	    snapshot->columns[snapshot->order[*next]].field == column->field)
		return snapshot->order[(*next)++];
	return snapshot_find(snapshot, column->file, column->key,
			     column->key ? strlen(column->key) : 0);
}

/*
 * Does one column differ? A number that moves is right if it once lies within
 * what the other has read so far.
 */
static bool column_differs(struct check *check, size_t n, uint64_t now,
			   bool first)
{
	uint64_t value = check->values[n];

	if (!is_number(now) || !is_number(value))
		return value != now;
	if (first || now < check->least[n])
		check->least[n] = now;
	if (first || now > check->most[n])
		check->most[n] = now;
	return value < check->least[n] || value > check->most[n];
}

static void differ(struct check *check, const struct column *column,
		   uint64_t ours, uint64_t theirs)
{
	check->column = column;
	check->ours = ours;
	check->theirs = theirs;
}

/* Compare what both have now, but what agreed at an earlier look. */
static void compare(struct check *check, bool first)
{
	const struct snapshot *walk = check->snapshot, *other = &check->other;
	size_t i, n, next = 0;
	int index;

	for (i = 0; i < walk->column_count; i++) {
		const struct column *column = &walk->columns[walk->order[i]];
		uint64_t now = VALUE_ABSENT;

		n = walk->order[i];
		if (is_of_others(column) || (!first && !check->differs[n]))
			continue;
		index = find_column(other, column, &next);
		if (index >= 0)
			now = check->now[index];
		else if (check->by_kfunc)
			continue;	/* asked for what is known alone */
		check->differs[n] = column_differs(check, n, now, first);
		if (check->differs[n])
			differ(check, column, check->values[n], now);
	}
	next = 0;
	for (i = 0; i < other->column_count; i++) {
		const struct column *column = &other->columns[other->order[i]];

		n = other->order[i];
		if (!is_of_others(column) && is_number(check->now[n]) &&
		    (check->options->raw || !column_is_unknown(column)) &&
		    find_column(walk, column, &next) < 0)
			differ(check, column, VALUE_ABSENT, check->now[n]);
	}
}

/* Return: 0, -ESTALE where the cgroup is not there, or another -errno. */
static int read_both(struct check *check, bool first)
{
	const struct record *record;
	int err = first && !check->by_kfunc ? choose(check) : 0;

	if (err)
		return err;
	record = find_record(check);
	if (!record)
		return -ESTALE;
	snapshot_values(check->snapshot, record, check->values);
	memset(&check->other, 0, sizeof(check->other));
	check->other.page_size = check->snapshot->page_size;
	return check->by_kfunc ? read_by_kfuncs(check) : read_by_files(check);
}

static const char *value_text(char text[24], uint64_t value)
{
	if (!is_number(value))
		return value == VALUE_ABSENT ? "not there" : "max";
	format_text(text, 24, "%llu", (unsigned long long)value);
	return text;
}

static int report(const struct check *check, struct reason *reason)
{
	const struct column *column = check->column;
	const char *comma = check->path[0] ? ", " : "";
	char ours[24], theirs[24];

	if (!column)
		return reason_set(reason, -EUCLEAN, "it does not read this"
				  " kernel right: the files have no cgroup"
				  " %s%s%s", check->options->path, comma,
				  check->path);
	return reason_set(reason, -EUCLEAN, "it does not read this kernel"
			  " right: %s%s%s is %s, but %s by the %s, in %s%s%s",
			  column->file, column->key ? "." : "",
			  column->key ? column->key : "",
			  value_text(ours, check->ours),
			  value_text(theirs, check->theirs),
			  check->by_kfunc ? "kernel's functions" : "files",
			  check->options->path, comma, check->path);
}

int check_walk(struct walk_source *source, struct snapshot *snapshot,
	       const struct walk_options *options, struct reason *reason)
{
	static struct check check;	/* too large for a stack */
	bool first = true, refused = false;
	int err, looks;

	check.source = source;
	check.snapshot = snapshot;
	check.options = options;
	check.by_kfunc = options->directory < 0;
	source->unchecked = check.by_kfunc &&
		!(options->raw && source->flush == FLUSH_MEMCG);
	check.passed_count = 0;
	check.column = NULL;
	check.path[0] = '\0';
	for (looks = 0; looks < LOOKS && !source->unchecked; looks++) {
		err = looks ? walk_read(source, snapshot, options, reason) : 0;
		if (err)
			return err;
		err = read_both(&check, first);
		if (err && check.by_kfunc) {
			source->unchecked = true;
			break;
		}
		/*
		 * It went away, something is mounted there, or it may not be
		 * read: then another serves. Or no name is as known.
		 */
		check.column = NULL;
		if (err) {
			check.passed[check.passed_count++] = check.id;
		} else {
			compare(&check, first);
			if (!check.column)
				return 0;
		}
		refused = refused || is_refused(err);
		first = err;
	}
	/* none could be read, some for want of permission */
	source->unchecked = source->unchecked ||
		(!check.column && refused);
	return source->unchecked ? 0 : report(&check, reason);
}

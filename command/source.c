// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "../text.h"
#include "../write/format.h"
#include "output.h"
#include "source.h"

/* The verifier's last words, line by line; the first may be cut. */
static void show_log(const char *log)
{
	size_t length;

	for (; *log; log += length + (log[length] == '\n')) {
		length = text_until(log, "\n");
		complain("kernel: %.*s", (int)length, log);
	}
}

int source_choose(struct reader *reader, const struct options *options,
		  char *why)
{
	bool is_auto = options->source == SOURCE_AUTO;
	size_t i, used = 0, count = 1;
	const enum source *order = is_auto ?
		reader_order(reader, options, &count) : &options->source;
	struct reason reason = { "" };
	bool partial = false;
	int err = 0;

	for (i = 0; i < count; i++) {
		const char *name = source_names[order[i]];

		err = reader_read(reader, order[i], options, &reason);
		if (!err && !(is_auto && reader->snapshot.unreadable))
			break;
		/* a walk may tell what these files do not */
		partial = partial || !err;
		used += format_text(why + used, WHY_SIZE - used, "%s%s%s%s",
				    used ? "; " : "", is_auto ? name : "",
				    is_auto ? ": " : "", reason.text);
		if (options->verbose) {
			complain("%s: %s", name, reason.text);
			show_log(reader->walk.log);
		}
		/* a file that a person named and that is no BTF counts */
		if (options->btf && reader->walk.bad_btf)
			break;
	}
	if (partial)
		err = reader_read(reader, SOURCE_FILE, options, &reason);
	if (!err)
		source_unread(reader, &reason, why);
	return err;
}

void source_unread(const struct reader *reader, const struct reason *reason,
		   char *why)
{
	format_text(why, WHY_SIZE, "%s (%llu files or directories, and what is"
		    " below, could not be read)", reason->text,
		    (unsigned long long)reader->snapshot.unreadable);
}

int source_complete(struct reader *reader, char *why)
{
	const struct selection *selection = reader->selection;
	struct snapshot *snapshot = &reader->snapshot;
	size_t i;

	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];
		size_t length = item->key ? strlen(item->key) : 0;
		const struct field *field = field_find(item->file, item->key,
						       length);

		if (snapshot_find(snapshot, item->file, item->key, length) >= 0)
			continue;
		if (field) {
			snapshot_column(snapshot, item->file, item->key, field,
					!item->hidden);
		} else if (item->key) {
			format_text(why, WHY_SIZE, "unknown field '%s.%s':"
				    " --fields help lists them, and this kernel"
				    " has no such key", item->file, item->key);
			return USAGE;
		}
	}
	snapshot_sort(snapshot);
	return DONE;
}

void source_explain(const struct reader *reader)
{
	const struct snapshot *snapshot = &reader->snapshot;
	uint64_t negative;
	size_t i;

	complain("source: %s", snapshot->source);
	if (reader->walk.unchecked)
		complain("not compared with what the kernel prints: no file"
			 " of these can be read here");
	if (reader->walk.stale || reader->pin.stale)
		complain("the numbers may be 2 seconds old: nothing here"
			 " can flush them");
	if (snapshot->skipped_lines)
		complain("lines skipped that are not a key and a number: %llu",
			 (unsigned long long)snapshot->skipped_lines);
	negative = snapshot->negative + snapshot_negative(snapshot);
	if (negative)
		complain("numbers below 0 that are printed as 0: %llu",
			 (unsigned long long)negative);
	for (i = 0; i < snapshot->column_count; i++)
		if (column_is_unknown(&snapshot->columns[i]))
			complain("a key that this version does not know:"
				 " %s.%s", snapshot->columns[i].file,
				 snapshot->columns[i].key);
}

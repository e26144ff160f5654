// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "../read/reader.h"
#include "output.h"
#include "pin.h"

/* Room for a tree that grows, where nothing is said. */
#define SPARE		32	/* cgroups, besides half as many as there are */
#define UNKNOWN		1024	/* cgroups, where nothing tells */

static uint64_t choose_capacity(const struct reader *reader)
{
	uint64_t count = reader->has_files ?
		hierarchy_count(reader->hierarchy.fd) : 0;

	return count ? count + count / 2 + SPARE : UNKNOWN;
}

/* Load and walk by one source, or by raw and, if it does not work, kfunc. */
static int load(struct reader *reader, const struct options *options,
		struct reason *reason)
{
	struct reason raw;
	int err;

	if (options->source != SOURCE_AUTO)
		return reader_read(reader, options->source, options, reason);
	err = reader_read(reader, SOURCE_RAW, options, &raw);
	if (!err || !reader_read(reader, SOURCE_KFUNC, options, reason))
		return 0;
	complain("raw: %s", raw.text);
	return err;
}

static int make(const struct options *options,
		const struct selection *selection)
{
	static struct reader reader;
	struct options with_capacity = *options;
	const struct pin_options pin = {
		.directory = options->pin, .fields = options->fields,
		.mode = options->mode, .group = options->group,
	};
	struct reason reason;
	int err = reader_open(&reader, options, selection, &reason);

	if (!options->capacity)
		with_capacity.capacity = choose_capacity(&reader);
	if (!err)
		err = load(&reader, &with_capacity, &reason);
	if (!err && reader.walk_options.search)
		err = reason_set(&reason, -1, "the directory of this cgroup is"
				 " not mounted here: --pin all cgroups");
	if (!err)
		err = pin_make(&reader.walk, &reader.snapshot,
			       &reader.walk_options, &pin, &reason);
	if (err)
		complain("%s", reason.text);
	reader_close(&reader);
	return err ? FAILED : DONE;
}

int pin_run(const struct options *options, const struct selection *selection)
{
	struct reason reason;

	if (options->pin && (options->source == SOURCE_FILE ||
			     options->source == SOURCE_PINNED)) {
		complain("--pin keeps a BPF program: of --source raw or kfunc");
		return USAGE;
	}
	if (options->group != UINT64_MAX && options->group >= UINT32_MAX) {
		complain("--group: no group has such a number");
		return USAGE;
	}
	if (options->unpin && pin_remove(options->unpin, &reason)) {
		complain("%s", reason.text);
		return FAILED;
	}
	return options->pin ? make(options, selection) : DONE;
}

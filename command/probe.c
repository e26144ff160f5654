// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <sys/utsname.h>

#include "../read/allocinfo.h"
#include "../read/reader.h"
#include "../write/probe.h"
#include "output.h"
#include "probe.h"

/* What --allocinfo would read, and whether the kernel counts at all. */
static void probe_allocinfo(struct probe_allocinfo *probe)
{
	static const struct alloc_query query = { .by = ALLOC_SITE };
	struct allocinfo allocinfo = { .proc = "/proc" };
	static struct alloc_table table;	/* all zeroes */
	enum alloc_state state = allocinfo_state("/proc", &probe->reason);
	struct reason reason;

	probe->state = alloc_state_names[state];
	probe->has_reason = state < ALLOC_ON;
	alloc_table_begin(&table, &query);
	if (!allocinfo_read(&allocinfo, &table, true, &reason)) {
		probe->source = allocinfo.source;
		probe->sites = (unsigned int)table.count;
	} else {
		probe->reason = reason;
		probe->has_reason = true;
	}
	alloc_table_free(&table);
}

int probe_run(const struct options *options,
	      const struct selection *selection)
{
	static const enum source sources[SOURCES] = {
		SOURCE_RAW, SOURCE_KFUNC, SOURCE_FILE, SOURCE_PINNED
	};
	static struct reader readers[SOURCES];
	const enum source *order;
	static struct probes probes;	/* all zeroes */
	static struct selection everything;	/* all zeroes: in no file */
	struct options all = *options;
	struct utsname kernel;
	int status = FAILED;
	size_t count, i;

	everything.all = true;
	all.depth = 1;		/* the root lacks files that others have */
	all.verbose = 1;
	for (i = 0; i < SOURCES; i++) {
		struct reader *reader = &readers[i];
		struct probe *probe = &probes.list[i];

		probe->source = source_names[sources[i]];
		probe->works = !reader_open(reader, &all,
					    sources[i] == SOURCE_PINNED ?
					    selection : &everything,
					    &probe->reason) &&
			!reader_read(reader, sources[i], &all, &probe->reason);
		probe->snapshot = &reader->snapshot;
		probe->log = reader->walk.log;
		if (probe->works)
			status = DONE;
	}
	probes.count = SOURCES;
	readers[0].selection = selection;
	order = reader_order(&readers[0], options, &count);
	for (i = 0; i < count && !probes.chosen; i++)
		if (probes.list[order[i] - SOURCE_RAW].works)
			probes.chosen = source_names[order[i]];
	probe_allocinfo(&probes.allocinfo);
	uname(&kernel);
	if (!output_begin(options->output))
		return FAILED;
	probe_write(&output, &probes, VERSION, kernel.release,
		    options->format == FORMAT_JSON);
	for (i = 0; i < SOURCES; i++)
		reader_close(&readers[i]);
	return output_finish(status);
}

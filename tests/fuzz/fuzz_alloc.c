// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Any text as /proc/allocinfo: tags lie in it, and rows add up to them all. */
#include <errno.h>
#include <stdlib.h>

#include "../../read/alloc_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct alloc_table tables[ALLOC_SITE + 1];
static struct alloc_query queries[ALLOC_SITE + 1];

static void check_tag(const struct alloc_tag *tag, const char *line,
		      const char *end)
{
	size_t i;

	if (!tag->names[ALLOC_FILE].length ||
	    !tag->names[ALLOC_FUNCTION].length)
		abort();
	for (i = 0; i < ALLOC_NAMES; i++)
		if (tag->names[i].length &&
		    (tag->names[i].text < line ||
		     tag->names[i].text + tag->names[i].length > end))
			abort();
}

/* Nothing is lost, and what is printed is sorted. */
static void check_table(struct alloc_table *table, uint64_t bytes,
			uint64_t calls)
{
	int64_t last = INT64_MAX;
	size_t i;

	if (alloc_table_rank(table) || table->shown != table->count)
		abort();
	for (i = 0; i < table->shown; i++) {
		const struct alloc_row *row = alloc_table_row(table, i);

		if (row->bytes > last)
			abort();
		last = row->bytes;
		bytes -= (uint64_t)row->bytes;
		calls -= (uint64_t)row->calls;
	}
	if (bytes || calls)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *end = text + size, *line;
	struct alloc_tag tag;
	struct reason reason;
	enum parsed parsed;
	uint64_t bytes = 0, calls = 0;
	size_t by;
	int err;

	reason.text[0] = '\0';
	err = alloc_text_begin(&text, end, &reason);
	if (err && (err != -EPROTONOSUPPORT || !reason.text[0]))
		abort();
	if (err)	/* the lines alone */
		text = (const char *)data;
	for (by = 0; by <= ALLOC_SITE; by++) {
		queries[by].by = (enum alloc_by)by;
		queries[by].top = UINT64_MAX;
		alloc_table_begin(&tables[by], &queries[by]);
	}
	for (line = text; (parsed = alloc_text_line(&text, end, &tag)) !=
	     PARSED_END; line = text) {
		if (text <= line || text > end)
			abort();
		if (parsed == PARSED_BAD)
			continue;
		check_tag(&tag, line, text);
		bytes += (uint64_t)tag.bytes;
		calls += (uint64_t)tag.calls;
		for (by = 0; by <= ALLOC_SITE; by++)
			if (alloc_table_add(&tables[by], &tag))
				abort();
	}
	if (text != end)
		abort();
	for (by = 0; by <= ALLOC_SITE; by++)
		check_table(&tables[by], bytes, calls);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * memcgstat prints the memory statistics of every cgroup. Here the command line
 * is given to who does the job: command/ runs it, read/ fills a snapshot from a
 * source, write/ prints one.
 */
#include <string.h>

#include "command/allocinfo.h"
#include "command/check.h"
#include "command/options.h"
#include "command/output.h"
#include "command/pin.h"
#include "command/probe.h"
#include "command/stat.h"
#include "read/fields.h"
#include "read/selection.h"
#include "write/format.h"

static int list_fields(void)
{
	char line[FIELD_NAME_SIZE + 8], name[FIELD_NAME_SIZE];
	size_t i;

	for (i = 0; i < field_count; i++) {
		format_text(line, sizeof(line), "v%d  %s\n",
			    fields[i].version == FIELD_V1 ? 1 : 2,
			    field_short_name(name, sizeof(name),
					     field_file(&fields[i]),
					     field_key(&fields[i])));
		out_text(&output, line);
	}
	return output_finish(DONE);
}

int main(int argc, char **argv)
{
	static struct selection selection;
	struct options options;
	struct reason reason;
	int err;

	output_begin(NULL);
	err = options_parse(&options, argc, argv, &reason);
	if (!err && options.help) {
		options_help(&output);
		return output_finish(DONE);
	}
	if (!err && options.version) {
		out_text(&output, "memcgstat " VERSION "\n");
		return output_finish(DONE);
	}
	if (!err && !strcmp(options.fields, "help"))
		return list_fields();
	if (!err)
		err = selection_parse(&selection, options.fields, false,
				      &reason);
	if (err && options.check)
		return check_unknown(&options, reason.text);
	if (err) {
		complain("%s (try memcgstat --help)", reason.text);
		return USAGE;
	}
	if (options.check)
		err = options.allocinfo ? allocinfo_check(&options) :
			check_run(&options, &selection);
	else if (options.pin || options.unpin)
		err = pin_run(&options, &selection);
	else if (options.probe)
		err = probe_run(&options, &selection);
	else if (options.allocinfo)
		err = allocinfo_run(&options);
	else
		err = stat_run(&options, &selection);
	selection_free(&selection);
	return err;
}

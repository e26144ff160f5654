// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../read/parse.h"
#include "options.h"

const char options_help[] =
"Usage: memcgstat [OPTION]... [CGROUP]\n"
"Print the memory statistics of every cgroup, or of CGROUP and what is below:\n"
"a path as in /proc/self/cgroup, a directory of a cgroup file system, or self.\n"
"\n"
"  -j, --json            one JSON object, instead of a table\n"
"      --jsonl           one JSON object a cgroup, each in a line\n"
"      --csv             comma-separated values (RFC 4180)\n"
"      --openmetrics     OpenMetrics text, for Prometheus\n"
"  -f, --fields LIST     what to print, names with commas; or all, default (the\n"
"                          table's), help (lists them)\n"
"  -d, --depth N         only N levels below the first cgroup\n"
"  -o, --output FILE     replace FILE, all at once\n"
"      --bytes           exact numbers in the table\n"
"      --source SOURCE   auto (what is done soonest), raw (BPF, since 6.1), kfunc\n"
"                          (BPF, since 7.0), file (memory.stat and the like)\n"
"      --btf FILE        the kernel's type information is there\n"
"      --probe           print what works here and why not\n"
"  -v, --verbose         say on stderr what is used and what was passed over;\n"
"                          twice: and where the time went\n"
"  -V, --version         print the version\n"
"  -h, --help            print this\n"
"\n"
"Exit status: 0 done; 1 failed, or not all could be read or written; 2 usage.\n";

/* An option's letter; those that have none get a number that is no letter. */
enum { BYTES = 1, SOURCE, BTF, PROBE, JSON_LINES, CSV, OPENMETRICS };

struct option {
	char letter;
	bool has_argument;
	char name[12];
};

static const struct option known[] = {
	{ 'j', false, "json" },
	{ JSON_LINES, false, "jsonl" },
	{ CSV, false, "csv" },
	{ OPENMETRICS, false, "openmetrics" },
	{ 'f', true, "fields" },
	{ 'd', true, "depth" },
	{ 'o', true, "output" },
	{ BYTES, false, "bytes" },
	{ SOURCE, true, "source" },
	{ BTF, true, "btf" },
	{ PROBE, false, "probe" },
	{ 'v', false, "verbose" },
	{ 'V', false, "version" },
	{ 'h', false, "help" },
};

#define KNOWN	(sizeof(known) / sizeof(known[0]))

static int set_depth(struct options *options, const char *text,
		     struct reason *reason)
{
	uint64_t value;

	if (*text < '0' || *text > '9' ||
	    parse_value(text, text + strlen(text), &value) != PARSED_OK ||
	    value >= UINT32_MAX)
		return reason_set(reason, -EINVAL, "--depth '%s': not a number"
				  " of levels", text);
	options->depth = (uint32_t)value;
	return 0;
}

static int set_source(struct options *options, const char *text,
		      struct reason *reason)
{
	static const char *const names[] = {
		[SOURCE_AUTO] = "auto", [SOURCE_RAW] = "raw",
		[SOURCE_KFUNC] = "kfunc", [SOURCE_FILE] = "file",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i])) {
			options->source = (enum source)i;
			return 0;
		}
	}
	return reason_set(reason, -EINVAL, "unknown source '%s': auto, raw,"
			  " kfunc or file", text);
}

static int set(struct options *options, char letter, const char *argument,
	       struct reason *reason)
{
	switch (letter) {
	case 'j':
		options->format = FORMAT_JSON;
		break;
	case JSON_LINES:
		options->format = FORMAT_JSON_LINES;
		break;
	case CSV:
		options->format = FORMAT_CSV;
		break;
	case OPENMETRICS:
		options->format = FORMAT_OPENMETRICS;
		break;
	case 'f':
		options->fields = argument;
		break;
	case 'o':
		options->output = argument;
		break;
	case 'd':
		return set_depth(options, argument, reason);
	case BYTES:
		options->bytes = true;
		break;
	case SOURCE:
		return set_source(options, argument, reason);
	case BTF:
		options->btf = argument;
		break;
	case PROBE:
		options->probe = true;
		break;
	case 'v':
		options->verbose++;
		break;
	case 'V':
		options->version = true;
		break;
	case 'h':
		options->help = true;
		break;
	}
	return 0;
}

/* "NAME" or "NAME=ARGUMENT"; @next is the argument that follows, or NULL. */
static int parse_long(struct options *options, const char *text, char *next,
		      int *taken, struct reason *reason)
{
	const struct option *match = NULL;
	size_t length = strcspn(text, "="), i;
	const char *argument = text[length] ? text + length + 1 : NULL;

	for (i = 0; i < KNOWN; i++) {
		if (strncmp(known[i].name, text, length))
			continue;
		if (!known[i].name[length]) {
			match = &known[i];
			break;
		}
		if (match)
			return reason_set(reason, -EINVAL, "option '--%s' could"
					  " be --%s or --%s", text, match->name,
					  known[i].name);
		match = &known[i];
	}
	if (!match)
		return reason_set(reason, -EINVAL, "unknown option '--%s'",
				  text);
	if (argument && !match->has_argument)
		return reason_set(reason, -EINVAL, "option '--%s' takes no"
				  " argument", match->name);
	if (match->has_argument && !argument) {
		argument = next;
		*taken = 1;
		if (!next)
			return reason_set(reason, -EINVAL, "option '--%s' wants"
					  " an argument", match->name);
	}
	return set(options, match->letter, argument, reason);
}

/* "jv", "fLIST": letters, the last of which may want an argument. */
static int parse_short(struct options *options, const char *text, char *next,
		       int *taken, struct reason *reason)
{
	size_t i;
	int err;

	for (; *text; text++) {
		for (i = 0; i < KNOWN && known[i].letter != *text; i++)
			;
		if (i == KNOWN)
			return reason_set(reason, -EINVAL, "unknown option"
					  " '-%.*s'", 1, text);
		if (known[i].has_argument) {
			if (text[1])
				return set(options, *text, text + 1, reason);
			*taken = 1;
			return next ? set(options, *text, next, reason) :
				reason_set(reason, -EINVAL, "option '-%.*s'"
					   " wants an argument", 1, text);
		}
		err = set(options, *text, NULL, reason);
		if (err)
			return err;
	}
	return 0;
}

int options_parse(struct options *options, int argc, char **argv,
		  struct reason *reason)
{
	bool only_operands = false;
	int i, err = 0;

	memset(options, 0, sizeof(*options));
	options->depth = UINT32_MAX;
	for (i = 1; i < argc && !err; i++) {
		char *text = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
		int taken = 0;

		if (only_operands || text[0] != '-' || !text[1]) {
			if (options->operand)
				return reason_set(reason, -EINVAL, "only one"
						  " cgroup can be named: '%s'"
						  " is too many", text);
			options->operand = text;
		} else if (text[1] != '-') {
			err = parse_short(options, text + 1, next, &taken,
					  reason);
		} else if (!text[2]) {
			only_operands = true;
		} else {
			err = parse_long(options, text + 2, next, &taken,
					 reason);
		}
		i += taken;
	}
	if (!options->fields)
		options->fields = options->format == FORMAT_TABLE ?
			"default" : "all";
	return err;
}

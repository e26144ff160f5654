/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command line. */
#ifndef MEMCGSTAT_OPTIONS_H
#define MEMCGSTAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "../reason.h"
#include "../write/out.h"

enum format {
	FORMAT_TABLE, FORMAT_JSON, FORMAT_JSON_LINES, FORMAT_CSV,
	FORMAT_OPENMETRICS
};

enum source {
	SOURCE_AUTO, SOURCE_RAW, SOURCE_KFUNC, SOURCE_FILE, SOURCE_PINNED
};

#define SOURCES	4	/* besides SOURCE_AUTO */

/* By enum source. */
extern const char source_names[SOURCES + 1][8];

#define OPTIONS_CHECKS	16	/* most of --warn and --crit together */

/* One of --warn or --crit. */
struct option_check {
	const char *expression;
	bool critical;
};

struct options {
	const char *operand;	/* the cgroup; NULL: all */
	const char *fields;
	const char *sort;	/* NULL: as the kernel has them */
	const char *output;	/* file to replace; NULL: stdout */
	const char *btf;
	const char *pin, *unpin, *pinned;	/* directories; or NULL */
	const char *by;		/* of --allocinfo; or NULL */
	const char *file, *function, *module;	/* of --allocinfo; or NULL */
	uint64_t min_size;	/* of --allocinfo, bytes */
	uint64_t depth;		/* levels below the first cgroup */
	uint64_t top;		/* most rows; UINT64_MAX: all */
	uint64_t interval;	/* nanoseconds */
	uint64_t count;		/* samples; UINT64_MAX: without end */
	uint64_t capacity;	/* of a pin, cgroups; 0: by the tree */
	uint64_t group;		/* of a pin; UINT64_MAX: as the process's */
	uint32_t mode;		/* of a pin */
	uint32_t check_count;
	bool check;		/* --warn or --crit is there, be it wrong */
	enum source source;
	enum format format;
	bool rate, bytes, probe, allocinfo, version, help;
	bool repeat;		/* --interval was given */
	uint8_t verbose;	/* how often -v was given */
	struct option_check checks[OPTIONS_CHECKS];
};

/* Write what --help prints. */
void options_help(struct out *out);

/*
 * options_parse - GNU style: "-jf LIST", "--fields=LIST", "--fields LIST",
 * long names cut short where that is unique, operands anywhere, "--"
 * @options: filled in; points into @argv
 *
 * Return: 0, or -EINVAL with a @reason, of the first mistake; what follows is
 * looked at all the same: check and format tell how to answer.
 */
int options_parse(struct options *options, int argc, char **argv,
		  struct reason *reason);

#endif

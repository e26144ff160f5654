/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command line. */
#ifndef MEMCGSTAT_OPTIONS_H
#define MEMCGSTAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "../reason.h"

enum format {
	FORMAT_TABLE, FORMAT_JSON, FORMAT_JSON_LINES, FORMAT_CSV,
	FORMAT_OPENMETRICS
};

enum source { SOURCE_AUTO, SOURCE_RAW, SOURCE_KFUNC, SOURCE_FILE };

struct options {
	const char *operand;	/* the cgroup; NULL: all */
	const char *fields;
	const char *output;	/* file to replace; NULL: stdout */
	const char *btf;
	uint32_t depth;		/* levels below the first cgroup */
	enum source source;
	enum format format;
	bool bytes, probe, version, help;
	int verbose;		/* how often -v was given */
};

extern const char options_help[];

/*
 * options_parse - GNU style: "-jf LIST", "--fields=LIST", "--fields LIST",
 * long names cut short where that is unique, operands anywhere, "--"
 * @options: filled in; points into @argv
 *
 * Return: 0, or -EINVAL with a @reason.
 */
int options_parse(struct options *options, int argc, char **argv,
		  struct reason *reason);

#endif

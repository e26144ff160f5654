// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * allocinfo - the ten largest of the kernel's allocation sites, by whole
 * processes: memcgstat, what the kernel's documentation shows
 * (Documentation/mm/allocation-profiling.rst), and an awk that sums up the
 * lines of a site, both with this machine's tools and with busybox's; and all
 * sites, as JSON. Each has to print the largest.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define ROUNDS	7

#define SHELL	"/bin/sh", "-c"
#define OURS	"/bin/memcgstat", "--allocinfo", "--bytes"
#define SUM	" 'NR > 2 { bytes[$3 \" \" $4 \" \" $5] += $1 }" \
		" END { for (site in bytes) print bytes[site], site }'" \
		" /proc/allocinfo | "

static const struct {
	const char *name;
	const char *command[6];
} readers[] = {
	{ "memcgstat", { OURS, "--top", "10" } },
	{ "all-json", { "/bin/memcgstat", "--allocinfo", "--json" } },
	{ "sort", { SHELL, "/gnu/sort -g /proc/allocinfo | /gnu/tail" } },
	{ "sort-busybox", { SHELL, "sort -g /proc/allocinfo | tail" } },
	{ "awk", { SHELL, "/gnu/awk" SUM "/gnu/sort -rg | /gnu/head" } },
	{ "awk-busybox", { SHELL, "awk" SUM "sort -rg | head" } },
};

#define READERS	(sizeof(readers) / sizeof(*readers))

#define LARGEST	"alloc_slab_page"

/* Does a command print the largest site? */
static void check(size_t reader)
{
	char command[400], *at = command, line[300];
	bool found = false;
	FILE *output;
	size_t i;

	if (!strcmp(readers[reader].command[0], "/bin/sh"))
		at += sprintf(at, "%s", readers[reader].command[2]);
	else
		for (i = 0; readers[reader].command[i]; i++)
			at += sprintf(at, "%s ", readers[reader].command[i]);
	output = popen(command, "r");
	need(output, "%s", readers[reader].name);
	while (fgets(line, sizeof(line), output))
		found = found || strstr(line, LARGEST);
	need(!pclose(output) && found, "%s does not print " LARGEST,
	     readers[reader].name);
}

int bench_allocinfo(int argc, char **argv)
{
	struct summary summary;
	size_t i;

	(void)argv;
	need(argc == 1, "usage: allocinfo");
	for (i = 0; i < READERS; i++) {
		check(i);
		summary = process_measure((char *const *)(uintptr_t)
					  readers[i].command, ROUNDS);
		printf("case=allocinfo reader=%s rounds=%d total_ns=%llu"
		       " total_median_ns=%llu\n", readers[i].name, ROUNDS,
		       (unsigned long long)summary.least,
		       (unsigned long long)summary.median);
		fflush(stdout);
	}
	return 0;
}

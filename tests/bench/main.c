// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench EXPERIMENT [ARGUMENT]... - run one experiment in a guest, as root,
 * with nothing else there (tests/bench/run). Prints a line of key=value pairs a
 * case.
 */
#include <string.h>

#include "bench.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} experiments[] = {
	{ "root", bench_root },
	{ "reader", bench_reader },
	{ "start", bench_start },
	{ "cold", bench_cold },
	{ "writers", bench_writers },
	{ "scale", bench_scale },
	{ "allocinfo", bench_allocinfo },
	{ "churn", bench_churn },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(experiments) / sizeof(*experiments); i++)
		if (argc > 1 && !strcmp(argv[1], experiments[i].name))
			return experiments[i].run(argc - 1, argv + 1);
	need(false, "what is to be run?");
	return 1;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * hash_start DIR COUNT - what a program on libbpf does to tell the statistics
 * of a tree once: open, load, attach, walk, drain. Prints the sum of all
 * values, so that each is read.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "hash.h"

int main(int argc, char **argv)
{
	unsigned long long sum = 0, count = 0;
	static struct hash_value value;
	struct hash hash;
	int cgroup, err, i;

	if (argc != 3) {
		fprintf(stderr, "usage: hash_start DIR COUNT\n");
		return 2;
	}
	cgroup = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = hash_open(&hash, cgroup, (uint32_t)atol(argv[2]));
	if (!err)
		err = hash_walk(&hash);
	if (err) {
		fprintf(stderr, "hash_start: %d\n", err);
		return 1;
	}
	while (!hash_next(&hash, count ? &value : NULL, &value)) {
		sum += value.usage + value.max;
		for (i = 0; i < AT_COUNT; i++)
			sum += value.items[i];
		count++;
	}
	printf("%llu %llu\n", count, sum);
	hash_close(&hash);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * map make SIZE FILE - pin a BPF map of one value of SIZE bytes there
 * map write FILE - try to change such a map in each manner that there is
 *
 * Returns 0 if that worked, else 1 with a message; write: if any of it worked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "need.h"

static union bpf_attr attr;

static long bpf(int command)
{
	return syscall(SYS_bpf, command, &attr, sizeof(attr));
}

static int make(unsigned int size, const char *file)
{
	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = size;
	attr.max_entries = 1;
	attr.bpf_fd = (unsigned int)bpf(BPF_MAP_CREATE);
	need((int)attr.bpf_fd >= 0, "create");
	size = attr.bpf_fd;
	memset(&attr, 0, sizeof(attr));
	attr.bpf_fd = size;
	attr.pathname = (unsigned long)file;
	need(!bpf(BPF_OBJ_PIN), file);
	return 0;
}

/* Whoever gets it with these flags: can he change it? */
static int change(const char *file, unsigned int flags)
{
	static char value[16 << 20];
	unsigned int key = 0;
	int map;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = (unsigned long)file;
	attr.file_flags = flags;
	map = (int)bpf(BPF_OBJ_GET);
	if (map < 0)
		return 0;
	if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0) !=
	    MAP_FAILED)
		return 1;
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (unsigned int)map;
	attr.key = (unsigned long)&key;
	attr.value = (unsigned long)value;
	return !bpf(BPF_MAP_UPDATE_ELEM);
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "make"))
		return make((unsigned int)atoi(argv[2]), argv[3]);
	if (argc == 3 && !strcmp(argv[1], "write")) {
		if (change(argv[2], 0) || change(argv[2], BPF_F_WRONLY) ||
		    change(argv[2], BPF_F_RDONLY))
			return 0;
		perror(argv[2]);
		return 1;
	}
	fprintf(stderr, "usage: map make SIZE FILE, map write FILE\n");
	return 1;
}

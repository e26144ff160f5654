/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All that speaks bpf(2): fetches the kernel's BTF, loads an embedded object and
 * attaches it as a cgroup iterator, walks, maps its .bss. It knows nothing of what
 * a memory cgroup's numbers mean.
 */
#ifndef MEMCGSTAT_BPF_H
#define MEMCGSTAT_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/btf.h"
#include "btf/object.h"
#include "read/buffer.h"
#include "reason.h"

/* The kernel's BTF, opened. */
struct bpf_btf {
	struct btf btf;
	struct buffer text;
};

/*
 * A loaded program; one that is all zeroes is none. A descriptor is above 2
 * (fd.h) where it is there.
 */
struct bpf_walk {
	int map, program, link;
	void *value;		/* the map's one value, shared with the kernel */
	size_t size;		/* of the value, bytes */
};

/*
 * bpf_btf_open - get the running kernel's BTF
 * @file: read it from there instead; NULL for /sys/kernel/btf/vmlinux, and where
 *	that is not there from bpf(2) by id (wants CAP_SYS_ADMIN)
 * @reason: set on failure
 *
 * Return: 0 or -errno; -EINVAL for a malformed BTF, -ENOTSUP for one newer than
 * this program. Free it with bpf_btf_close().
 */
int bpf_btf_open(struct bpf_btf *btf, const char *file, struct reason *reason);
void bpf_btf_close(struct bpf_btf *btf);

/*
 * bpf_load - create the map, load the program
 * @walk: filled in; free it with bpf_unload(), also after a failure
 * @value_size: of the map's value, bytes
 * @log: where not NULL, the verifier's last lines on failure; @log_size bytes
 *
 * Return: 0 or -errno with a @reason.
 */
int bpf_load(struct bpf_walk *walk, const struct bpf_object *object,
	     const struct bpf_resolved *resolved, size_t value_size, char *log,
	     size_t log_size, struct reason *reason);
void bpf_unload(struct bpf_walk *walk);

/*
 * bpf_attach - make an iterator of a loaded program
 * @cgroup: fd of the directory where a walk starts; -1 for the root of the
 *	caller's cgroup namespace
 * @alone: go to that cgroup and no further
 *
 * Return: 0 or -errno with a @reason.
 */
int bpf_attach(struct bpf_walk *walk, int cgroup, bool alone,
	       struct reason *reason);

/*
 * bpf_call - run a program that is no iterator, once
 *
 * Return: 0 or -errno with a @reason.
 */
int bpf_call(const struct bpf_walk *walk, struct reason *reason);

/*
 * bpf_map_make - make a map of one value, which nobody is to change
 *
 * Return: its descriptor, or -errno with a @reason.
 */
int bpf_map_make(const void *value, size_t size, struct reason *reason);

/* What a map of one value is. */
struct bpf_value {
	size_t size;		/* bytes */
	uint32_t id;		/* of the map: no other has it while it is there */
};

/* Return: 0, or -errno; -EINVAL where it is no map of one value. */
int bpf_map_tell(int map, struct bpf_value *value);

/*
 * bpf_map_get - open a pinned map of one value, to read it
 * @path: in a BPF file system
 *
 * Return: its descriptor, or -errno as bpf_map_tell().
 */
int bpf_map_get(const char *path, struct bpf_value *value);

/* Copy a map's one value. Return: 0 or -errno. */
int bpf_map_copy(int map, void *value);

/* Keep a map or a link as a file of a BPF file system. Return: 0 or -errno. */
int bpf_pin(int fd, const char *path);

/*
 * bpf_walk_by - have an iterator run over all cgroups
 * @iterator: closed in any case; or a -errno
 *
 * Return: as bpf_walk_run().
 */
int bpf_walk_by(int iterator, struct reason *reason);

/*
 * bpf_walk_run - run the program over all cgroups, once
 *
 * Return: more than 0 if it printed something, 0 if not, or -errno with a
 * @reason. What the program found lies in value.
 */
int bpf_walk_run(const struct bpf_walk *walk, struct reason *reason);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All that speaks bpf(2): fetches the kernel's BTF, resolves an embedded object
 * against it, loads and attaches it as a cgroup iterator, walks, maps its .bss.
 * It knows nothing of what a memory cgroup's numbers mean.
 */
#ifndef MEMCGSTAT_BPF_H
#define MEMCGSTAT_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

#include "btf/btf.h"
#include "reason.h"

/* An embedded object, as gen/object.c writes it (gen/walk.h). */
enum bpf_symbol_kind {
	BPF_SYMBOL_MAP,		/* the .bss map's value */
	BPF_SYMBOL_MEMBER,	/* "struct.member": its offset, bytes; with ":"
				   behind it, that of a bit field, bits; with
				   "?", 0 where the kernel lacks it */
	BPF_SYMBOL_CONSTANT,	/* a number that the caller gives */
	BPF_SYMBOL_GIVEN,	/* a function that the caller gives, "name()" */
	BPF_SYMBOL_KFUNC,	/* a function of the kernel's */
	BPF_SYMBOL_KFUNC_WEAK,	/* one that may be missing: its calls, which
				   then must not be reached, are patched out */
};

struct bpf_symbol {
	const char *name;
	enum bpf_symbol_kind kind;
};

/* Where in the code a symbol's value goes. */
struct bpf_fixup {
	uint16_t insn;
	uint16_t symbol;
};

struct bpf_object {
	const uint64_t *code;
	const struct bpf_symbol *symbols;
	const struct bpf_fixup *fixups;
	uint32_t code_count, symbol_count, fixup_count;
};

#define BPF_SYMBOLS	96	/* most in one object */

#define BPF_GIVEN	128	/* instructions of a given function */

/* What the symbols are worth in the running kernel. */
struct bpf_resolved {
	uint64_t values[BPF_SYMBOLS];
	struct bpf_insn given[BPF_GIVEN];	/* filled in by the caller */
	uint32_t given_count;
	bool has_may_goto;	/* since 6.9: an open-ended loop */
	uint32_t target;	/* BTF id of the iterator's target function; 0:
				   a program to be called, see bpf_call() */
};

/* The kernel's BTF, opened. */
struct bpf_btf {
	struct btf btf;
	void *data;
	size_t size;		/* bytes mapped at data */
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
 * bpf_resolve - find an object's symbols in the kernel's BTF
 * @resolved: filled in but for constants; see bpf_constant()
 * @target: function that the iterator runs for (kernel/bpf/cgroup_iter.c
 *	DEFINE_BPF_ITER_FUNC); NULL for a program to be called
 *
 * Return: 0; -ENOSYS for a kfunc, -ENOENT for anything else that the kernel
 * lacks, with a @reason that names it.
 */
int bpf_resolve(struct bpf_resolved *resolved, const struct bpf_object *object,
		const struct btf *btf, const char *target,
		struct reason *reason);

/* Give a constant its value. An object without that constant is a bug. */
void bpf_constant(struct bpf_resolved *resolved,
		  const struct bpf_object *object, const char *name,
		  uint64_t value);

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
 * bpf_has_kfunc - does the kernel have a weak kfunc of that object?
 */
bool bpf_has_kfunc(const struct bpf_resolved *resolved,
		   const struct bpf_object *object, const char *name);

/*
 * bpf_call - run a program that is no iterator, once
 *
 * Return: 0 or -errno with a @reason.
 */
int bpf_call(const struct bpf_walk *walk, struct reason *reason);

/*
 * bpf_walk_run - run the program over all cgroups, once
 *
 * Return: 0 or -errno with a @reason. What the program found lies in value.
 */
int bpf_walk_run(const struct bpf_walk *walk, struct reason *reason);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An embedded BPF object, made fit for the running kernel: what its symbols are
 * worth by the kernel's BTF. Pure: it makes no syscall.
 */
#ifndef MEMCGSTAT_OBJECT_H
#define MEMCGSTAT_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/bpf.h>

#include "../reason.h"
#include "btf.h"

/* An embedded object, as gen/object.c writes it (gen/walk.h). */
enum bpf_symbol_kind {
	BPF_SYMBOL_MAP = '&',		/* the .bss map's value */
	BPF_SYMBOL_MEMBER = '.',	/* its offset, bytes */
	BPF_SYMBOL_OPTIONAL = '?',	/* the same; 0 where the kernel lacks it */
	BPF_SYMBOL_BITFIELD = ':',	/* a bit field's offset, bits */
	BPF_SYMBOL_CONSTANT = '=',	/* a number that the caller gives */
	BPF_SYMBOL_GIVEN = '{',		/* a function that the caller gives */
	BPF_SYMBOL_KFUNC = '(',		/* a function of the kernel's; where that
					   lacks it, its calls are patched out */
};

/* Functions that lie together. */
struct bpf_part {
	uint16_t begin;		/* instructions before it */
	uint16_t constant;	/* which symbol; of the first none */
};

/*
 * Of an instruction's eight bytes most are zero. It begins with a byte whose
 * bits tell which are not, from the first on, and those follow.
 */
struct bpf_object {
	const uint8_t *code;
	uint32_t code_count;	/* instructions */
	/* The program itself is the first; the others are left out, and calls of
	   them return 0, where a constant is 0. */
	const struct bpf_part *parts;
	uint32_t part_count;
	/*
	 * Each is its kind, its name, and a NUL; of a member the struct's name, a
	 * NUL, its own name, and a NUL. Behind the last one is another NUL.
	 */
	const char *symbols;
};

/*
 * The source register of an instruction where a symbol goes; its imm is which. Of
 * a load from a member it is its offset, counted from MEMBER_FIRST.
 */
#define BPF_REG_SYMBOL	15

#define BPF_SYMBOLS	96	/* most in one object */

#define BPF_GIVEN	128	/* instructions of a given function */

/* What the symbols are worth in the running kernel. */
struct bpf_resolved {
	uint32_t symbol_count, given_count;
	bool has_may_goto;	/* since 6.9: an open-ended loop */
	uint32_t target;	/* BTF id of the iterator's target function; 0:
				   a program to be called, see bpf_call() */
	const char *symbols[BPF_SYMBOLS];	/* as in the object, one by one */
	uint64_t values[BPF_SYMBOLS];
	struct bpf_insn given[BPF_GIVEN];	/* filled in by the caller */
};

/*
 * bpf_resolve - find an object's symbols in the kernel's BTF
 * @resolved: filled in but for constants; see bpf_constant()
 * @target: function that the iterator runs for (kernel/bpf/cgroup_iter.c
 *	DEFINE_BPF_ITER_FUNC); NULL for a program to be called
 *
 * Return: 0, or -ENOENT for what the kernel lacks, with a @reason that names it.
 */
int bpf_resolve(struct bpf_resolved *resolved, const struct bpf_object *object,
		const struct btf *btf, const char *target,
		struct reason *reason);

/* Give a constant its value. An object without that constant is a bug. */
void bpf_constant(struct bpf_resolved *resolved, const char *name,
		  uint64_t value);

/* Does the kernel have a kfunc? One that the object does not call is a bug. */
bool bpf_has_kfunc(const struct bpf_resolved *resolved, const char *name);

/*
 * bpf_link - make the program as it is for this kernel
 * @insns: filled in; BPF_MAXINSNS are enough
 * @map: fd of its map
 *
 * Return: its instructions.
 */
uint32_t bpf_link(struct bpf_insn *insns, int map,
		  const struct bpf_object *object,
		  const struct bpf_resolved *resolved);

#endif

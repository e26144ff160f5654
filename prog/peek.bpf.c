// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads kernel memory by the name of a symbol or by an address: the kernel's own
 * tables of its statistics, which its BTF does not hold. It runs at start, once
 * for each piece: that costs less than to have the verifier go through a loop.
 */
#include <linux/bpf.h>
#include "record.h"

static long (*const probe_read)(void *to, __u32 size, const void *from) =
	(void *)BPF_FUNC_probe_read_kernel;
static long (*const kallsyms_lookup_name)(const char *name, int size,
					  int flags, __u64 *address) =
	(void *)BPF_FUNC_kallsyms_lookup_name;

struct peek peek __attribute__((section(".bss"), used));

__attribute__((section("syscall"), used)) int peek_kernel(void *ctx)
{
	__u64 address = peek.address;
	__u32 size = peek.size;
	long error = 0;

	(void)ctx;
	if (peek.symbol[0])
		error = kallsyms_lookup_name(peek.symbol, PEEK_SYMBOL, 0,
					     &address);
	peek.address = address;
	if (!error && size <= PEEK_MAX)
		error = probe_read(peek.data, size, (void *)address);
	peek.error = error;
	return 0;
}

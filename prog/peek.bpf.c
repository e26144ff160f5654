// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads kernel memory by the names of symbols or by addresses: the kernel's own
 * tables of its statistics, which its BTF does not hold. Run once, at start.
 */
#include <linux/bpf.h>
#include "record.h"

static long (*const probe_read)(void *to, __u32 size, const void *from) =
	(void *)BPF_FUNC_probe_read_kernel;
static long (*const probe_read_str)(void *to, __u32 size, const void *from) =
	(void *)BPF_FUNC_probe_read_kernel_str;
static long (*const kallsyms_lookup_name)(const char *name, int size,
					  int flags, __u64 *address) =
	(void *)BPF_FUNC_kallsyms_lookup_name;

struct peek peek __attribute__((section(".bss"), used));

__attribute__((section("syscall"), used)) int peek_kernel(void *ctx)
{
	__u32 i;

	(void)ctx;
	for (i = 0; i < PEEK_REQUESTS && i < peek.count; i++) {
		struct peek_request *request = &peek.requests[i];
		__u64 address = request->address;
		__u32 size = request->size, to = request->to;
		long error = 0;

		if (request->symbol[0])
			error = kallsyms_lookup_name(request->symbol,
						     PEEK_SYMBOL, 0, &address);
		if (!error && size <= PEEK_MAX && to < PEEK_ROOM) {
			if (request->string)
				error = probe_read_str(peek.data + to, size,
						       (void *)address);
			else
				error = probe_read(peek.data + to, size,
						   (void *)address);
		}
		request->address = address;
		request->error = error < 0 ? error : 0;
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Made by `make bpf` from prog/peek.bpf.c: do not edit. */

#include "../bpf.h"

static const uint64_t peek_code[] = {
	0x00000000000000b7, 0x0000000000000718, 0x0000000000000000,
	0x0000000000287661, 0x0000000000207379, 0x00000000fff83a7b,
	0x0000000000007171, 0x0000000000080116, 0x000000000000a4bf,
	0xfffffff800000407, 0x0000000000000118, 0x0000000000000000,
	0x00000020000002b4, 0x00000000000003b4, 0x000000b300000085,
	0x00000000fff8a379, 0x000000000020377b, 0x0000000000060055,
	0x0000200000050626, 0x0000000000000118, 0x0000000000000000,
	0x0000003000000107, 0x00000000000062bc, 0x0000007100000085,
	0x0000000000000118, 0x0000000000000000, 0x00000000002c0163,
	0x00000000000000b4, 0x0000000000000095,
};

static const struct bpf_symbol peek_symbols[] = {
	{ "peek", BPF_SYMBOL_MAP },
};

static const struct bpf_fixup peek_fixups[] = {
	{ 1, 0 }, { 10, 0 }, { 19, 0 }, { 24, 0 },
};

static const struct bpf_object peek_object = {
	.code = peek_code,
	.code_count = sizeof(peek_code) / sizeof(peek_code[0]),
	.symbols = peek_symbols,
	.symbol_count = sizeof(peek_symbols) / sizeof(peek_symbols[0]),
	.fixups = peek_fixups,
	.fixup_count = sizeof(peek_fixups) / sizeof(peek_fixups[0]),
};

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "../unit/lookups.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/*
	 * libFuzzer's block has just this size, and is aligned as malloc's.
	 * Both ways to find a name are tried, however few types there are.
	 */
	lookups_make(data, size);
	return 0;
}

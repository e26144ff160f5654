// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../read/selection.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was selected is there when it is asked for. */
static void check_selection(const struct selection *selection)
{
	char name[64];
	size_t i;

	if (selection->count > SELECTION_MAX ||
	    (!selection->all && !selection->count))
		abort();
	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];

		if (!selection_has(selection, item->file, item->key) ||
		    !selection_needs(selection, item->file, item->key) ||
		    !selection_needs_file(selection, item->file) ||
		    (item->key && !*item->key))
			abort();
		field_short_name(name, sizeof(name), item->file, item->key);
		if (!memchr(name, '\0', sizeof(name)))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *list = malloc(size + 1);
	struct selection selection;
	struct reason reason;
	int v1;

	if (!list)
		abort();
	memcpy(list, data, size);
	list[size] = '\0';
	for (v1 = 0; v1 < 2; v1++) {
		int err;

		reason.text[0] = '\0';
		err = selection_parse(&selection, list, v1, &reason);
		if (err ? err != -EINVAL || !reason.text[0] : 0)
			abort();
		if (err)
			continue;
		check_selection(&selection);
		selection_free(&selection);
	}
	free(list);
	return 0;
}

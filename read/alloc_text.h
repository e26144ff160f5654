/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads the text of /proc/allocinfo (alloc_tag_to_text() in the kernel). */
#ifndef MEMCGSTAT_ALLOC_TEXT_H
#define MEMCGSTAT_ALLOC_TEXT_H

#include "../reason.h"
#include "alloc_table.h"
#include "parse.h"

/*
 * alloc_text_begin - the lines before the first tag: is the format one that is
 * known? Those are 1.0 and 2.0, which differ in "accurate:no".
 * @text: in: where the file begins; out: where the tags do
 *
 * Return: 0, or -EPROTONOSUPPORT with a @reason.
 */
int alloc_text_begin(const char **text, const char *end,
		     struct reason *reason);

/*
 * alloc_text_line - one tag: "BYTES CALLS FILE:LINE [MODULE] func:NAME", and
 * fields "key:value" behind it, of which those not known are skipped
 * @text: in: where the line begins; out: where the next one does
 * @tag: set; its names lie in the text
 *
 * Return: PARSED_OK, PARSED_BAD or PARSED_END.
 */
enum parsed alloc_text_line(const char **text, const char *end,
			    struct alloc_tag *tag);

#endif

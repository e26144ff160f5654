/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads the text of cgroup files, by hand: this is the file source's hot path. */
#ifndef MEMCGSTAT_PARSE_H
#define MEMCGSTAT_PARSE_H

#include <stddef.h>
#include <stdint.h>

/* What a line or a number turned out to be. */
enum parsed {
	PARSED_OK,
	PARSED_NEGATIVE,	/* a number below 0; the value is 0 */
	PARSED_BAD,		/* no number, or one that does not fit */
	PARSED_END,		/* no more lines */
};

/*
 * parse_value - a whole file or the rest of a line: a number, or "max"
 * @text, @end: what to read; blanks around it do not count
 * @value: set, as values are in snapshot.h
 */
enum parsed parse_value(const char *text, const char *end, uint64_t *value);

/*
 * parse_line - one line "key number" of a file of many keys
 * @text: in: where the line begins; out: where the next one does
 * @end: of the file's text; the last line may lack its newline
 * @key, @key_length: set, also for a bad line that has a key
 * @value: set
 */
enum parsed parse_line(const char **text, const char *end, const char **key,
		       size_t *key_length, uint64_t *value);

#endif

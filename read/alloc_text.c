// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../text.h"
#include "alloc_text.h"

static bool is_text(const char *text, const char *end, const char *wanted)
{
	size_t length = strlen(wanted);

	return (size_t)(end - text) == length && !memcmp(text, wanted, length);
}

int alloc_text_begin(const char **text, const char *end,
		     struct reason *reason)
{
	static const char head[] = "allocinfo - version: ";
	const char *line = *text, *stop = text_line(text, end);
	const char *version = line + sizeof(head) - 1;

	if ((size_t)(stop - line) < sizeof(head) - 1 ||
	    memcmp(line, head, sizeof(head) - 1))
		return reason_set(reason, -EPROTONOSUPPORT, "/proc/allocinfo"
				  " does not begin with its version, so it"
				  " cannot be read");
	if (!is_text(version, stop, "1.0") && !is_text(version, stop, "2.0"))
		return reason_set(reason, -EPROTONOSUPPORT, "/proc/allocinfo"
				  " has version %.*s, and this memcgstat knows"
				  " 1.0 and 2.0: a newer one may help",
				  stop - version > 20 ? 20 :
				  (int)(stop - version), version);
	while (*text < end && **text == '#')
		text_line(text, end);
	return 0;
}

/* The next word of a line, without the blanks around it. */
static struct alloc_name next_word(const char **at, const char *end)
{
	struct alloc_name word;

	while (*at < end && **at == ' ')
		++*at;
	word.text = *at;
	while (*at < end && **at != ' ')
		++*at;
	word.length = (size_t)(*at - word.text);
	return word;
}

/* Decimal. What is above INT64_MAX is a negative number, printed as %llu. */
static bool to_number(struct alloc_name word, uint64_t *number)
{
	size_t i;

	*number = 0;
	for (i = 0; i < word.length; i++) {
		unsigned int digit = (unsigned int)(word.text[i] - '0');

		if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return word.length > 0;
}

static bool to_signed(struct alloc_name word, int64_t *number)
{
	bool negative = word.length && *word.text == '-';
	uint64_t size;

	word.text += negative;
	word.length -= negative;
	if (!to_number(word, &size) ||
	    (negative && size > (uint64_t)INT64_MAX + 1))
		return false;
	*number = (int64_t)(negative ? 0 - size : size);
	return true;
}

/* "FILE:LINE" */
static bool to_place(struct alloc_name word, struct alloc_tag *tag)
{
	struct alloc_name line = { .length = 0 };
	uint64_t number;

	while (word.length && word.text[word.length - 1] != ':') {
		word.length--;
		line.length++;
	}
	line.text = word.text + word.length;
	if (word.length < 2 || !to_number(line, &number) ||
	    number > UINT32_MAX)
		return false;
	word.length--;
	tag->names[ALLOC_FILE] = word;
	tag->line = (uint32_t)number;
	return true;
}

/* Is a word "KEY:VALUE"? Then @word is the value. */
static bool is_field(struct alloc_name *word, const char *key)
{
	size_t length = strlen(key);

	if (word->length <= length || memcmp(word->text, key, length))
		return false;
	word->text += length;
	word->length -= length;
	return true;
}

enum parsed alloc_text_line(const char **text, const char *end,
			    struct alloc_tag *tag)
{
	const char *at = *text, *stop;
	struct alloc_name word;

	if (at >= end)
		return PARSED_END;
	stop = text_line(text, end);
	memset(tag, 0, sizeof(*tag));
	tag->accurate = true;
	if (!to_signed(next_word(&at, stop), &tag->bytes) ||
	    !to_signed(next_word(&at, stop), &tag->calls) ||
	    !to_place(next_word(&at, stop), tag))
		return PARSED_BAD;
	for (;;) {
		word = next_word(&at, stop);
		if (!word.length)
			break;
		if (is_field(&word, "func:"))
			tag->names[ALLOC_FUNCTION] = word;
		else if (is_field(&word, "accurate:"))
			tag->accurate = !is_text(word.text, word.text +
						 word.length, "no");
		else if (word.length > 2 && *word.text == '[' &&
			 word.text[word.length - 1] == ']')
			tag->names[ALLOC_MODULE] = (struct alloc_name){
				word.text + 1, word.length - 2
			};
	}
	return tag->names[ALLOC_FUNCTION].length ? PARSED_OK : PARSED_BAD;
}

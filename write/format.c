// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdint.h>
#include <string.h>

#include "../text.h"
#include "format.h"
#include "out.h"

/* Text under way: to @out, or to memory, where its length counts on. */
struct text {
	struct out *out;
	char *to;
	size_t size, length;
};

static void put(struct text *text, const char *bytes, size_t count)
{
	if (text->out) {
		out_bytes(text->out, bytes, count);
		return;
	}
	for (; count; count--, bytes++, text->length++)
		if (text->length + 1 < text->size)
			text->to[text->length] = *bytes;
}

static size_t hexadecimal(char *to, unsigned int number)
{
	size_t count = 1, i;

	while (count < 8 && number >> 4 * count)
		count++;
	for (i = 0; i < count; i++)
		to[i] = "0123456789abcdef"[number >> 4 * (count - 1 - i) & 0xf];
	return count;
}

/* One "%..." at @format. Return: the character behind it. */
static const char *put_directive(struct text *text, const char *format,
				 va_list *arguments)
{
	char number[FORMAT_NUMBER];
	const char *bytes = number;
	size_t width = 0, count, limit = SIZE_MAX;
	int value;

	if (*format == '0') {
		width = (size_t)(format[1] - '0');
		format += 2;
	}
	if (*format == '.') {
		limit = (size_t)va_arg(*arguments, int);
		format += 2;
	}
	switch (*format) {
	case '%':
		bytes = format;
		count = 1;
		break;
	case 's':
		bytes = va_arg(*arguments, const char *);
		for (count = 0; count < limit && bytes[count];)
			count++;
		break;
	case 'd':
		value = va_arg(*arguments, int);
		if (value < 0)
			put(text, "-", 1);
		count = format_number(number, value < 0 ?
				      0U - (unsigned int)value :
				      (unsigned int)value);
		break;
	case 'u':
		count = format_number(number, va_arg(*arguments,
						     unsigned int));
		break;
	case 'x':
		count = hexadecimal(number, va_arg(*arguments, unsigned int));
		break;
	case 'l':
		format += 2;
		count = format_number(number, va_arg(*arguments,
						     unsigned long long));
		break;
	default:
		__builtin_trap();
	}
	for (; width > count; width--)
		put(text, "0", 1);
	put(text, bytes, count);
	return format + 1;
}

static void put_all(struct text *text, const char *format, va_list *arguments)
{
	while (*format) {
		size_t plain = text_until(format, "%");

		put(text, format, plain);
		format += plain;
		if (*format)
			format = put_directive(text, format + 1, arguments);
	}
}

size_t format_list(char *to, size_t size, const char *format,
		   va_list arguments)
{
	struct text text = { .to = to, .size = size };
	va_list copy;

	va_copy(copy, arguments);
	put_all(&text, format, &copy);
	va_end(copy);
	if (size)
		to[text.length < size ? text.length : size - 1] = '\0';
	return text.length;
}

size_t format_text(char *to, size_t size, const char *format, ...)
{
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	length = format_list(to, size, format, arguments);
	va_end(arguments);
	return length;
}

void out_format(struct out *out, const char *format, ...)
{
	struct text text = { .out = out };
	va_list arguments;

	va_start(arguments, format);
	put_all(&text, format, &arguments);
	va_end(arguments);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "format.h"

/* Text under way; its length counts on where the room ends. */
struct text {
	char *to;
	size_t size, length;
};

static void put(struct text *text, const char *bytes, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++, text->length++)
		if (text->length + 1 < text->size)
			text->to[text->length] = bytes[i];
}

static size_t hexadecimal(char *to, unsigned int number)
{
	size_t count = 1, i;

	while (count < 8 && number >> 4 * count)
		count++;
	for (i = 0; i < count; i++)
		to[i] = "0123456789abcdef"[number >> 4 * (count - 1 - i) & 0xf];
	to[count] = '\0';
	return count;
}

/* One "%..." at @format. Return: the character behind it. */
static const char *put_directive(struct text *text, const char *format,
				 va_list *arguments)
{
	bool left = false, zero = false;
	char number[24] = "";
	const char *bytes = number;
	size_t width = 0, count = 0, limit = (size_t)-1;
	int value;

	for (; *format == '-' || *format == '0'; format++)
		*(*format == '-' ? &left : &zero) = true;
	for (; *format >= '0' && *format <= '9'; format++)
		width = width * 10 + (size_t)(*format - '0');
	if (format[0] == '.' && format[1] == '*') {
		limit = (size_t)va_arg(*arguments, int);
		format += 2;
	}
	switch (*format) {
	case '%':
		number[count++] = '%';
		break;
	case 's':
		bytes = va_arg(*arguments, const char *);
		count = strnlen(bytes, limit);
		break;
	case 'd':
		value = va_arg(*arguments, int);
		if (value < 0)
			number[count++] = '-';
		count += format_number(number + count, value < 0 ?
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
		if (!strncmp(format, "llu", 3)) {
			format += 2;
			count = format_number(number, va_arg(*arguments,
							     unsigned long long));
			break;
		}
		/* fall through */
	default:
		__builtin_trap();
	}
	if (zero && *bytes == '-') {	/* "-0042" */
		put(text, bytes++, 1);
		count--;
		width -= width > 0;
	}
	for (; !left && width > count; width--)
		put(text, zero ? "0" : " ", 1);
	put(text, bytes, count);
	for (; width > count; width--)
		put(text, " ", 1);
	return format + 1;
}

size_t format_list(char *to, size_t size, const char *format,
		   va_list arguments)
{
	struct text text = { .to = to, .size = size };
	va_list copy;

	va_copy(copy, arguments);
	while (*format) {
		size_t plain = strcspn(format, "%");

		put(&text, format, plain);
		format += plain;
		if (*format)
			format = put_directive(&text, format + 1, &copy);
	}
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

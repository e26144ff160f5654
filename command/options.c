// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "../read/pin.h"
#include "../text.h"
#include "../write/format.h"
#include "../write/table.h"
#include "amount.h"
#include "options.h"

/* What an option does to struct options. */
enum kind {
	FLAG,		/* a bool is true */
	COUNT,		/* a uint8_t is one more */
	FORMAT,		/* the format is option.value */
	TEXT,		/* a string; this and what follows has an argument */
	NUMBER,		/* a whole number, at least option.value */
	SIZE,		/* bytes, with a unit */
	SECONDS, SOURCE, MODE, CHECK
};

struct option {
	char letter;		/* or 0 */
	char name[12];
	uint8_t kind;
	uint8_t value;
	uint16_t offset;	/* in struct options */
};

#define AT(member) offsetof(struct options, member)

const char source_names[SOURCES + 1][8] = {
	[SOURCE_AUTO] = "auto", [SOURCE_RAW] = "raw", [SOURCE_KFUNC] = "kfunc",
	[SOURCE_FILE] = "file", [SOURCE_PINNED] = "pinned",
};

static const struct option known[] = {
	{ 'j', "json", FORMAT, FORMAT_JSON, 0 },
	{ 0, "jsonl", FORMAT, FORMAT_JSON_LINES, 0 },
	{ 0, "csv", FORMAT, FORMAT_CSV, 0 },
	{ 0, "openmetrics", FORMAT, FORMAT_OPENMETRICS, 0 },
	{ 'f', "fields", TEXT, 0, AT(fields) },
	{ 'd', "depth", NUMBER, 0, AT(depth) },
	{ 's', "sort", TEXT, 0, AT(sort) },
	{ 'n', "top", NUMBER, 1, AT(top) },
	{ 'i', "interval", SECONDS, 0, AT(interval) },
	{ 'c', "count", NUMBER, 1, AT(count) },
	{ 'r', "rate", FLAG, 0, AT(rate) },
	{ 'o', "output", TEXT, 0, AT(output) },
	{ 0, "bytes", FLAG, 0, AT(bytes) },
	{ 0, "warn", CHECK, false, 0 },
	{ 0, "crit", CHECK, true, 0 },
	{ 0, "source", SOURCE, 0, 0 },
	{ 0, "pin", TEXT, 0, AT(pin) },
	{ 0, "mode", MODE, 0, AT(mode) },
	{ 0, "group", NUMBER, 0, AT(group) },
	{ 0, "capacity", NUMBER, 1, AT(capacity) },
	{ 0, "pinned", TEXT, 0, AT(pinned) },
	{ 0, "unpin", TEXT, 0, AT(unpin) },
	{ 0, "btf", TEXT, 0, AT(btf) },
	{ 0, "allocinfo", FLAG, 0, AT(allocinfo) },
	{ 0, "by", TEXT, 0, AT(by) },
	{ 0, "file", TEXT, 0, AT(file) },
	{ 0, "function", TEXT, 0, AT(function) },
	{ 0, "module", TEXT, 0, AT(module) },
	{ 0, "min-size", SIZE, 0, AT(min_size) },
	{ 0, "probe", FLAG, 0, AT(probe) },
	{ 'v', "verbose", COUNT, 0, AT(verbose) },
	{ 'V', "version", FLAG, 0, AT(version) },
	{ 'h', "help", FLAG, 0, AT(help) },
};

#define KNOWN	(sizeof(known) / sizeof(known[0]))

/*
 * What --help says of each, in the order of known: what it takes and a tab, if
 * it takes something, then the text, "\n" before a line that goes on. Those
 * of which nothing stands here are told of by others.
 */
static const char help[] =
	"one JSON object, instead of a table\0"
	"one JSON object a cgroup and line\0"
	"CSV (RFC 4180)\0"
	"OpenMetrics, for Prometheus\0"
	"LIST\twhat to print, names with commas; or all, default (the\n"
		"table's), help (lists them)\0"
	"N\tonly N levels below the first\0"
	"FIELD[+FIELD]\tby a field or a sum of them, the largest first\0"
	"N\tonly the N first; without --sort: by memory.current\0"
	"SEC\tagain and again, each SEC seconds; the table is drawn\n"
		"in place in a terminal (q quits)\0"
	"N\tN times; without --interval: each second\0"
	"what counters rose by, a second\0"
	"FILE\treplace FILE at once, with each sample\0"
	"exact numbers in a table\0"
	"EXPR\tprint one line, as monitoring plugins do: is any cgroup\0"
	"EXPR\t  so? 'current+swap.current > 2G', 'current/limit > 90%'\0"
	"SOURCE\tauto (the quickest), pinned, raw (BPF, since 6.1),\n"
		"kfunc (BPF, 7.0), file (memory.stat etc.)\0"
	"DIR\tload the BPF program and keep it in DIR, below\n"
		"/sys/fs/bpf, for those who may read DIR (--mode 0444,\n"
		"--group NUMBER), with room for --capacity N cgroups\0"
	"\0\0\0"
	"DIR\tread by what is kept there, not " PIN_DEFAULT "\0"
	"DIR\tremove it\0"
	"FILE\tthe kernel's BTF is there\0"
	"the kernel's allocation sites, the largest first,\n"
		"or --sort calls, with --interval what grew most;\n"
		"--top N, --min-size SIZE, --by file|function|module;\n"
		"only where --file, --function, --module TEXT matches\0"
	"\0\0\0\0\0"
	"print what works here and why not\0"
	"say on stderr what is used and what is passed over;\n"
		"twice: where the time went\0"
	"print the version\0"
	"print this";

#define HELP_COLUMN	24	/* where texts begin; lines that go on 2 later */

static void write_text(struct out *out, const char *text)
{
	size_t length;

	for (;; text += length + 1) {
		length = text_until(text, "\n");
		out_bytes(out, text, length);
		out_char(out, '\n');
		if (!text[length])
			return;
		table_pad(out, HELP_COLUMN + 2, 0);
	}
}

void options_help(struct out *out)
{
	const char *text = help, *tab;
	char line[40];
	size_t length, i;

	out_text(out, "Usage: memcgstat [OPTION]... [CGROUP]\n"
		 "Print the memory statistics of every cgroup, or of CGROUP and"
		 " what is below:\na path as in /proc/self/cgroup, a directory of"
		 " a cgroup file system, or self.\n\n");
	for (i = 0; i < KNOWN; i++, text += strlen(text) + 1) {
		const struct option *option = &known[i];
		bool has_letter = option->letter;

		if (!*text)
			continue;
		tab = text + text_until(text, "\t");
		length = format_text(line, sizeof(line), "  %s%.*s%s--%s%s%.*s",
				     has_letter ? "-" : " ", 1,
				     has_letter ? &option->letter : " ",
				     has_letter ? ", " : "  ", option->name,
				     *tab ? " " : "",
				     *tab ? (int)(tab - text) : 0, text);
		out_bytes(out, line, length);
		table_pad(out, HELP_COLUMN, length < HELP_COLUMN ? length :
			  HELP_COLUMN - 2);
		if (*tab)
			text = tab + 1;
		write_text(out, text);
	}
	out_text(out, "\nExit status: 0 done; 1 failed, or not all could be read"
		 " or written; 2 usage.\nWith --warn or --crit: 0 OK, 1 WARNING,"
		 " 2 CRITICAL, 3 UNKNOWN.\n");
}

static const char *set_source(struct options *options, const char *text)
{
	unsigned int i;

	for (i = 0; i <= SOURCES; i++) {
		if (!strcmp(text, source_names[i])) {
			options->source = (enum source)i;
			return NULL;
		}
	}
	return "auto, pinned, raw, kfunc or file";
}

/* Octal; nobody but the owner may ever write to a pin. */
static const char *set_mode(struct options *options, const char *text)
{
	uint32_t mode = 0;
	const char *at;

	for (at = text; *at >= '0' && *at <= '7' && mode < 01000; at++)
		mode = mode * 8 + (uint32_t)(*at - '0');
	options->mode = mode;
	return *at || at == text || mode & ~0644U ? "a mode by which only the"
		" owner may write: 0400, 0440 or 0444" : NULL;
}

static const char *add_check(struct options *options, const char *text,
			     bool critical)
{
	_Static_assert(OPTIONS_CHECKS == 16, "this is said below");
	if (options->check_count == OPTIONS_CHECKS)
		return "one of the first 16 of --warn and --crit";
	options->checks[options->check_count++] = (struct option_check){
		.expression = text, .critical = critical,
	};
	return NULL;
}

/* Return: NULL, or what the argument is not, but has to be. */
static const char *set(struct options *options, const struct option *option,
		       const char *argument)
{
	void *to = (char *)options + option->offset;
	const char *end = argument;

	switch ((enum kind)option->kind) {
	case FLAG:
		*(bool *)to = true;
		break;
	case COUNT:
		++*(uint8_t *)to;
		break;
	case FORMAT:
		options->format = option->value;
		break;
	case TEXT:
		*(const char **)to = argument;
		break;
	case NUMBER:
		if (!amount_decimal(&end, 1, to) || *end ||
		    argument[text_until(argument, ".")])
			return "a whole number";
		return *(uint64_t *)to < option->value ? "above 0" : NULL;
	case SIZE:
		return !amount_size(&end, to) || *end ?
			"a number and K, M, G or T" : NULL;
	case SECONDS:
		options->repeat = true;
		return !amount_decimal(&end, 1000000000, to) || *end ?
			"a number of seconds, as 1 or 0.5" : NULL;
	case SOURCE:
		return set_source(options, argument);
	case MODE:
		return set_mode(options, argument);
	case CHECK:
		return add_check(options, argument, option->value);
	}
	return NULL;
}

/* The words of a command line, up to a NULL. */
struct words {
	char **next;
	bool only_operands;	/* all that follow */
};

/* @argument: NULL: none, or the next word. Return: 0 or -EINVAL, a @reason. */
static int take(struct options *options, const struct option *option,
		const char *argument, struct words *words,
		struct reason *reason)
{
	const char *wanted;

	if (option->kind >= TEXT && !argument) {
		argument = *words->next;
		if (!argument)
			return reason_set(reason, -EINVAL, "--%s wants an"
					  " argument", option->name);
		words->next++;
	}
	wanted = set(options, option, argument);
	return wanted ? reason_set(reason, -EINVAL, "--%s '%s': not %s",
				   option->name, argument, wanted) : 0;
}

/* "NAME" or "NAME=ARGUMENT" */
static int parse_long(struct options *options, const char *text,
		      struct words *words, struct reason *reason)
{
	const struct option *match = NULL;
	size_t length = text_until(text, "="), i;
	const char *argument = text[length] ? text + length + 1 : NULL;

	for (i = 0; i < KNOWN; i++) {
		if (strncmp(known[i].name, text, length))
			continue;
		if (!known[i].name[length]) {
			match = &known[i];
			break;
		}
		if (match)
			return reason_set(reason, -EINVAL, "--%s could be --%s"
					  " or --%s", text, match->name,
					  known[i].name);
		match = &known[i];
	}
	if (!match)
		return reason_set(reason, -EINVAL, "unknown option --%s", text);
	options->check = options->check || match->kind == CHECK;
	if (argument && match->kind < TEXT)
		return reason_set(reason, -EINVAL, "--%s takes no argument",
				  match->name);
	return take(options, match, argument, words, reason);
}

/* "jv", "fLIST": letters, the last of which may want an argument. */
static int parse_short(struct options *options, const char *text,
		       struct words *words, struct reason *reason)
{
	bool is_last = false;
	int err = 0;
	size_t i;

	for (; *text && !is_last && !err; text++) {
		for (i = 0; i < KNOWN && known[i].letter != *text; i++)
			;
		if (i == KNOWN)
			return reason_set(reason, -EINVAL, "unknown option"
					  " -%.*s", 1, text);
		is_last = known[i].kind >= TEXT;
		err = take(options, &known[i], is_last && text[1] ? text + 1 :
			   NULL, words, reason);
	}
	return err;
}

/* Return: 0 or -EINVAL with a @reason. */
static int parse_word(struct options *options, const char *text,
		      struct words *words, struct reason *reason)
{
	if (words->only_operands || text[0] != '-' || !text[1]) {
		if (options->operand)
			return reason_set(reason, -EINVAL, "only one cgroup can"
					  " be named: '%s' is too many", text);
		options->operand = text;
		return 0;
	}
	if (text[1] != '-')
		return parse_short(options, text + 1, words, reason);
	if (text[2])
		return parse_long(options, text + 2, words, reason);
	words->only_operands = true;
	return 0;
}

int options_parse(struct options *options, int argc, char **argv,
		  struct reason *reason)
{
	struct words words = { .next = argv + (argc > 0) };
	struct reason further;
	int err = 0;

	memset(options, 0, sizeof(*options));
	options->depth = options->top = options->count = options->group =
		UINT64_MAX;
	options->mode = 0400;
	while (*words.next) {
		const char *text = *words.next++;
		int wrong = parse_word(options, text, &words,
				       err ? &further : reason);

		err = err ? err : wrong;
	}
	if (!err && !options->allocinfo &&
	    (options->by || options->file || options->function ||
	     options->module || options->min_size))
		err = reason_set(reason, -EINVAL, "--by, --file, --function,"
				 " --module and --min-size are of --allocinfo");
	if (options->depth > UINT32_MAX)
		options->depth = UINT32_MAX;
	if (!options->fields)
		options->fields = options->format == FORMAT_TABLE &&
			!options->pin ? "default" : "all";
	if (!err && options->pinned && options->source != SOURCE_AUTO &&
	    options->source != SOURCE_PINNED)
		err = reason_set(reason, -EINVAL, "--pinned is a source of its"
				 " own: no other --source goes with it");
	if (options->pinned)
		options->source = SOURCE_PINNED;
	return err;
}

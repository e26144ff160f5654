// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What rules make of cgroups' values, and the line and object that tell it. */
#include <errno.h>

#include "../../command/rules.h"
#include "../../read/snapshot.h"
#include "capture.h"
#include "test.h"

#define NONE	VALUE_NO_LIMIT
#define GONE	VALUE_ABSENT

/* Fields are a, b and c. */
static int resolve(void *context, const char *name, size_t length,
		   struct reason *reason)
{
	(void)context;
	return length == 1 && *name >= 'a' && *name <= 'c' ? *name - 'a' :
		reason_set(reason, -EINVAL, "unknown '%.*s'", (int)length,
			   name);
}

struct thing {
	const char *name;	/* NULL: there are no more */
	uint64_t a, b;
};

#define ROOM	GONE, GONE
static const struct thing usual[] = {
	{ "/", ROOM }, { "/x", 50, 100 }, { "/y", 93, 100 }, { "/z", 95, 100 },
	{ "/free", 1 << 20, NONE }, { NULL, 0, 0 },
};
static const struct thing roots[] = { { "/", ROOM }, { NULL, 0, 0 } };
static const struct thing unlimited[] = {
	{ "/x", 5000, NONE }, { "/y", 6000, NONE }, { NULL, 0, 0 },
};
static const struct thing nothing[] = {
	{ "/x", 0, 0 }, { "/y", 3, 0 }, { NULL, 0, 0 },
};
static const struct thing names[] = {
	{ "/a|b\n\x1b[2J\xc3\x28\xc2\x85\xc3\xa4 '\"", 7, 100 }, { NULL, 0, 0 },
};
static const struct thing large[] = {
	{ "/x", 3ULL << 30, 100 }, { "/y", INT64_MAX, 1 }, { NULL, 0, 0 },
};

static const struct {
	const struct thing *things;
	const char *warn, *crit;	/* or NULL */
	const char *note;
	enum verdict_unit unit;		/* of what is no ratio */
	const char *line;
} cases[] = {
	{ usual, "a/b > 80%", "a/b > 94%", NULL, VERDICT_NUMBER,
	  "CRITICAL: /z: a/b is 95% (> 94%), 1 of 5 cgroups exceed"
	  " | 'a/b'=95%;80;94;0" },
	{ usual, "a/b > 80%", "a/b >= 95.0001%", NULL, VERDICT_NUMBER,
	  "WARNING: /z: a/b is 95% (> 80%), 2 of 5 cgroups exceed"
	  " | 'a/b'=95%;80;95.0001;0" },
	{ usual, "a/b > 96%", "a/b > 97%", NULL, VERDICT_NUMBER,
	  "OK: /z: a/b is 95% (not > 96%), 0 of 5 cgroups exceed"
	  " | 'a/b'=95%;96;97;0" },
	/* what is less is worse */
	{ usual, "a/b < 60%", NULL, NULL, VERDICT_NUMBER,
	  "WARNING: /x: a/b is 50% (< 60%), 1 of 5 cgroups exceed"
	  " | 'a/b'=50%;60:;;0" },
	{ usual, "a/b>60%", "a/b<10%", NULL, VERDICT_NUMBER,
	  "WARNING: /z: a/b is 95% (>60%), 2 of 5 cgroups exceed"
	  " | 'a/b'=95%;60;;0" },
	/* other fields */
	{ usual, "b > 1", " a+b  > 100 ", NULL, VERDICT_BYTES,
	  "CRITICAL: /free: a+b is max (> 100 ), 4 of 5 cgroups exceed"
	  " | 'a+b'=U;;100;0" },
	{ large, "a > 1G", NULL, NULL, VERDICT_BYTES,
	  "WARNING: /y: a is 7.9E (> 1G), 2 of 2 cgroups exceed"
	  " | 'a'=9223372036854775807B;1073741824;;0" },
	{ large, "a < 4G", NULL, NULL, VERDICT_NUMBER,
	  "WARNING: /x: a is 3221225472 (< 4G), 1 of 2 cgroups exceed"
	  " | 'a'=3221225472;4294967296:;;0" },
	/* no limit, and nothing */
	{ unlimited, "a/b > 0%", NULL, NULL, VERDICT_NUMBER,
	  "OK: a/b is without a limit (not > 0%), 0 of 2 cgroups exceed"
	  " | 'a/b'=U;0;;0" },
	{ nothing, NULL, "a/b > 500%", NULL, VERDICT_NUMBER,
	  "CRITICAL: /y: a/b is infinite (> 500%), 1 of 2 cgroups exceed"
	  " | 'a/b'=U;;500;0" },
	/* unknown, unless something is worse */
	{ roots, "a > 1", NULL, "none has a", VERDICT_NUMBER,
	  "UNKNOWN: none has a" },
	{ usual, "a/b > 94%", NULL, "/q: a|b\nc", VERDICT_NUMBER,
	  "WARNING: /z: a/b is 95% (> 94%), 1 of 5 cgroups exceed;"
	  " /q: a\\x7cb\\x0ac | 'a/b'=95%;94;;0" },
	{ usual, "a/b > 99%", NULL, "/q: unreadable", VERDICT_NUMBER,
	  "UNKNOWN: /q: unreadable" },
	/* a name that could break the line */
	{ names, "a > 1", NULL, NULL, VERDICT_NUMBER,
	  "WARNING: /a\\x7cb\\x0a\\x1b[2J\\xc3(\\xc2\\x85\xc3\xa4 '\": a is 7"
	  " (> 1), 1 of 1 cgroups exceed | 'a'=7;1;;0" },
};

/* The line or object that a case comes to; the caller frees it. */
static char *verdict_of(size_t n, bool json, enum verdict_state *state)
{
	static struct options options;
	static struct rules rules;
	struct out *out = capture_begin();
	struct verdict verdict;
	struct reason reason;
	size_t size, i;

	options.check_count = 0;
	memset(&rules, 0, sizeof(rules));
	rules.kind = "cgroup";
	for (i = 0; i < 2; i++)
		if (i ? cases[n].crit : cases[n].warn)
			options.checks[options.check_count++] =
				(struct option_check){
				i ? cases[n].crit : cases[n].warn, i };
	CHECK_NUMBER("parse", rules_parse(&rules, &options, resolve, NULL,
					  &reason), 0);
	for (i = 0; i < rules.count; i++)
		if (!rules.list[i].expression.right.count)
			rules.list[i].unit = cases[n].unit;
	for (i = 0; cases[n].things[i].name; i++) {
		const struct thing *thing = &cases[n].things[i];
		const uint64_t values[] = { thing->a, thing->b, GONE };
		char *copy = test_copy(thing->name, strlen(thing->name));

		CHECK_NUMBER("look", rules_look(&rules, copy,
			     strlen(thing->name), values), 0);
		free(copy);
	}
	CHECK_NUMBER("told", !rules_untold(&rules),
		     cases[n].things != roots);
	rules_judge(&rules, &verdict, cases[n].note);
	*state = verdict.state;
	verdict_write(out, &verdict, json);
	rules_free(&rules);
	return capture_end(&size);
}

static void test_lines(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum verdict_state got;
		char want[300], *text = verdict_of(i, false, &got);

		snprintf(want, sizeof(want), "%s\n", cases[i].line);
		CHECK_TEXT("line", text, want);
		CHECK_NUMBER(want, got, *text == 'C' ? VERDICT_CRITICAL :
			     *text == 'W' ? VERDICT_WARNING : *text == 'O' ?
			     VERDICT_OK : VERDICT_UNKNOWN);
		free(text);
	}
}

static void test_objects(void)
{
	static const struct {
		size_t n;
		const char *text;
	} objects[] = {
		{ 0, "{\"state\": \"CRITICAL\", \"status\": 2, \"cgroup\":"
		  " \"/z\", \"condition\": \"a/b > 94%\", \"value\": 95,"
		  " \"unit\": \"%\", \"warn\": 80, \"crit\": 94, \"exceeding\":"
		  " 1, \"of\": 5}\n" },
		{ 8, "{\"state\": \"OK\", \"status\": 0, \"condition\":"
		  " \"a/b > 0%\", \"value\": null, \"unit\": \"%\", \"warn\": 0,"
		  " \"crit\": null, \"exceeding\": 0, \"of\": 2}\n" },
		{ 10, "{\"state\": \"UNKNOWN\", \"status\": 3, \"note\":"
		  " \"none has a\"}\n" },
		{ 11, "{\"state\": \"WARNING\", \"status\": 1, \"cgroup\":"
		  " \"/z\", \"condition\": \"a/b > 94%\", \"value\": 95,"
		  " \"unit\": \"%\", \"warn\": 94, \"crit\": null,"
		  " \"exceeding\": 1, \"of\": 5, \"note\":"
		  " \"/q: a|b\\u000ac\"}\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		enum verdict_state state;
		char *text = verdict_of(objects[i].n, true, &state);

		CHECK_TEXT("object", text, objects[i].text);
		free(text);
	}
}

static void test_refused(void)
{
	struct options options = { .check_count = 2, .checks = {
		{ "a > 1", false }, { "a > x", true } } };
	static struct rules rules;
	struct reason reason;

	CHECK_NUMBER("second", rules_parse(&rules, &options, resolve, NULL,
					   &reason), -EINVAL);
	CHECK(strstr(reason.text, "'a > x'"), "%s", reason.text);
	rules_free(&rules);
}

static const struct test tests[] = {
	{ "lines", test_lines }, { "objects", test_objects },
	{ "refused", test_refused },
};

int main(void)
{
	return TESTS_RUN("verdict", tests);
}

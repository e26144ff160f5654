// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What --fields makes of names. */
#include <errno.h>

#include "../../read/fields.h"
#include "../../read/selection.h"
#include "test.h"

/* What a list came to: "file", "file:key", with blanks; "all" in front. */
static int describe(const char *list, bool v1, char *to, size_t size)
{
	char *copy = test_copy(list, strlen(list) + 1);
	struct reason reason = { "" };
	struct selection selection;
	int err = selection_parse(&selection, copy, v1, &reason);
	size_t used = 0, i;

	to[0] = '\0';
	if (err) {
		CHECK(strlen(reason.text) > 5, "%s: a reason", list);
		snprintf(to, size, "%s", reason.text);
		free(copy);
		return err;
	}
	free(copy);	/* the selection has its own */
	if (selection.all)
		used += (size_t)snprintf(to, size, "all");
	for (i = 0; i < selection.count; i++) {
		const struct selected *item = &selection.items[i];

		used += (size_t)snprintf(to + used, size - used, "%s%s%s%s",
					 used ? " " : "", item->file,
					 item->key ? ":" : "",
					 item->key ? item->key : "");
	}
	selection_free(&selection);
	return 0;
}

static const struct {
	const char *list;
	bool v1;
	const char *want;
} lists[] = {
	{ "memory.current", false, "memory.current" },
	{ "current", false, "memory.current" },
	{ "memory.stat.anon", false, "memory.stat:anon" },
	{ "anon", false, "memory.stat:anon" },
	{ "stat.anon", false, "memory.stat:anon" },
	{ "events.oom_kill", false, "memory.events:oom_kill" },
	{ "memory.events.oom_kill", false, "memory.events:oom_kill" },
	{ "events.local.oom_kill", false, "memory.events.local:oom_kill" },
	{ "memory.events.local.oom_kill", false,
	  "memory.events.local:oom_kill" },
	{ "swap.events.fail", false, "memory.swap.events:fail" },
	{ "swap.current", false, "memory.swap.current" },
	{ "oom.group", false, "memory.oom.group" },
	{ "cgroup.stat.nr_descendants", false, "cgroup.stat:nr_descendants" },
	{ "working_set", false, "working_set" },
	{ "working_set", true, "working_set" },
	{ "max", false, "memory.max" },
	{ "swap.max", false, "memory.swap.max" },
	{ "rss", true, "memory.stat:rss" },
	{ "usage_in_bytes", true, "memory.usage_in_bytes" },
	{ "oom_control.under_oom", true, "memory.oom_control:under_oom" },
	/* whole files */
	{ "memory.stat", false, "memory.stat" },
	{ "memory.events", false, "memory.events" },
	{ "memory.events.local", false, "memory.events.local" },
	{ "memory.swap.events", false, "memory.swap.events" },
	{ "cgroup.stat", false, "cgroup.stat" },
	{ "memory.oom_control", true, "memory.oom_control" },
	{ "stat", false, "memory.stat" },
	{ "events", false, "memory.events" },
	{ "events.local", false, "memory.events.local" },
	{ "swap.events", false, "memory.swap.events" },
	/* many, in the order asked for */
	{ "anon,memory.current,events.oom_kill", false,
	  "memory.stat:anon memory.current memory.events:oom_kill" },
	{ "file,memory.stat,anon", false,
	  "memory.stat:file memory.stat memory.stat:anon" },
	{ "all", false, "all" },
	{ "all", true, "all" },
	{ "anon,all", false, "all memory.stat:anon" },
	{ "default", false, "memory.current memory.max working_set"
	  " memory.stat:anon memory.stat:file memory.stat:kernel" },
	{ "default", true, "memory.usage_in_bytes memory.limit_in_bytes"
	  " working_set memory.stat:total_rss memory.stat:total_cache" },
	/* keys of newer kernels, in files that are known */
	{ "memory.stat.newer", false, "memory.stat:newer" },
	{ "memory.events.newer", false, "memory.events:newer" },
	{ "memory.swap.events.newer", false, "memory.swap.events:newer" },
	{ "cgroup.stat.nr_subsys_cpu", false, "cgroup.stat:nr_subsys_cpu" },
	{ "memory.stat.dotted.key", false, "memory.stat:dotted.key" },
	{ "stat.newer", false, "memory.stat:newer" },
	{ "events.local.newer", false, "memory.events.local:newer" },
	/* names that are none */
	{ "", false, NULL },
	{ ",", false, NULL },
	{ "anon,", false, NULL },
	{ ",anon", false, NULL },
	{ "anon,,file", false, NULL },
	{ "all,", false, NULL },
	{ " anon", false, NULL },
	{ "anon file", false, NULL },
	{ "Anon", false, NULL },
	{ "ano", false, NULL },
	{ "anonx", false, NULL },
	{ "memory", false, NULL },
	{ "memory.", false, NULL },
	{ "memory.stat.", false, NULL },
	{ "memory.events.local.", false, NULL },
	{ "memory.current.x", false, NULL },
	{ "memory.statx.anon", false, NULL },
	{ "memory.anon", false, NULL },
	{ "memory.memory.stat", false, NULL },
	{ "stat.", false, NULL },
	{ "newer", false, NULL },
	{ ".", false, NULL },
	{ "anon,nothing,file", false, NULL },
};

static void test_lists(void)
{
	char got[512];
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		int err = describe(lists[i].list, lists[i].v1, got,
				   sizeof(got));

		CHECK_NUMBER(lists[i].list, err, lists[i].want ? 0 : -EINVAL);
		if (!err && lists[i].want)
			CHECK_TEXT(lists[i].list, got, lists[i].want);
	}
}

/* A key that is not known belongs to the file with the longest name. */
static void test_unknown_key_of_longer_file(void)
{
	char got[512];

	CHECK_NUMBER("newer", describe("memory.events.local.newer", false, got,
				       sizeof(got)), 0);
	CHECK_TEXT("newer", got, "memory.events.local:newer");
}

/* The reason names what is wrong. */
static void test_reasons(void)
{
	char got[512];

	describe("anon,nonsense,file", false, got, sizeof(got));
	CHECK(strstr(got, "nonsense"), "unknown name: %.99s", got);
	CHECK(!strstr(got, "anon,"), "only the one name: %.99s", got);
	describe("anon,,file", false, got, sizeof(got));
	CHECK(strstr(got, "anon,,file"), "empty name: %.99s", got);
}

static void test_too_many(void)
{
	char list[5 * 1000 + 1], got[512];
	struct reason reason = { "" };
	struct selection selection;
	size_t count;

	for (count = 0; count < 1000; count++)
		memcpy(list + count * 5, "anon,", 5);
	list[SELECTION_MAX * 5 - 1] = '\0';
	CHECK_NUMBER("just enough", selection_parse(&selection, list, false,
						    &reason), 0);
	CHECK(selection.count && selection.count <= SELECTION_MAX,
	      "count %zu", selection.count);
	selection_free(&selection);
	/* the same one again and again, then distinct ones */
	list[SELECTION_MAX * 5 - 1] = ',';
	list[(SELECTION_MAX + 1) * 5 - 1] = '\0';
	CHECK_NUMBER("one more", describe(list, false, got, sizeof(got)),
		     -EINVAL);
	CHECK(strstr(got, "256"), "the reason: %.99s", got);
	list[sizeof(list) - 2] = '\0';
	CHECK_NUMBER("1000", describe(list, false, got, sizeof(got)), -EINVAL);
}

/* By its full and by its short name, a field is that field. */
static void test_round_trip(void)
{
	char full[160], brief[160], got[512], want[160];
	size_t i;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];
		const char *file = field_file(field), *key = field_key(field);
		bool v1 = !(field->version & FIELD_V2);

		snprintf(full, sizeof(full), "%s%s%s", file, key ? "." : "",
			 key ? key : "");
		snprintf(want, sizeof(want), "%s%s%s", file, key ? ":" : "",
			 key ? key : "");
		field_short_name(brief, sizeof(brief), file, key);
		CHECK_NUMBER(full, describe(full, v1, got, sizeof(got)), 0);
		CHECK_TEXT(full, got, want);
		CHECK_NUMBER(brief, describe(brief, v1, got, sizeof(got)), 0);
		CHECK_TEXT(brief, got, want);
		CHECK(strlen(brief) < 64, "%s fits in 64 bytes", brief);
	}
}

static void test_short_names(void)
{
	static const struct {
		const char *file, *key, *want;
	} names[] = {
		{ "memory.stat", "anon", "anon" },
		{ "memory.current", NULL, "current" },
		{ "memory.swap.max", NULL, "swap.max" },
		{ "memory.events", "oom", "events.oom" },
		{ "memory.events.local", "oom", "events.local.oom" },
		{ "cgroup.stat", "nr_descendants",
		  "cgroup.stat.nr_descendants" },
		{ "working_set", NULL, "working_set" },
	};
	char got[64];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		CHECK_TEXT(names[i].want, field_short_name(got, sizeof(got),
				names[i].file, names[i].key), names[i].want);
	field_short_name(got, 8, "memory.stat", "much_longer_than_that");
	CHECK_TEXT("cut off", got, "much_lo");
}

static void check_has(const char *list, const char *file, const char *key,
		      bool has, bool needs)
{
	struct selection selection;
	struct reason reason;

	if (selection_parse(&selection, list, false, &reason)) {
		CHECK(false, "%s: %.99s", list, reason.text);
		return;
	}
	CHECK(selection_has(&selection, file, key) == has,
	      "%s: has %s %s", list, file, key ? key : "");
	CHECK(selection_needs(&selection, file, key) == needs,
	      "%s: needs %s %s", list, file, key ? key : "");
	if (needs)
		CHECK(selection_needs_file(&selection, file),
		      "%s: needs file %s", list, file);
	selection_free(&selection);
}

static void test_has(void)
{
	check_has("anon", "memory.stat", "anon", true, true);
	check_has("anon,anon", "memory.stat", "anon", true, true);
	check_has("anon", "memory.stat", "file", false, false);
	check_has("anon", "memory.current", NULL, false, false);
	check_has("memory.stat", "memory.stat", "file", true, true);
	check_has("memory.stat", "memory.stat", "newer", true, true);
	check_has("memory.events", "memory.events.local", "oom", false, false);
	check_has("all", "memory.current", NULL, true, true);
	check_has("all", "memory.stat", "newer", true, true);
	check_has("memory.max", "memory.current", NULL, false, false);
	/* what derived fields are made of is needed, not shown */
	check_has("working_set", "working_set", NULL, true, true);
	check_has("working_set", "memory.current", NULL, false, true);
	check_has("working_set", "memory.stat", "inactive_file", false, true);
	check_has("working_set", "memory.stat", "inactive", false, false);
	check_has("working_set", "memory.stat", "anon", false, false);
	check_has("working_set", "memory.swap.current", NULL, false, false);
	check_has("slab", "memory.stat", "slab_reclaimable", false, true);
	check_has("slab", "memory.stat", "slab_unreclaimable", false, true);
	check_has("slab", "memory.stat", "slab", true, true);
	check_has("pgscan", "memory.stat", "pgscan_khugepaged", false, true);
	check_has("pgscan", "memory.stat", "pgsteal_kswapd", false, false);
}

static void test_needs_file(void)
{
	static const struct {
		const char *list, *file;
		bool want;
	} files[] = {
		{ "anon", "memory.stat", true },
		{ "anon", "memory.current", false },
		{ "memory.stat.newer", "memory.stat", true },
		{ "working_set", "memory.stat", true },
		{ "working_set", "memory.current", true },
		{ "working_set", "memory.max", false },
		{ "working_set", "memory.curr", false },
		{ "working_set", "memory.sta", false },
		{ "working_set", "memory.swap.current", false },
		{ "events.oom", "memory.events", true },
		{ "events.oom", "memory.events.local", false },
		{ "events.local.oom", "memory.events", false },
		{ "all", "cgroup.stat", true },
	};
	struct selection selection;
	struct reason reason;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		CHECK_NUMBER(files[i].list, selection_parse(&selection,
				files[i].list, false, &reason), 0);
		CHECK(selection_needs_file(&selection, files[i].file) ==
		      files[i].want, "%s: %s", files[i].list, files[i].file);
		selection_free(&selection);
	}
}

/* How a field is after some that are wanted and not to be printed. */
static void check_wanted(const struct selection *selection, const char *file,
			 const char *key, bool has, bool wants, bool needs)
{
	CHECK(selection_has(selection, file, key) == has &&
	      selection_wants(selection, file, key) == wants &&
	      selection_needs(selection, file, key) == needs, "%s %s: %d %d %d",
	      file, key ? key : "", selection_has(selection, file, key),
	      selection_wants(selection, file, key),
	      selection_needs(selection, file, key));
}

static void check_wanted_all(const struct selection *selection)
{
	check_wanted(selection, "memory.stat", "file", false, true, true);
	check_wanted(selection, "memory.events", "new_key", false, true, true);
	check_wanted(selection, "memory.current", NULL, true, true, true);
	check_wanted(selection, "limit", NULL, false, true, true);
	CHECK(selection_needs_file(selection, "memory.events"), "its file");
}

static void test_wanted(void)
{
	static const char text[] = "filememory.events.new_keycurrentlimit";
	static const struct {
		size_t at, length;
	} names[] = { { 0, 4 }, { 4, 21 }, { 25, 7 }, { 32, 5 } };
	struct selection selection, v1;
	struct reason reason;
	size_t i;

	CHECK_NUMBER("current", selection_parse(&selection, "current,anon",
						false, &reason), 0);
	for (i = 0; i < 4; i++)
		CHECK_NUMBER(text + names[i].at, selection_want(&selection,
			text + names[i].at, names[i].length, &reason), 2 + i);
	check_wanted_all(&selection);
	check_wanted(&selection, "memory.stat", "anon", true, true, true);
	check_wanted(&selection, "memory.max", NULL, false, false, true);
	check_wanted(&selection, "memory.stat", "hierarchical_memory_limit",
		     false, false, false);
	CHECK_TEXT("newer", selection_unknown(&selection)->key, "new_key");
	CHECK_NUMBER("v1", selection_for_v1(&v1, &selection, &reason), 0);
	check_wanted_all(&v1);
	check_wanted(&v1, "memory.stat", "anon", true, true, true);
	check_wanted(&v1, "memory.max", NULL, false, false, false);
	check_wanted(&v1, "memory.stat", "hierarchical_memory_limit",
		     false, false, true);
	selection_free(&v1);
	selection_free(&selection);
	CHECK_NUMBER("empty", selection.count, 0);
	/* nothing at all is printed */
	CHECK_NUMBER("alone", selection_want(&selection, "limit", 5, &reason),
		     0);
	check_wanted(&selection, "limit", NULL, false, true, true);
	selection_free(&selection);
}

/* "default" means others there; what is wanted stays. */
static void test_wanted_v1(void)
{
	struct selection selection, v1;
	struct reason reason;

	CHECK_NUMBER("default", selection_parse(&selection, "default", false,
						&reason), 0);
	CHECK_NUMBER("want", selection_want(&selection, "limit", 5, &reason),
		     6);
	CHECK_NUMBER("v1", selection_for_v1(&v1, &selection, &reason), 0);
	CHECK_NUMBER("v1", v1.count, 6);
	check_wanted(&v1, "limit", NULL, false, true, true);
	check_wanted(&v1, "memory.usage_in_bytes", NULL, true, true, true);
	check_wanted(&v1, "memory.current", NULL, false, false, false);
	selection_free(&v1);
	selection_free(&selection);
}

static void test_not_wanted(void)
{
	static const char *const names[] = { "memory.events", "stat", "all",
		"nonsense", "default", "", "a,b" };
	static char longest[40000];
	struct selection selection;
	struct reason reason;
	size_t i;

	memset(&selection, 0, sizeof(selection));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		reason.text[0] = '\0';
		CHECK(selection_want(&selection, names[i], strlen(names[i]),
				     &reason) == -EINVAL &&
		      strstr(reason.text, names[i]), "'%s': %s", names[i],
		      reason.text);
	}
	memset(longest, 'x', sizeof(longest));
	for (i = 0; i < 3; i++)
		CHECK_NUMBER("too long", selection_want(&selection, longest,
			     sizeof(longest), &reason), -EINVAL);
	selection_free(&selection);
	for (i = 0; i < SELECTION_MAX; i++)
		CHECK_NUMBER("many", selection_want(&selection, "anon", 4,
						    &reason), i);
	CHECK_NUMBER("too many", selection_want(&selection, "anon", 4, &reason),
		     -EINVAL);
	selection_free(&selection);
}

static const struct test tests[] = {
	{ "lists", test_lists },
	{ "unknown_key_of_longer_file", test_unknown_key_of_longer_file },
	{ "reasons", test_reasons },
	{ "too_many", test_too_many },
	{ "round_trip", test_round_trip },
	{ "short_names", test_short_names },
	{ "has", test_has },
	{ "needs_file", test_needs_file },
	{ "wanted", test_wanted }, { "wanted_v1", test_wanted_v1 },
	{ "not_wanted", test_not_wanted },
};

int main(void)
{
	return TESTS_RUN("selection", tests);
}

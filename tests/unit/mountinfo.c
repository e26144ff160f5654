// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>

#include "../../read/hierarchy.h"
#include "test.h"

static const struct {
	const char *line;
	int want;
	int version;
	const char *root, *point;
} lines[] = {
	/* cgroup2, with none, one and three optional fields */
	{ "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw", 0, 2,
	  "/", "/sys/fs/cgroup" },
	{ "30 23 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2"
	  " rw,nsdelegate,memory_recursiveprot", 0, 2, "/", "/sys/fs/cgroup" },
	{ "30 23 0:26 /a/b /mnt rw shared:9 master:3 propagate_from:2"
	  " - cgroup2 none rw\n", 0, 2, "/a/b", "/mnt" },
	{ "30 23 0:26 /../.. /mnt rw - cgroup2 none rw", 0, 2, "/../..",
	  "/mnt" },
	/* v1, with none, one and three */
	{ "31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory", 0,
	  1, "/", "/sys/fs/cgroup/memory" },
	{ "31 23 0:27 / /m rw shared:9 - cgroup cgroup rw,memory\n", 0, 1, "/",
	  "/m" },
	{ "31 23 0:27 / /m rw shared:9 master:3 unbindable - cgroup cgroup"
	  " rw,memory", 0, 1, "/", "/m" },
	{ "31 23 0:27 / /m rw - cgroup cgroup rw,cpu,memory", 0, 1, "/", "/m" },
	{ "31 23 0:27 / /m rw - cgroup cgroup rw,memory,cpu", 0, 1, "/", "/m" },
	{ "31 23 0:27 / /m rw - cgroup cgroup memory", 0, 1, "/", "/m" },
	/* the controller's name as a part of another word is not it */
	{ "31 23 0:27 / /m rw - cgroup cgroup rw,cpu", -ENOENT, 0, NULL, NULL },
	{ "31 23 0:27 / /m rw - cgroup cgroup rw,memory2", -ENOENT, 0, NULL,
	  NULL },
	{ "31 23 0:27 / /m rw - cgroup cgroup rw,xmemory", -ENOENT, 0, NULL,
	  NULL },
	{ "31 23 0:27 / /m rw - cgroup cgroup rw,name=memory", -ENOENT, 0, NULL,
	  NULL },
	{ "31 23 0:27 / /memory rw - cgroup memory rw,xattr,name=systemd",
	  -ENOENT, 0, NULL, NULL },
	{ "31 23 0:27 / /m rw,memory - cgroup cgroup rw,cpu", -ENOENT, 0, NULL,
	  NULL },
	/* the source is what a person gave: it tells nothing */
	{ "30 23 0:26 / /a rw - cgroup2 tmpfs rw", 0, 2, "/", "/a" },
	{ "30 23 0:26 / /a rw - cgroup2 - rw", 0, 2, "/", "/a" },
	{ "30 23 0:26 / /a rw - cgroup2 x\\040-\\040ext4 rw", 0, 2, "/", "/a" },
	{ "40 23 0:26 / /a rw - tmpfs cgroup2 rw", -ENOENT, 0, NULL, NULL },
	{ "40 23 0:26 / /a rw - tmpfs cgroup rw,memory", -ENOENT, 0, NULL,
	  NULL },
	{ "40 23 0:26 / /cgroup2 rw - tmpfs x\\040-\\040cgroup2 rw", -ENOENT, 0,
	  NULL, NULL },
	{ "40 23 0:26 / /a rw - cgroup2x cgroup2 rw", -ENOENT, 0, NULL, NULL },
	{ "40 23 0:26 / /a rw - cgroupfs cgroup rw,memory", -ENOENT, 0, NULL,
	  NULL },
	/* mount -t cgroup "" /a: the kernel prints an empty source */
	{ "30 23 0:26 / /a rw - cgroup2  rw", 0, 2, "/", "/a" },
	{ "31 23 0:27 / /a rw - cgroup  rw,memory", 0, 1, "/", "/a" },
	{ "31 23 0:27 / /a rw - cgroup  rw,cpu", -ENOENT, 0, NULL, NULL },
	/* octal escapes */
	{ "30 23 0:26 /a\\040b /x\\011y\\012z\\134w rw - cgroup2 none rw", 0, 2,
	  "/a b", "/x\ty\nz\\w" },
	{ "30 23 0:26 / /a\\134040b rw - cgroup2 none rw", 0, 2, "/",
	  "/a\\040b" },
	{ "30 23 0:26 / /a\\043\\303\\244 rw - cgroup2 none rw", 0, 2, "/",
	  "/a#\xc3\xa4" },
	{ "30 23 0:26 / /a\\ rw - cgroup2 none rw", 0, 2, "/", "/a\\" },
	{ "30 23 0:26 / /a\\04 rw - cgroup2 none rw", 0, 2, "/", "/a\\04" },
	{ "30 23 0:26 / /a\\089 rw - cgroup2 none rw", 0, 2, "/", "/a\\089" },
	{ "30 23 0:26 / /a\\040-\\040b rw - cgroup2 none rw", 0, 2, "/",
	  "/a - b" },
	/* no lines of mountinfo */
	{ "", -EINVAL, 0, NULL, NULL },
	{ " ", -EINVAL, 0, NULL, NULL },
	{ "-", -EINVAL, 0, NULL, NULL },
	{ " - ", -EINVAL, 0, NULL, NULL },
	{ " - cgroup2 cgroup2 rw", -EINVAL, 0, NULL, NULL },
	{ "30 23 0:26 - cgroup2 cgroup2 rw", -EINVAL, 0, NULL, NULL },
	{ "30 23 0:26 / - cgroup2 cgroup2 rw", -EINVAL, 0, NULL, NULL },
	{ "30 23 0:26 / /sys/fs/cgroup rw -", -EINVAL, 0, NULL, NULL },
	{ "30 23 0:26 / /sys/fs/cgroup rw - ", -EINVAL, 0, NULL, NULL },
	{ "30 23 0:26 / /sys/fs/cgroup rw cgroup2 cgroup2 rw", -EINVAL, 0, NULL,
	  NULL },
	{ "30 23 0:26 / /sys/fs/cgroup rw -cgroup2 cgroup2 rw", -EINVAL, 0,
	  NULL, NULL },
	{ "cgroup2", -EINVAL, 0, NULL, NULL },
};

static void check_line(size_t i)
{
	size_t size = strlen(lines[i].line) + 1;
	char *line = test_copy(lines[i].line, size);
	struct cgroup_mount mount = { 0 };
	int got = mountinfo_parse(line, &mount);

	CHECK_NUMBER(lines[i].line, got, lines[i].want);
	if (!got && !lines[i].want) {
		CHECK_NUMBER(lines[i].line, mount.version, lines[i].version);
		CHECK_TEXT(lines[i].line, mount.root, lines[i].root);
		CHECK_TEXT(lines[i].line, mount.point, lines[i].point);
		CHECK(mount.root >= line && mount.point < line + size,
		      "%s: root and point lie in the line", lines[i].line);
	}
	free(line);
}

static void test_lines(void)
{
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (*lines[i].line)
			check_line(i);
}

static void test_empty_line(void)
{
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (!*lines[i].line)
			check_line(i);
}

/* A line cut off anywhere: nothing is read or written outside it. */
static void test_truncation(void)
{
	size_t i, size;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		for (size = 1; size < strlen(lines[i].line); size++) {
			char *line = test_copy(lines[i].line, size + 1);
			struct cgroup_mount mount = { 0 };
			int got;

			line[size] = '\0';
			got = mountinfo_parse(line, &mount);
			CHECK(got == 0 || got == -ENOENT || got == -EINVAL,
			      "%s cut at %zu: %d", lines[i].line, size, got);
			if (!got)
				CHECK(mount.version == 1 || mount.version == 2,
				      "%s cut at %zu: version %d",
				      lines[i].line, size, mount.version);
			free(line);
		}
	}
}

static const struct test tests[] = {
	{ "lines", test_lines },
	{ "empty_line", test_empty_line },
	{ "truncation", test_truncation },
};

int main(void)
{
	return TESTS_RUN("mountinfo", tests);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A file that is replaced is the old one or the new one, and leaves no litter. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "../../write/replace.h"
#include "test.h"

static char directory[256];

/* A path in a directory that is empty at the beginning of each test. */
static const char *in(const char *name)
{
	static char paths[4][512];
	static int next;
	char *path = paths[next++ % 4];

	if (!directory[0]) {
		snprintf(directory, sizeof(directory), "%s/replaceXXXXXX",
			 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
		if (!mkdtemp(directory))
			exit(3);
	}
	snprintf(path, 512, "%s/%s", directory, name);
	return path;
}

static void make_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(in(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text), "%s",
	      name);
	fchmod(fd, mode);
	close(fd);
}

/* What is in a file; "(none)" where there is none. */
static const char *content(const char *name)
{
	static char text[256];
	int fd = open(in(name), O_RDONLY);
	ssize_t got;

	if (fd < 0)
		return "(none)";
	got = read(fd, text, sizeof(text) - 1);
	text[got < 0 ? 0 : got] = '\0';
	close(fd);
	return text;
}

static int replace_with(const char *name, const char *text)
{
	static struct replace replace;
	struct reason reason;
	int err = replace_begin(&replace, in(name), &reason);

	if (err)
		return err;
	CHECK(write(replace.fd, text, strlen(text)) == (ssize_t)strlen(text),
	      "%s", name);
	return replace_commit(&replace, &reason);
}

static mode_t mode_of(const char *name)
{
	struct stat stat_of;

	return stat(in(name), &stat_of) ? 0 : stat_of.st_mode & 07777;
}

static void test_commit(void)
{
	umask(022);
	CHECK_NUMBER("new", replace_with("a", "one"), 0);
	CHECK_TEXT("new", content("a"), "one");
	CHECK_NUMBER("new", mode_of("a"), 0644);
	make_file("a", "two", 0640);
	CHECK_NUMBER("again", replace_with("a", "3"), 0);
	CHECK_TEXT("again", content("a"), "3");
	CHECK_NUMBER("the old one's mode", mode_of("a"), 0640);
	CHECK_TEXT("no litter", content(".a.tmp"), "(none)");
}

static void test_abort(void)
{
	static struct replace replace;
	struct reason reason;

	make_file("a", "old", 0600);
	CHECK_NUMBER("begin", replace_begin(&replace, in("a"), &reason), 0);
	CHECK(write(replace.fd, "new", 3) == 3, "write");
	CHECK_TEXT("meanwhile", content("a"), "old");
	CHECK_NUMBER("nobody else reads it", mode_of(".a.tmp"), 0600);
	replace_abort(&replace);
	CHECK_TEXT("afterwards", content("a"), "old");
	CHECK_TEXT("no litter", content(".a.tmp"), "(none)");
}

static void test_left(void)
{
	int fd;

	make_file(".a.tmp", "left by one that was killed", 0666);
	link(in(".a.tmp"), in("linked"));
	CHECK_NUMBER("left", replace_with("a", "one"), 0);
	CHECK_TEXT("left", content("a"), "one");
	CHECK_TEXT("another name of it", content("linked"),
		   "left by one that was killed");
	make_file(".a.tmp", "in work", 0600);
	fd = open(in(".a.tmp"), O_RDONLY);
	CHECK_NUMBER("lock", flock(fd, LOCK_EX), 0);
	CHECK_NUMBER("in work", replace_with("a", "two"), -EBUSY);
	CHECK_TEXT("in work", content("a"), "one");
	CHECK_TEXT("in work", content(".a.tmp"), "in work");
	close(fd);
	unlink(in(".a.tmp"));
	CHECK_NUMBER("fifo", mkfifo(in(".a.tmp"), 0600), 0);
	CHECK_NUMBER("fifo", replace_with("a", "two"), -EEXIST);
	unlink(in(".a.tmp"));
	CHECK_NUMBER("symlink", symlink("a", in(".a.tmp")), 0);
	CHECK_NUMBER("symlink", replace_with("a", "two"), -EEXIST);
	CHECK_TEXT("at last", content("a"), "one");
}

static void test_links(void)
{
	char name[256];
	struct stat stat_of;

	make_file("a", "old", 0600);
	CHECK_NUMBER("link", symlink("a", in("b")), 0);
	CHECK_NUMBER("link", replace_with("b", "new"), 0);
	CHECK_TEXT("what it leads to", content("a"), "new");
	CHECK(!lstat(in("b"), &stat_of) && S_ISLNK(stat_of.st_mode), "a link");
	CHECK_NUMBER("dangling", symlink("c", in("d")), 0);
	CHECK_NUMBER("dangling", replace_with("d", "made"), 0);
	CHECK_TEXT("dangling", content("c"), "made");
	CHECK_NUMBER("loop", symlink("e", in("e")), 0);
	CHECK_NUMBER("loop", replace_with("e", "no"), -ELOOP);
	memset(name, 'n', 255);
	name[255] = '\0';
	CHECK_NUMBER("longest name", replace_with(name, "long"), 0);
	CHECK_TEXT("longest name", content(name), "long");
}

static void test_as_it_is(void)
{
	static struct replace replace;
	struct reason reason;
	char link_name[64];
	int fd;

	CHECK_NUMBER("a device", replace_begin(&replace, "/dev/null", &reason),
		     0);
	CHECK_TEXT("a device", replace.temporary, "");
	CHECK_NUMBER("a device", replace_commit(&replace, &reason), 0);
	make_file("gone", "old", 0600);
	fd = open(in("gone"), O_RDWR);
	unlink(in("gone"));
	snprintf(link_name, sizeof(link_name), "/proc/self/fd/%d", fd);
	CHECK_NUMBER("no name any more",
		     replace_begin(&replace, link_name, &reason), 0);
	CHECK(write(replace.fd, "new", 3) == 3, "write");
	CHECK_NUMBER("no name any more", replace_commit(&replace, &reason), 0);
	CHECK_NUMBER("in the file itself", lseek(fd, 0, SEEK_END), 3);
	CHECK_TEXT("no other file", content("gone (deleted)"), "(none)");
	CHECK_NUMBER("a directory", replace_begin(&replace, directory,
						  &reason), -EISDIR);
}

static const struct test tests[] = {
	{ "commit", test_commit },
	{ "abort", test_abort },
	{ "left", test_left },
	{ "links", test_links },
	{ "as_it_is", test_as_it_is },
};

int main(void)
{
	return TESTS_RUN("replace", tests);
}

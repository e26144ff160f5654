// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * hold DIR WORD... - have things charged to a cgroup, and keep them.
 *
 * A child moves into the cgroup DIR, does what the words say, in their order,
 * and sleeps. The parent returns when all of that is done, or when the child was
 * killed for it. Needs no shell in the cgroup, which would be charged, too.
 *
 *   anon KIB         new memory, filled
 *   huge KIB         the same in huge pages where there are any
 *   zero KIB         the same, filled with zeroes
 *   noise KIB        the same, filled with what cannot be compressed
 *   map FILE         map a file to read and execute, and touch its pages
 *   touch            touch the pages of the latest of these again
 *   lock, cold, free, pageout, hugepage, collapse
 *                    mlock(2) it, and the madvise(2)s of these names
 *   drop             unmap it
 *   reclaim KIB      have the kernel reclaim so much from the cgroup
 *   pause            a tenth of a second
 *   write FILE KIB   make a file, in pieces of up to 2 MiB
 *   read FILE        all of it
 *   flush FILE       begin to write it to its disk
 *   tcp KIB          send so much to a socket that nobody reads
 *   descriptors      a million of possible ones: the table is vmalloc's
 *   fork             a child, which sleeps: its stack is charged where it is made
 *   until FILE       all that follows once more and again, until there is FILE
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/mman.h>

#include "need.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif

#define PAGE		4096
#define HUGE		(2 << 20)

struct area {
	char *memory;
	size_t size;
	int fixed;		/* a file's: not to be written */
};

static char buffer[HUGE];
static const char *cgroup;

static size_t kib(const char *text)
{
	return strtoul(text, NULL, 10) << 10;
}

/* Neither all zeroes, which is never stored, nor hard to compress. */
static void fill(char *to, size_t size)
{
	char page[PAGE];
	size_t i, rest;

	for (i = 0; i < PAGE; i++)
		page[i] = (char)i;
	for (i = 0; i < size; i += PAGE) {
		rest = size - i;
		memcpy(page, &i, sizeof(i));
		memcpy(to + i, page, rest < PAGE ? rest : PAGE);
	}
}

static void fill_noise(char *to, size_t size)
{
	unsigned long long state = 88172645463325252ULL;
	size_t i;

	for (i = 0; i + sizeof(state) <= size; i += sizeof(state)) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		memcpy(to + i, &state, sizeof(state));
	}
}

static void make_area(struct area *area, const char *kind, const char *size)
{
	area->size = kib(size);
	area->fixed = 0;
	area->memory = mmap(NULL, area->size + HUGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(area->memory != MAP_FAILED, "mmap");
	area->memory += -(size_t)area->memory & (HUGE - 1);
	madvise(area->memory, area->size, strcmp(kind, "huge") ?
		MADV_NOHUGEPAGE : MADV_HUGEPAGE);
	if (!strcmp(kind, "zero"))
		memset(area->memory, 0, area->size);
	else if (!strcmp(kind, "noise"))
		fill_noise(area->memory, area->size);
	else
		fill(area->memory, area->size);
}

static void touch(const struct area *area)
{
	volatile char *memory = area->memory;
	size_t i;

	for (i = 0; i < area->size; i += PAGE) {
		char byte = memory[i];

		if (!area->fixed)
			memory[i] = byte;
	}
}

/* At an address where huge pages fit. */
static void map_file(struct area *area, const char *name)
{
	struct stat stat;
	char *place;
	int fd = open(name, O_RDONLY);

	need(fd >= 0 && !fstat(fd, &stat), name);
	area->size = (size_t)stat.st_size;
	area->fixed = 1;
	place = mmap(NULL, area->size + HUGE, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(place != MAP_FAILED, "mmap");
	place += -(size_t)place & (HUGE - 1);
	area->memory = mmap(place, area->size, PROT_READ | PROT_EXEC,
			    MAP_PRIVATE | MAP_FIXED, fd, 0);
	need(area->memory == place, name);
	close(fd);
	touch(area);
}

static void advise(const struct area *area, const char *word)
{
	if (!strcmp(word, "lock")) {
		need(!mlock(area->memory, area->size), word);
	} else if (!strcmp(word, "cold")) {
		need(!madvise(area->memory, area->size, MADV_COLD), word);
	} else if (!strcmp(word, "free")) {
		need(!madvise(area->memory, area->size, MADV_FREE), word);
	} else if (!strcmp(word, "pageout")) {
		need(!madvise(area->memory, area->size, MADV_PAGEOUT), word);
	} else if (!strcmp(word, "hugepage")) {
		need(!madvise(area->memory, area->size, MADV_HUGEPAGE), word);
	} else {
		/* some kernels and file systems cannot, or not now */
		madvise(area->memory, area->size, MADV_HUGEPAGE);
		madvise(area->memory, area->size, MADV_COLLAPSE);
	}
}

static void write_file(const char *name, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	size_t piece;

	need(fd >= 0, name);
	fill(buffer, size < sizeof(buffer) ? size : sizeof(buffer));
	for (; size; size -= piece) {
		piece = size < sizeof(buffer) ? size : sizeof(buffer);
		need(write(fd, buffer, piece) == (ssize_t)piece, name);
	}
	close(fd);
}

static void read_file(const char *name)
{
	int fd = open(name, O_RDONLY);
	ssize_t got;

	need(fd >= 0, name);
	do {
		got = read(fd, buffer, 64 << 10);
	} while (got > 0);
	need(!got, name);
	close(fd);
}

static void flush_file(const char *name)
{
	int fd = open(name, O_WRONLY);

	need(fd >= 0 && !sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE),
	     name);
	close(fd);
}

/* Both ends are ours, and stay open. */
static void send_tcp(size_t size)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t length = sizeof(to);
	int from = socket(AF_INET, SOCK_STREAM, 0);
	int at = socket(AF_INET, SOCK_STREAM, 0);
	ssize_t sent;

	need(from >= 0 && at >= 0, "socket");
	need(!bind(at, (void *)&to, sizeof(to)) && !listen(at, 1) &&
	     !getsockname(at, (void *)&to, &length) &&
	     !connect(from, (void *)&to, length), "connect: is lo up?");
	need(accept(at, NULL, NULL) >= 0, "accept");
	memset(buffer, 1, 64 << 10);
	for (; size; size -= (size_t)sent) {
		sent = send(from, buffer, size < 64 << 10 ? size : 64 << 10,
			    MSG_DONTWAIT);
		if (sent <= 0)
			break;		/* the buffers are full */
	}
}

static void make_descriptors(void)
{
	struct rlimit limit = { 1 << 20, 1 << 20 };

	need(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
	need(dup2(1, (1 << 20) - 1) >= 0, "dup2");
}

/* There may be less to reclaim, which is as good. */
static void reclaim(const char *amount)
{
	char path[4096], text[32];
	int fd;

	snprintf(path, sizeof(path), "%s/memory.reclaim", cgroup);
	snprintf(text, sizeof(text), "%sK", amount);
	fd = open(path, O_WRONLY);
	need(fd >= 0 && (write(fd, text, strlen(text)) > 0 || errno == EAGAIN),
	     path);
	close(fd);
}

static void sleep_on(void)
{
	for (;;)
		pause();
}

/* Return: the word after those that this one took, or NULL: no such word. */
static char **do_word(char **word)
{
	static struct area area;
	static const char *const kinds = " anon huge zero noise ";
	static const char *const advices = " lock cold free pageout hugepage "
		"collapse ";
	char name[32];

	snprintf(name, sizeof(name), " %s ", *word);
	if (strstr(advices, name))
		advise(&area, *word);
	else if (!strcmp(*word, "touch"))
		touch(&area);
	else if (!strcmp(*word, "drop"))
		munmap(area.memory, area.size);
	else if (!strcmp(*word, "descriptors"))
		make_descriptors();
	else if (!strcmp(*word, "pause"))
		usleep(100000);
	else if (!strcmp(*word, "fork"))
		fork() ? (void)0 : sleep_on();
	else if (!word[1])
		return NULL;
	else if (strstr(kinds, name))
		make_area(&area, *word, word[1]), word++;
	else if (!strcmp(*word, "map"))
		map_file(&area, *++word);
	else if (!strcmp(*word, "read"))
		read_file(*++word);
	else if (!strcmp(*word, "flush"))
		flush_file(*++word);
	else if (!strcmp(*word, "reclaim"))
		reclaim(*++word);
	else if (!strcmp(*word, "tcp"))
		send_tcp(kib(*++word));
	else if (!strcmp(*word, "write") && word[2])
		write_file(word[1], kib(word[2])), word += 2;
	else
		return NULL;
	return word + 1;
}

static char **do_words(char **word)
{
	while (*word && strcmp(*word, "until")) {
		char *name = *word;

		word = do_word(word);
		if (!word) {
			fprintf(stderr, "hold: what is '%s'?\n", name);
			exit(1);
		}
	}
	return word;
}

static void charge(char **argv, int ready)
{
	char **rest;
	int fd;

	cgroup = argv[1];
	enter(cgroup);
	rest = do_words(argv + 2);
	if (*rest && rest[1])
		do_words(rest + 2);
	need(write(ready, "", 1) == 1, "pipe");
	/* nobody waits for our output's end */
	for (fd = 0; fd < 3; fd++)
		close(fd);
	close(ready);
	if (!*rest)
		sleep_on();
	while (access(rest[1], F_OK))
		do_words(rest + 2);
	_exit(0);
}

int main(int argc, char **argv)
{
	int ready[2], status;
	char byte;
	pid_t child;

	if (argc < 3) {
		fprintf(stderr, "usage: hold DIR WORD...\n");
		return 1;
	}
	need(!pipe(ready), "pipe");
	child = fork();
	need(child >= 0, "fork");
	if (!child)
		charge(argv, ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1)
		return 0;
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? 0 : 1;
}

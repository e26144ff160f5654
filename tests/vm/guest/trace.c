// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * trace opens FILE COMMAND [ARGUMENT]...
 *	write to FILE each path that the command opens, one a line, whether that
 *	worked or not; with the directory that it is relative to
 * trace reads WHAT FILE DIR COMMAND [ARGUMENT]...
 *	write to FILE what the cgroup DIR's memory.stat and cgroup.stat held just
 *	when the command had read last from a file with WHAT in its name: nothing
 *	has moved since. Each line begins with "./memory.stat:" or
 *	"./cgroup.stat:".
 * trace at N HOOK COMMAND [ARGUMENT]...
 *	have the shell do HOOK when the command is about to make its Nth system
 *	call, execve(2) being the first; $CHILD is the command's process there
 *
 * A tracer of its own: strace is too much for a guest without libraries.
 * Returns what the command returns, or 125 with a message.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/types.h>

#define NEED_STATUS	125
#include "need.h"

#define FILES	2

/* What PTRACE_GET_SYSCALL_INFO tells of a system call's begin or end. */
struct call {
	__u8 op;
	__u8 padding[3];
	__u32 arch;
	__u64 instruction;
	__u64 stack;
	union {
		struct {
			__u64 number;
			__u64 arguments[6];
		} entry;
		struct {
			__s64 value;
			__u8 is_error;
		} exit;
	};
};

enum { ENTRY = 1, EXIT = 2 };

/* A file of the cgroup, and what it held. */
static struct {
	const char *name;
	int fd;
	ssize_t length;
	char text[16 << 10];
} files[FILES] = {
	{ .name = "memory.stat" },
	{ .name = "cgroup.stat" },
};

/* The name of a file that the command has open. Return: its length, or -1. */
static ssize_t read_link(pid_t child, int fd, char *path, size_t size)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", child, fd);
	length = readlink(link, path, size - 1);
	if (length >= 0)
		path[length] = '\0';
	return length;
}

static void print_path(FILE *out, pid_t child, int directory, __u64 address)
{
	char path[4096] = "", above[4096];
	size_t i;

	/* byte by byte: the string may end where the mapping does */
	for (i = 0; i < sizeof(path) - 1; i++) {
		struct iovec to = { path + i, 1 };
		struct iovec from = { (void *)(size_t)(address + i), 1 };

		if (process_vm_readv(child, &to, 1, &from, 1, 0) != 1 ||
		    !path[i])
			break;
	}
	path[i] = '\0';
	if (path[0] != '/' &&
	    read_link(child, directory, above, sizeof(above)) > 0)
		fprintf(out, "%s/", above);
	fprintf(out, "%s\n", path);
}

static void note_open(FILE *out, pid_t child, const struct call *call)
{
	const __u64 *arguments = call->entry.arguments;

	if (call->op != ENTRY)
		return;
#ifdef SYS_open
	if (call->entry.number == SYS_open || call->entry.number == SYS_creat)
		print_path(out, child, AT_FDCWD, arguments[0]);
#endif
	if (call->entry.number == SYS_openat ||
	    call->entry.number == SYS_openat2)
		print_path(out, child, (int)arguments[0], arguments[1]);
}

static void open_files(const char *dir)
{
	char path[4096];
	int i;

	for (i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i].name);
		files[i].fd = open(path, O_RDONLY | O_CLOEXEC);
		need(files[i].fd >= 0, path);
		memset(files[i].text, 0, sizeof(files[i].text));
	}
	/* what we do then must not be seen in the numbers */
	need(!mlockall(MCL_CURRENT), "mlockall");
}

static void copy_files(void)
{
	int i;

	for (i = 0; i < FILES; i++) {
		files[i].length = pread(files[i].fd, files[i].text,
					sizeof(files[i].text), 0);
		need(files[i].length > 0, files[i].name);
	}
}

static void print_files(FILE *out)
{
	const char *line, *end;
	int i;

	for (i = 0; i < FILES; i++)
		for (line = files[i].text;
		     line < files[i].text + files[i].length; line = end + 1) {
			end = strchr(line, '\n');
			need(end != NULL, files[i].name);
			fprintf(out, "./%s:%.*s\n", files[i].name,
				(int)(end - line), line);
		}
}

/* At the end of a read(2) from a file of that name. */
static void note_read(const char *what, pid_t child, const struct call *call)
{
	static int fd = -1;
	char path[4096];

	if (call->op == ENTRY) {
		fd = call->entry.number == SYS_read ?
			(int)call->entry.arguments[0] : -1;
		return;
	}
	if (fd < 0 || call->exit.is_error)
		return;
	need(read_link(child, fd, path, sizeof(path)) > 0, "readlink");
	if (strstr(path, what))
		copy_files();
}

static void run_hook(const char *hook, pid_t child)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", child);
	need(!setenv("CHILD", number, 1) && !system(hook), hook);
}

static pid_t start(char **command)
{
	pid_t child = fork();
	int status;

	need(child >= 0, "fork");
	if (!child) {
		need(!ptrace(PTRACE_TRACEME, 0, NULL, NULL), "ptrace");
		raise(SIGSTOP);
		execvp(command[0], command);
		need(0, command[0]);
	}
	need(waitpid(child, &status, 0) == child, "wait");
	need(!ptrace(PTRACE_SETOPTIONS, child, NULL,
		     (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC |
			      PTRACE_O_EXITKILL)), "ptrace");
	return child;
}

/* Return: the next system call's begin or end; @status is set at the last. */
static int next(pid_t child, struct call *call, int *status)
{
	do {
		/* there is none any more if it was just killed */
		need(!ptrace(PTRACE_SYSCALL, child, NULL, NULL) ||
		     errno == ESRCH, "ptrace");
		need(waitpid(child, status, 0) == child, "wait");
		if (!WIFSTOPPED(*status))
			return 0;
		/* else an exec, or a signal: dropped */
	} while (WSTOPSIG(*status) != (SIGTRAP | 0x80));
	need(ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof(*call),
		    call) > 0, "ptrace");
	return 1;
}

static int trace_opens(char **arguments)
{
	FILE *out = fopen(arguments[0], "we");
	struct call call;
	int status;
	pid_t child;

	need(out != NULL, arguments[0]);
	child = start(arguments + 1);
	while (next(child, &call, &status))
		note_open(out, child, &call);
	need(!fclose(out), arguments[0]);
	return status;
}

static int trace_reads(char **arguments)
{
	FILE *out = fopen(arguments[1], "we");
	struct call call;
	int status;
	pid_t child;

	need(out != NULL, arguments[1]);
	child = start(arguments + 3);
	open_files(arguments[2]);
	while (next(child, &call, &status))
		note_read(arguments[0], child, &call);
	print_files(out);
	need(!fclose(out), arguments[1]);
	return status;
}

static int trace_at(char **arguments)
{
	pid_t child = start(arguments + 2);
	int left = atoi(arguments[0]), status;
	struct call call;

	while (next(child, &call, &status))
		if (call.op == ENTRY && --left == 0)
			run_hook(arguments[1], child);
	return status;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name, *usage;
		int arguments;		/* with a command, at least */
		int (*run)(char **arguments);
	} jobs[] = {
		{ "opens", "FILE", 2, trace_opens },
		{ "reads", "WHAT FILE DIR", 4, trace_reads },
		{ "at", "N HOOK", 3, trace_at },
	};
	size_t i;

	for (i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		if (argc - 2 >= jobs[i].arguments &&
		    !strcmp(argv[1], jobs[i].name)) {
			int status = jobs[i].run(argv + 2);

			return WIFEXITED(status) ? WEXITSTATUS(status) :
				128 + WTERMSIG(status);
		}
	}
	for (i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		fprintf(stderr, "usage: trace %s %s COMMAND...\n",
			jobs[i].name, jobs[i].usage);
	return 125;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * opens FILE COMMAND [ARGUMENT]... - write to FILE each path that the command
 * opens, one a line, whether that worked or not. A tracer of its own: strace is
 * too much for a guest without libraries. Only x86-64's system calls.
 * Returns what the command returns, or 125 with a message.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/reg.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void need(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(125);
	}
}

static long reg(pid_t child, int index)
{
	return ptrace(PTRACE_PEEKUSER, child, (void *)(8L * index), NULL);
}

static void print_path(FILE *out, pid_t child, long address)
{
	char path[4096] = "";
	size_t i;

	/* byte by byte: the string may end where the mapping does */
	for (i = 0; i < sizeof(path) - 1; i++) {
		struct iovec to = { path + i, 1 };
		struct iovec from = { (void *)(address + (long)i), 1 };

		if (process_vm_readv(child, &to, 1, &from, 1, 0) != 1 ||
		    !path[i])
			break;
	}
	path[i] = '\0';
	fprintf(out, "%s\n", path);
}

int main(int argc, char **argv)
{
	int status, entering = 1;
	pid_t child;
	FILE *out;

	if (argc < 3) {
		fprintf(stderr, "usage: opens FILE COMMAND...\n");
		return 125;
	}
	out = fopen(argv[1], "we");
	need(out != NULL, argv[1]);
	child = fork();
	need(child >= 0, "fork");
	if (!child) {
		need(!ptrace(PTRACE_TRACEME, 0, NULL, NULL), "ptrace");
		raise(SIGSTOP);
		execvp(argv[2], argv + 2);
		need(0, argv[2]);
	}
	need(waitpid(child, &status, 0) == child, "wait");
	need(!ptrace(PTRACE_SETOPTIONS, child, NULL,
		     (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC |
			      PTRACE_O_EXITKILL)), "ptrace");
	for (;;) {
		need(!ptrace(PTRACE_SYSCALL, child, NULL, NULL), "ptrace");
		need(waitpid(child, &status, 0) == child, "wait");
		if (WIFEXITED(status))
			return fclose(out) ? 125 : WEXITSTATUS(status);
		if (WIFSIGNALED(status))
			return 128 + WTERMSIG(status);
		if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			continue;	/* an exec, or a signal: dropped */
		if (entering) {
			long call = reg(child, ORIG_RAX);

			if (call == SYS_open || call == SYS_creat)
				print_path(out, child, reg(child, RDI));
			else if (call == SYS_openat || call == SYS_openat2)
				print_path(out, child, reg(child, RSI));
		}
		entering = !entering;
	}
}

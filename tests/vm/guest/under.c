// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * under CONDITION... -- COMMAND [ARGUMENT]... - run a command under conditions,
 * which are set up in the order given:
 *
 *   uid=N        that user and group, with no capability at all
 *   caps=LIST    that user with these only, as numbers with commas: give it
 *                before uid=N (linux/capability.h: 38 PERFMON, 39 BPF,
 *                21 SYS_ADMIN)
 *   seccomp      bpf(2) is denied with EPERM
 *   cgroup=DIR   in that cgroup
 *   newcgroup    in a new cgroup namespace
 *   newmount     in a new mount namespace
 *   socket       with a TCP socket open, which keeps the cgroup that it is from
 *   closed       with stdin, stdout and stderr closed
 *
 * Also fit as PID 1: the kernel hands it what follows "--" on its command line,
 * up to another "--"; "run" will do in its place.
 * Returns what the command returns, or 125 with a message.
 */
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#define NEED_STATUS	125
#include "need.h"

static unsigned long long capabilities;

static void set_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];
	int i;

	for (i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = data[i].inheritable =
			(unsigned int)(capabilities >> 32 * i);
	need(!syscall(SYS_capset, &header, data), "capset");
	/* what is ambient outlives exec without file capabilities */
	for (i = 0; i < 64; i++)
		if (capabilities >> i & 1)
			need(!prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, i, 0,
				    0), "ambient capability");
}

static void set_user(const char *text)
{
	unsigned long id = strtoul(text, NULL, 10);

	need(!prctl(PR_SET_KEEPCAPS, 1), "keepcaps");
	/* the raw calls: no libc's threads are to be told */
	need(!syscall(SYS_setgroups, 0, NULL) &&
	     !syscall(SYS_setresgid, id, id, id) &&
	     !syscall(SYS_setresuid, id, id, id), "setresuid");
	set_capabilities();
}

static void deny_bpf(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(code) / sizeof(code[0]), code };

	need(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	     !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), "seccomp");
}

static void apply(const char *condition)
{
	const char *value = strchr(condition, '=');
	char *end;

	value = value ? value + 1 : "";
	if (!strncmp(condition, "uid=", 4)) {
		set_user(value);
	} else if (!strncmp(condition, "caps=", 5)) {
		for (; *value; value = *end ? end + 1 : end)
			capabilities |= 1ULL << strtoul(value, &end, 10);
	} else if (!strcmp(condition, "seccomp")) {
		deny_bpf();
	} else if (!strncmp(condition, "cgroup=", 7)) {
		enter(value);
	} else if (!strcmp(condition, "newcgroup")) {
		need(!unshare(CLONE_NEWCGROUP), "cgroup namespace");
	} else if (!strcmp(condition, "newmount")) {
		need(!unshare(CLONE_NEWNS) && !mount("", "/", NULL, MS_REC |
						     MS_PRIVATE, NULL),
		     "mount namespace");
	} else if (!strcmp(condition, "socket")) {
		need(socket(AF_INET, SOCK_STREAM, 0) >= 0, "socket");
	} else if (!strcmp(condition, "closed")) {
		close(0);
		close(1);
		close(2);
	} else {
		fprintf(stderr, "under: what is '%s'?\n", condition);
		exit(125);
	}
}

int main(int argc, char **argv)
{
	(void)argc;
	while (*++argv && strcmp(*argv, "--") && strcmp(*argv, "run"))
		apply(*argv);
	if (!*argv || !*++argv) {
		fprintf(stderr, "usage: under CONDITION... -- COMMAND\n");
		return 125;
	}
	execvp(argv[0], argv);
	perror(argv[0]);
	return 125;
}

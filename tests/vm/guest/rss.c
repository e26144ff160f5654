// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * rss FILE COMMAND [ARGUMENT]... - write to FILE the most memory that the
 * command had resident, in KiB (ru_maxrss). Returns what the command returns.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t child;
	FILE *out;

	if (argc < 3) {
		fprintf(stderr, "usage: rss FILE COMMAND...\n");
		return 125;
	}
	child = fork();
	if (!child) {
		execvp(argv[2], argv + 2);
		_exit(125);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child) {
		perror("rss");
		return 125;
	}
	out = fopen(argv[1], "w");
	if (!out || fprintf(out, "%ld\n", usage.ru_maxrss) < 0 || fclose(out)) {
		perror(argv[1]);
		return 125;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) :
		128 + WTERMSIG(status);
}

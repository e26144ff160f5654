// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * empty_start ID - loads the program that does nothing, attaches it, walks once:
 * the least that a process can take which begins with a load. It looks nothing
 * up: ID is the type of the iterator's target.
 */
#include <stdlib.h>

#include "../../bpf.h"
#include "bench.h"
#include "peers.h"

int main(int argc, char **argv)
{
	static struct bpf_resolved resolved;
	struct bpf_walk walk;
	struct reason reason;

	need(argc == 2, "usage: empty_start ID");
	resolved.target = (uint32_t)atoi(argv[1]);
	need(!bpf_load(&walk, &empty_object, &resolved, 4096, NULL, 0,
		       &reason) &&
	     !bpf_attach(&walk, -1, true, &reason) &&
	     !bpf_walk_run(&walk, &reason), "%s", reason.text);
	bpf_unload(&walk);
	return 0;
}

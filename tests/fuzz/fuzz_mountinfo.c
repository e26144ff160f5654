// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../read/hierarchy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cgroup_mount mount = { 0 };
	char *line = malloc(size + 1);
	int err;

	if (!line)
		abort();
	memcpy(line, data, size);
	line[size] = '\0';
	err = mountinfo_parse(line, &mount);
	if (err && err != -ENOENT && err != -EINVAL)
		abort();
	if (!err && ((mount.version != 1 && mount.version != 2) ||
		     mount.root < line || mount.point <= mount.root ||
		     mount.point + strlen(mount.point) > line + size))
		abort();
	free(line);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "hash.h"

#define SPARE	8	/* room for cgroups that come meanwhile */

/* hash.bpf.c, compiled: HASH_OBJECT is its file. */
__asm__(".section .rodata\n"
	".balign 8\n"
	"hash_object: .incbin \"" HASH_OBJECT "\"\n"
	"hash_object_end:\n"
	".previous");
extern const char hash_object[], hash_object_end[];

int hash_open(struct hash *hash, int cgroup, uint32_t count)
{
	union bpf_iter_link_info info = { 0 };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info,
		    .link_info_len = sizeof(info));
	struct bpf_program *program;
	struct bpf_map *map;
	int err;

	hash->link = NULL;
	hash->object = bpf_object__open_mem(hash_object, (size_t)
					    (hash_object_end - hash_object),
					    NULL);
	if (!hash->object)
		return -errno;
	map = bpf_object__find_map_by_name(hash->object, "results");
	program = bpf_object__find_program_by_name(hash->object, "read_cgroup");
	err = bpf_map__set_max_entries(map, count + SPARE);
	if (!err)
		err = bpf_object__load(hash->object);
	if (err)
		return err;
	hash->map = bpf_map__fd(map);
	info.cgroup.cgroup_fd = (uint32_t)cgroup;
	info.cgroup.order = BPF_CGROUP_ITER_DESCENDANTS_PRE;
	hash->link = bpf_program__attach_iter(program, &options);
	return hash->link ? 0 : -errno;
}

int hash_walk(const struct hash *hash)
{
	char nothing[4096];
	ssize_t size;
	int fd;

	fd = bpf_iter_create(bpf_link__fd(hash->link));
	if (fd < 0)
		return -errno;
	do {
		size = read(fd, nothing, sizeof(nothing));
	} while (size > 0);
	close(fd);
	return size < 0 ? -errno : 0;
}

int hash_next(const struct hash *hash, const struct hash_value *after,
	      struct hash_value *value)
{
	uint64_t last = after ? after->id : 0, key;
	int err = bpf_map_get_next_key(hash->map, after ? &last : NULL, &key);

	return err ? err : bpf_map_lookup_elem(hash->map, &key, value);
}

void hash_close(struct hash *hash)
{
	bpf_link__destroy(hash->link);
	bpf_object__close(hash->object);
	hash->object = NULL;
	hash->link = NULL;
}

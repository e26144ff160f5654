// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/capability.h>

#include "bpf.h"
#include "fd.h"
#include "text.h"

#define BTF_FILE	"/sys/kernel/btf/vmlinux"
#define LOAD_TRIES	5	/* EAGAIN: the verifier met a signal */
#define LOG_SIZE	(64 << 10)

/*
 * All of attr is handed over: what is zero at its end no kernel minds, however
 * much of it that knows (bpf_check_uarg_tail_zero()).
 *
 * Return: what the command returns, or -errno.
 */
static int bpf(int command, union bpf_attr *attr)
{
	long ret = syscall(__NR_bpf, command, attr, sizeof(*attr));

	return ret < 0 ? -errno : (int)ret;
}

static int bpf_fd(int command, union bpf_attr *attr)
{
	int fd = bpf(command, attr);

	return fd < 0 ? fd : fd_high(fd);
}

static bool has_capability(unsigned int capability)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (syscall(__NR_capget, &header, data) < 0)
		return false;
	return data[capability / 32].effective & 1U << capability % 32;
}

/* "none integrity [confidentiality]": the one in force is in brackets. */
static bool is_locked_down(void)
{
	static const char mode[] = "[confidentiality]";
	char text[128] = "", *at;

	fd_read(AT_FDCWD, "/sys/kernel/security/lockdown", text,
		sizeof(text) - 1);
	at = text + text_until(text, "[");
	return !strncmp(at, mode, sizeof(mode) - 1);
}

/*
 * What stands behind an error of bpf(2): a cause that a person can remove.
 * Return: @err, or 0 where it is none.
 */
static int explain(struct reason *reason, int err, const char *step)
{
	bool admin, cap_bpf, cap_perfmon;

	if (err >= 0)
		return 0;
	admin = has_capability(CAP_SYS_ADMIN);
	cap_bpf = admin || has_capability(CAP_BPF);
	cap_perfmon = admin || has_capability(CAP_PERFMON);
	if (err == -ENOSYS)
		return reason_set(reason, err, "this kernel has no bpf(2)");
	/* without CAP_PERFMON the verifier knows no helper that reads memory */
	if ((err == -EPERM || err == -EACCES || err == -EINVAL) &&
	    !(cap_bpf && cap_perfmon))
		return reason_set(reason, err,
			"%s is not permitted: the process lacks %s%s%s", step,
			cap_bpf ? "" : "CAP_BPF",
			cap_bpf || cap_perfmon ? "" : " and ",
			cap_perfmon ? "" : "CAP_PERFMON");
	if ((err == -EINVAL || err == -EPERM) && is_locked_down())
		return reason_set(reason, err, "%s: the kernel is locked down"
			" (lockdown=confidentiality), so BPF may not read"
			" kernel memory", step);
	if (err == -EPERM)
		return reason_set(reason, err, "%s is not permitted although"
			" the capabilities are there: a seccomp filter, a user"
			" namespace or a security module denies bpf(2)", step);
	if (err == -ENOMEM)
		return reason_set(reason, err, "%s: the kernel has no memory"
			" for it (is memory.max of this cgroup too small?)",
			step);
	return reason_error(reason, err, step);
}

/* Room for a whole BTF in btf->text. Return: 0 or -ENOMEM. */
static int make_room(struct bpf_btf *btf, size_t size)
{
	btf->text.used = 0;
	if (!buffer_reserve(&btf->text, size))
		return -ENOMEM;
	btf->text.used = size;
	return 0;
}

static int copy_file(struct bpf_btf *btf, int fd, size_t size)
{
	int err = make_room(btf, size);
	size_t at = 0;
	ssize_t got;

	while (!err && at < size) {
		got = read(fd, btf->text.data + at, size - at);
		if (got > 0)
			at += (size_t)got;
		else if (!got)
			err = -EIO;
		else if (errno != EINTR)
			err = -errno;
	}
	return err;
}

static int map_file(struct bpf_btf *btf, int fd)
{
	struct stat stat;
	size_t size;
	void *data;

	if (fd_stat(fd, "", &stat, 0) < 0)
		return -errno;
	if (!S_ISREG(stat.st_mode) || stat.st_size <= 0)
		return -EINVAL;
	size = (size_t)stat.st_size;
	/* sysfs can do this since 6.16 (btf_sysfs_vmlinux_mmap) */
	data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return copy_file(btf, fd, size);
	btf->text = (struct buffer){ .data = data, .used = size, .room = size };
	return 0;
}

static int btf_from_file(struct bpf_btf *btf, const char *file,
			 struct reason *reason)
{
	int fd = fd_open(AT_FDCWD, file, O_RDONLY | O_NONBLOCK);
	int err = fd;

	if (fd >= 0) {
		err = map_file(btf, fd);
		close(fd);
	}
	if (err == -EINVAL)
		return reason_set(reason, err, "%s: not a regular file with a"
				  " BTF", file);
	return err ? reason_error(reason, err, file) : 0;
}

static int get_info(int fd, void *info, size_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = (uint32_t)size;
	attr.info.info = (uint64_t)(uintptr_t)info;
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* Copy a BTF if it is the kernel's own. Return: 0; 1: another's; or -errno. */
static int copy_btf(struct bpf_btf *btf, int fd)
{
	struct bpf_btf_info info;
	char name[16] = "";
	int err;

	memset(&info, 0, sizeof(info));
	info.name = (uint64_t)(uintptr_t)name;
	info.name_len = sizeof(name);
	err = get_info(fd, &info, sizeof(info));
	if (err == -ENOSPC)	/* its name is longer */
		return 1;
	if (err)
		return err;
	if (!info.kernel_btf || strcmp(name, "vmlinux"))
		return 1;
	err = make_room(btf, info.btf_size);
	info.name = info.name_len = 0;
	info.btf = (uint64_t)(uintptr_t)btf->text.data;
	return err ? err : get_info(fd, &info, sizeof(info));
}

/* Where /sys is not mounted: the kernel's BTF has an id and a name. */
static int btf_by_id(struct bpf_btf *btf, struct reason *reason)
{
	union bpf_attr attr;
	int fd, err;

	memset(&attr, 0, sizeof(attr));
	do {
		err = bpf(BPF_BTF_GET_NEXT_ID, &attr);
		if (err)
			break;
		attr.btf_id = attr.next_id;	/* and the next start_id */
		attr.next_id = 0;
		err = fd = bpf_fd(BPF_BTF_GET_FD_BY_ID, &attr);
		if (fd < 0)
			continue;
		err = copy_btf(btf, fd);
		close(fd);
	} while (err > 0 || err == -ENOENT);	/* a module went away */
	if (err == -ENOENT)
		return reason_set(reason, err, "the kernel has no BTF of its"
				  " own (CONFIG_DEBUG_INFO_BTF)");
	if (err == -EPERM && !has_capability(CAP_SYS_ADMIN))
		return reason_set(reason, err, "no " BTF_FILE ", and bpf(2)"
			" gives it to CAP_SYS_ADMIN alone: mount /sys, or name"
			" a file by --btf");
	return explain(reason, err, "getting the kernel's BTF");
}

/* What a BTF that btf_open() refuses is. */
static const char *what_is(const struct buffer *text, int err)
{
	if (err == -ENOTSUP)
		return "this BTF is newer than this program and does not"
			" describe itself: a newer memcgstat is needed";
	if (text->used >= 4 && !memcmp(text->data, "\177ELF", 4))
		return "an ELF file, not a plain BTF: cut out its .BTF section"
			" (objcopy -O binary -j .BTF)";
	return "not a BTF, or a damaged one";
}

int bpf_btf_open(struct bpf_btf *btf, const char *file, struct reason *reason)
{
	const char *from = file ? file : BTF_FILE;
	int err;

	memset(&btf->text, 0, sizeof(btf->text));
	if (!file && access(BTF_FILE, F_OK))
		err = btf_by_id(btf, reason);
	else
		err = btf_from_file(btf, from, reason);
	if (!err) {
		err = btf_open(&btf->btf, btf->text.data, btf->text.used);
		if (err)
			reason_set(reason, err, "%s: %s", from,
				   what_is(&btf->text, err));
	}
	if (err)
		bpf_btf_close(btf);
	return err;
}

void bpf_btf_close(struct bpf_btf *btf)
{
	buffer_free(&btf->text);
}

static int load_program(union bpf_attr *attr)
{
	int tries = LOAD_TRIES, fd;

	do {
		fd = bpf_fd(BPF_PROG_LOAD, attr);
	} while (fd == -EAGAIN && --tries);
	return fd;
}

/* Load once more for the verifier's words; keep the last that fit. */
static void load_with_log(union bpf_attr *attr, char *log, size_t log_size)
{
	struct buffer text = { 0 };
	const char *end;
	int fd;

	/* zeroes, and more than the kernel is told of */
	if (!buffer_reserve(&text, LOG_SIZE + 1))
		return;
	attr->log_level = 1;
	attr->log_buf = (uint64_t)(uintptr_t)text.data;
	attr->log_size = LOG_SIZE;
	fd = load_program(attr);
	if (fd >= 0)
		close(fd);
	end = text.data + strlen(text.data);
	format_text(log, log_size, "%s",
		    end < text.data + log_size ? text.data :
		    end - log_size + 1);
	buffer_free(&text);
}

static int map_create(size_t value_size, uint32_t flags, struct reason *reason)
{
	union bpf_attr attr;
	int map;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = (uint32_t)value_size;
	attr.max_entries = 1;
	attr.map_flags = flags;
	memcpy(attr.map_name, "memcgstat.bss", sizeof("memcgstat.bss"));
	map = bpf_fd(BPF_MAP_CREATE, &attr);
	return map < 0 ? explain(reason, map, "creating a BPF map") : map;
}

static int create_map(struct bpf_walk *walk, size_t value_size,
		      struct reason *reason)
{
	walk->map = map_create(value_size, BPF_F_MMAPABLE, reason);
	if (walk->map < 0)
		return walk->map;
	walk->value = mmap(NULL, value_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			   walk->map, 0);
	if (walk->value == MAP_FAILED) {
		walk->value = NULL;
		return explain(reason, -errno, "mapping the BPF map");
	}
	walk->size = value_size;
	return 0;
}

/* Read or write the one value of a map. */
static int map_element(int command, int map, const void *value)
{
	uint32_t key = 0;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map;
	attr.key = (uint64_t)(uintptr_t)&key;
	attr.value = (uint64_t)(uintptr_t)value;
	return bpf(command, &attr);
}

int bpf_map_make(const void *value, size_t size, struct reason *reason)
{
	int map = map_create(size, 0, reason), err;

	if (map < 0)
		return map;
	err = map_element(BPF_MAP_UPDATE_ELEM, map, value);
	if (!err)
		return map;
	close(map);
	return explain(reason, err, "filling a BPF map");
}

int bpf_map_tell(int map, struct bpf_value *value)
{
	struct bpf_map_info info;
	int err;

	memset(&info, 0, sizeof(info));
	err = get_info(map, &info, offsetof(struct bpf_map_info, name));
	if (!err && (info.type != BPF_MAP_TYPE_ARRAY || info.max_entries != 1))
		err = -EINVAL;
	value->size = info.value_size;
	value->id = info.id;
	return err;
}

int bpf_map_get(const char *path, struct bpf_value *value)
{
	union bpf_attr attr;
	int map, err;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = (uint64_t)(uintptr_t)path;
	attr.file_flags = BPF_F_RDONLY;
	map = bpf_fd(BPF_OBJ_GET, &attr);
	if (map < 0)
		return map;
	err = bpf_map_tell(map, value);
	if (!err)
		return map;
	close(map);
	return err;
}

int bpf_map_copy(int map, void *value)
{
	return map_element(BPF_MAP_LOOKUP_ELEM, map, value);
}

int bpf_pin(int fd, const char *path)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = (uint64_t)(uintptr_t)path;
	attr.bpf_fd = (uint32_t)fd;
	return bpf(BPF_OBJ_PIN, &attr);
}

int bpf_load(struct bpf_walk *walk, const struct bpf_object *object,
	     const struct bpf_resolved *resolved, size_t value_size,
	     char *log, size_t log_size, struct reason *reason)
{
	/* too large for a stack */
	static struct bpf_insn insns[BPF_MAXINSNS];
	union bpf_attr attr;
	int err;

	memset(walk, 0, sizeof(*walk));
	err = create_map(walk, value_size, reason);
	if (err)
		return err;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SYSCALL;
	if (resolved->target) {
		attr.prog_type = BPF_PROG_TYPE_TRACING;
		attr.expected_attach_type = BPF_TRACE_ITER;
		attr.attach_btf_id = resolved->target;
	}
	attr.prog_flags = BPF_F_SLEEPABLE;
	attr.insns = (uint64_t)(uintptr_t)insns;
	attr.insn_cnt = bpf_link(insns, walk->map, object, resolved);
	/* kfuncs want this, include/linux/license.h */
	attr.license = (uint64_t)(uintptr_t)"Dual BSD/GPL";
	memcpy(attr.prog_name, "memcgstat", sizeof("memcgstat"));
	walk->program = load_program(&attr);
	if (walk->program < 0 && log)
		load_with_log(&attr, log, log_size);
	return explain(reason, walk->program, "loading the BPF program");
}

int bpf_attach(struct bpf_walk *walk, int cgroup, bool alone,
	       struct reason *reason)
{
	union bpf_iter_link_info info;
	union bpf_attr attr;

	memset(&info, 0, sizeof(info));
	info.cgroup.order = alone ? BPF_CGROUP_ITER_SELF_ONLY :
		BPF_CGROUP_ITER_DESCENDANTS_PRE;
	info.cgroup.cgroup_fd = cgroup < 0 ? 0 : (uint32_t)cgroup;
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (uint32_t)walk->program;
	attr.link_create.attach_type = BPF_TRACE_ITER;
	attr.link_create.iter_info = (uint64_t)(uintptr_t)&info;
	attr.link_create.iter_info_len = sizeof(info);
	walk->link = bpf_fd(BPF_LINK_CREATE, &attr);
	if (walk->link == -ENOENT)
		return reason_set(reason, -ENOENT, "the cgroup where to start"
				  " is gone");
	return explain(reason, walk->link, "attaching the cgroup iterator");
}

int bpf_call(const struct bpf_walk *walk, struct reason *reason)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)walk->program;
	return explain(reason, bpf(BPF_PROG_RUN, &attr),
		       "running a BPF program");
}

static void close_fd(int *fd)
{
	if (*fd > 0)
		close(*fd);
	*fd = 0;
}

void bpf_unload(struct bpf_walk *walk)
{
	if (walk->value)
		munmap(walk->value, walk->size);
	walk->value = NULL;
	close_fd(&walk->link);
	close_fd(&walk->program);
	close_fd(&walk->map);
}

int bpf_walk_by(int iterator, struct reason *reason)
{
	char text[64];		/* the program prints next to nothing */
	ssize_t got;
	int all = 0;

	if (iterator < 0)
		return explain(reason, iterator, "starting the walk");
	do {
		got = read(iterator, text, sizeof(text));
		all += got > 0;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0)
		got = -errno;
	close(iterator);
	if (got == -EAGAIN)	/* MAX_ITER_OBJECTS, kernel/bpf/bpf_iter.c */
		return reason_set(reason, -EAGAIN, "one walk ends after a"
				  " million cgroups: use --source=file");
	return got < 0 ? explain(reason, (int)got, "walking the cgroups") : all;
}

int bpf_walk_run(const struct bpf_walk *walk, struct reason *reason)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.iter_create.link_fd = (uint32_t)walk->link;
	return bpf_walk_by(bpf_fd(BPF_ITER_CREATE, &attr), reason);
}

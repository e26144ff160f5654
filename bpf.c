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

#define BTF_FILE	"/sys/kernel/btf/vmlinux"
#define LOAD_TRIES	5	/* EAGAIN: the verifier met a signal */
#define LOG_SIZE	(64 << 10)

/* Offset just past a member: the kernel wants the rest of attr zero. */
#define ATTR_SIZE(member) \
	(offsetof(union bpf_attr, member) + \
	 sizeof(((union bpf_attr *)0)->member))

/* Return: what the command returns, or -errno. */
static int bpf(int command, union bpf_attr *attr, size_t size)
{
	long ret = syscall(__NR_bpf, command, attr, size);

	return ret < 0 ? -errno : (int)ret;
}

static int bpf_fd(int command, union bpf_attr *attr, size_t size)
{
	int fd = bpf(command, attr, size);

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
	int fd = fd_open(AT_FDCWD, "/sys/kernel/security/lockdown", O_RDONLY);

	if (fd < 0)
		return false;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	at = strchr(text, '[');
	return at && !strncmp(at, mode, sizeof(mode) - 1);
}

/* What stands behind an error of bpf(2): a cause that a person can remove. */
static int explain(struct reason *reason, int err, const char *step)
{
	bool admin = has_capability(CAP_SYS_ADMIN);
	bool cap_bpf = admin || has_capability(CAP_BPF);
	bool cap_perfmon = admin || has_capability(CAP_PERFMON);

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

/* Memory for @size bytes, or NULL. */
static void *map_anonymous(size_t size)
{
	void *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return data == MAP_FAILED ? NULL : data;
}

static int read_all(int fd, char *to, size_t size)
{
	while (size) {
		ssize_t got = read(fd, to, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		to += got;
		size -= (size_t)got;
	}
	return 0;
}

static int btf_from_file(struct bpf_btf *btf, const char *file,
			 struct reason *reason)
{
	int fd = fd_open(AT_FDCWD, file, O_RDONLY | O_NONBLOCK);
	int err = 0;
	struct stat stat;

	if (fd < 0)
		return reason_error(reason, fd, file);
	if (fd_stat(fd, "", &stat, 0) < 0) {
		err = -errno;
	} else if (!S_ISREG(stat.st_mode) || stat.st_size <= 0) {
		err = -EINVAL;
	} else {
		btf->size = (size_t)stat.st_size;
		/* sysfs can do this since 6.16 (btf_sysfs_vmlinux_mmap) */
		btf->data = mmap(NULL, btf->size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (btf->data == MAP_FAILED) {
			btf->data = map_anonymous(btf->size);
			err = btf->data ? read_all(fd, btf->data, btf->size) :
				-ENOMEM;
		}
	}
	close(fd);
	if (err)
		reason_set(reason, err, "%s: %s", file, err == -EINVAL ?
			   "not a regular file with a BTF" : error_text(err));
	return err;
}

/* Where /sys is not mounted: the kernel's BTF has an id and a name. */
static int btf_by_id(struct bpf_btf *btf, struct reason *reason)
{
	struct bpf_btf_info info;
	union bpf_attr attr;
	char name[16];
	uint32_t id = 0;
	int fd, err;

	for (;;) {
		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
		err = bpf(BPF_BTF_GET_NEXT_ID, &attr, ATTR_SIZE(open_flags));
		if (err)
			break;
		id = attr.next_id;
		memset(&attr, 0, sizeof(attr));
		attr.btf_id = id;
		fd = bpf_fd(BPF_BTF_GET_FD_BY_ID, &attr, ATTR_SIZE(open_flags));
		if (fd == -ENOENT)	/* a module went away */
			continue;
		if (fd < 0) {
			err = fd;
			break;
		}
		memset(&attr, 0, sizeof(attr));
		memset(&info, 0, sizeof(info));
		memset(name, 0, sizeof(name));
		info.name = (uint64_t)(uintptr_t)name;
		info.name_len = sizeof(name);
		attr.info.bpf_fd = (uint32_t)fd;
		attr.info.info_len = sizeof(info);
		attr.info.info = (uint64_t)(uintptr_t)&info;
		err = bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, ATTR_SIZE(info));
		if (!err && info.kernel_btf &&
		    !strcmp(name, "vmlinux")) {
			btf->size = info.btf_size;
			btf->data = map_anonymous(btf->size);
			memset(&info, 0, sizeof(info));
			info.btf = (uint64_t)(uintptr_t)btf->data;
			info.btf_size = (uint32_t)btf->size;
			err = btf->data ? bpf(BPF_OBJ_GET_INFO_BY_FD, &attr,
					      ATTR_SIZE(info)) : -ENOMEM;
			close(fd);
			break;
		}
		close(fd);
	}
	if (err == -ENOENT)
		return reason_set(reason, err, "the kernel has no BTF of its"
				  " own (CONFIG_DEBUG_INFO_BTF)");
	if (err == -EPERM && !has_capability(CAP_SYS_ADMIN))
		return reason_set(reason, err, BTF_FILE " is not there, and"
			" getting the kernel's BTF by bpf(2) wants"
			" CAP_SYS_ADMIN: mount /sys, or name a file by --btf");
	return err ? explain(reason, err, "getting the kernel's BTF") : 0;
}

int bpf_btf_open(struct bpf_btf *btf, const char *file, struct reason *reason)
{
	const char *from = file ? file : BTF_FILE;
	int err;

	btf->data = NULL;
	btf->size = 0;
	if (!file && access(BTF_FILE, F_OK))
		err = btf_by_id(btf, reason);
	else
		err = btf_from_file(btf, from, reason);
	if (err) {
		bpf_btf_close(btf);
		return err;
	}
	err = btf_open(&btf->btf, btf->data, btf->size);
	if (!err)
		return 0;
	if (err == -ENOTSUP)
		reason_set(reason, err, "%s: this BTF is newer than this"
			   " program and does not describe itself: a newer"
			   " memcgstat is needed", from);
	else
		reason_set(reason, err, "%s: %s", from,
			   btf->size >= 4 && !memcmp(btf->data, "\177ELF", 4) ?
			   "an ELF file, not a plain BTF: cut out its .BTF"
			   " section (objcopy -O binary -j .BTF)" :
			   "not a BTF, or a damaged one");
	bpf_btf_close(btf);
	return err;
}

void bpf_btf_close(struct bpf_btf *btf)
{
	if (btf->data)
		munmap(btf->data, btf->size);
	btf->data = NULL;
}

static int load_program(union bpf_attr *attr, size_t size)
{
	int tries = LOAD_TRIES, fd;

	do {
		fd = bpf_fd(BPF_PROG_LOAD, attr, size);
	} while (fd == -EAGAIN && --tries);
	return fd;
}

/* Load once more for the verifier's words; keep the last that fit. */
static void load_with_log(union bpf_attr *attr, size_t size, char *log,
			  size_t log_size)
{
	char *text = map_anonymous(LOG_SIZE);
	const char *tail;
	size_t length;
	int fd;

	if (!text)
		return;
	attr->log_level = 1;
	attr->log_buf = (uint64_t)(uintptr_t)text;
	attr->log_size = LOG_SIZE;
	fd = load_program(attr, size);
	if (fd >= 0)
		close(fd);
	length = strnlen(text, LOG_SIZE - 1);
	tail = text + (length >= log_size ? length - log_size + 1 : 0);
	memcpy(log, tail, (size_t)(text + length - tail));
	log[text + length - tail] = '\0';
	munmap(text, LOG_SIZE);
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
	map = bpf_fd(BPF_MAP_CREATE, &attr, ATTR_SIZE(map_name));
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
	return bpf(command, &attr, ATTR_SIZE(flags));
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
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	memset(&info, 0, sizeof(info));
	attr.info.bpf_fd = (uint32_t)map;
	attr.info.info_len = offsetof(struct bpf_map_info, name);
	attr.info.info = (uint64_t)(uintptr_t)&info;
	err = bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, ATTR_SIZE(info));
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
	map = bpf_fd(BPF_OBJ_GET, &attr, ATTR_SIZE(file_flags));
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
	return bpf(BPF_OBJ_PIN, &attr, ATTR_SIZE(file_flags));
}

int bpf_load(struct bpf_walk *walk, const struct bpf_object *object,
	     const struct bpf_resolved *resolved, size_t value_size,
	     char *log, size_t log_size, struct reason *reason)
{
	struct bpf_insn insns[BPF_MAXINSNS];
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
	walk->program = load_program(&attr, ATTR_SIZE(attach_btf_id));
	if (walk->program < 0) {
		if (log)
			load_with_log(&attr, ATTR_SIZE(attach_btf_id), log,
				      log_size);
		return explain(reason, walk->program,
			       "loading the BPF program");
	}
	return 0;
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
	walk->link = bpf_fd(BPF_LINK_CREATE, &attr,
			    ATTR_SIZE(link_create.iter_info_len));
	if (walk->link == -ENOENT)
		return reason_set(reason, -ENOENT, "the cgroup where to start"
				  " is gone");
	return walk->link < 0 ?
		explain(reason, walk->link, "attaching the cgroup iterator") :
		0;
}

int bpf_call(const struct bpf_walk *walk, struct reason *reason)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)walk->program;
	err = bpf(BPF_PROG_RUN, &attr, ATTR_SIZE(test.batch_size));
	return err < 0 ? explain(reason, err, "running a BPF program") : 0;
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
	char nothing[64];	/* the program prints nothing */
	ssize_t got;

	if (iterator < 0)
		return explain(reason, iterator, "starting the walk");
	do {
		got = read(iterator, nothing, sizeof(nothing));
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0)
		got = -errno;
	close(iterator);
	if (got == -EAGAIN)	/* MAX_ITER_OBJECTS, kernel/bpf/bpf_iter.c */
		return reason_set(reason, -EAGAIN, "one walk ends after a"
				  " million cgroups: use --source=file");
	return got < 0 ? explain(reason, (int)got, "walking the cgroups") : 0;
}

int bpf_walk_run(const struct bpf_walk *walk, struct reason *reason)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.iter_create.link_fd = (uint32_t)walk->link;
	return bpf_walk_by(bpf_fd(BPF_ITER_CREATE, &attr,
				  ATTR_SIZE(iter_create)), reason);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * memcgstat prints the memory statistics of every cgroup. Here are its options,
 * the choice of a source, and its exit status; read/ fills a snapshot from that
 * source, write/ prints it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "command/options.h"
#include "read/files.h"
#include "read/hierarchy.h"
#include "read/parse.h"
#include "read/selection.h"
#include "read/walk.h"
#include "write/json.h"
#include "write/probe.h"
#include "write/table.h"
#include "write/format.h"

#define VERSION		"0.1.0"

/* Exit status. */
enum { DONE = 0, FAILED = 1, USAGE = 2 };

/* One source at work on one snapshot. */
struct reader {
	struct hierarchy hierarchy;
	struct selection selection;
	struct snapshot snapshot;
	struct walk_source walk;
	struct files_source files;
};

__attribute__((format(printf, 1, 2))) static void complain(const char *format,
							   ...)
{
	static const char name[] = "memcgstat: ";
	char text[2048];
	va_list arguments;
	size_t length;

	memcpy(text, name, sizeof(name));
	va_start(arguments, format);
	format_list(text + sizeof(name) - 1, sizeof(text) - sizeof(name),
		    format, arguments);
	va_end(arguments);
	length = strlen(text);
	text[length++] = '\n';
	/* one write: lines of several processes stay apart */
	if (write(STDERR_FILENO, text, length) < 0)
		return;		/* there is nobody left to tell */
}

/* How many cgroups there may be: a hint, so that the first walk fits. */
static uint32_t guess_capacity(int cgroup, uint32_t depth)
{
	char text[4096];
	const char *at = text, *key;
	size_t length;
	uint64_t value;
	ssize_t got;
	int fd;

	if (!depth)
		return 1;
	fd = fd_high(cgroup < 0 ?
		     open("/sys/fs/cgroup/cgroup.stat", O_RDONLY | O_CLOEXEC) :
		     openat(cgroup, "cgroup.stat", O_RDONLY | O_CLOEXEC));
	if (fd < 0)
		return 0;
	got = read(fd, text, sizeof(text));
	close(fd);
	if (got <= 0 || parse_line(&at, text + got, &key, &length, &value) ||
	    length != strlen("nr_descendants") ||
	    memcmp(key, "nr_descendants", length) || value >= UINT32_MAX)
		return 0;
	return (uint32_t)value + 1;
}

/* Return: 0 or -errno with a @reason. */
static int read_kfunc(struct reader *reader, const struct options *options,
		      struct reason *reason)
{
	struct walk_options walk = {
		.selection = &reader->selection, .btf = options->btf,
		.cgroup = -1, .path = "/", .depth = options->depth,
		.log = options->verbose,
	};
	int err = 0;

	if (options->operand) {
		err = hierarchy_open(&reader->hierarchy, options->operand,
				     reason);
		/* no mount is needed: the walk itself tells the paths */
		walk.search = err == -ENODEV;
		if (err && !walk.search)
			return err;
		if (reader->hierarchy.version == 1)
			return reason_set(reason, -ENODEV, "the memory"
				" controller is on cgroup v1 here: only its"
				" files tell");
		walk.cgroup = reader->hierarchy.fd;
		walk.path = reader->hierarchy.path;
	}
	walk.capacity = guess_capacity(walk.cgroup,
				       walk.search ? UINT32_MAX : walk.depth);
	err = walk_open(&reader->walk, &reader->snapshot, &walk, reason);
	if (!err)
		err = walk_read(&reader->walk, &reader->snapshot, &walk,
				reason);
	return err;
}

/* Return: 0 or -errno with a @reason; see files_read(). */
static int read_file(struct reader *reader, const struct options *options,
		     struct reason *reason)
{
	int err = hierarchy_open(&reader->hierarchy, options->operand, reason);

	if (err)
		return err;
	/* "default" means others there */
	if (reader->hierarchy.version == 1) {
		selection_free(&reader->selection);
		err = selection_parse(&reader->selection, options->fields,
				      true, reason);
		if (err)
			return err;
	}
	files_open(&reader->files, &reader->snapshot, &reader->hierarchy,
		   &reader->selection, options->depth);
	return files_read(&reader->files, reason);
}

static void reader_close(struct reader *reader)
{
	walk_close(&reader->walk);
	files_close(&reader->files);
	hierarchy_close(&reader->hierarchy);
	selection_free(&reader->selection);
}

/* Try one source from the beginning. */
static int try_source(struct reader *reader, enum source source,
		      const struct options *options, struct reason *reason)
{
	int err;

	memset(reader, 0, sizeof(*reader));
	reader->hierarchy.fd = -1;
	reader->walk.bpf = (struct bpf_walk){
		.map = -1, .program = -1, .link = -1,
	};
	reader->snapshot.page_size = getauxval(AT_PAGESZ);
	err = selection_parse(&reader->selection, options->fields, false,
			      reason);
	if (err)
		return err;
	return source == SOURCE_KFUNC ? read_kfunc(reader, options, reason) :
		read_file(reader, options, reason);
}

/* A field that is in neither the list nor the files was a mistake. */
static int check_fields(const struct reader *reader)
{
	const struct selection *selection = &reader->selection;
	size_t i;

	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];
		size_t length = item->key ? strlen(item->key) : 0;

		if (!item->key || field_find(item->file, item->key, length) ||
		    snapshot_find(&reader->snapshot, item->file, item->key,
				  length) >= 0)
			continue;
		complain("unknown field '%s.%s': --fields help lists them, and"
			 " this kernel has no such key", item->file, item->key);
		return USAGE;
	}
	return DONE;
}

static void explain_snapshot(const struct reader *reader)
{
	const struct snapshot *snapshot = &reader->snapshot;
	size_t i;

	complain("source: %s", snapshot->source);
	if (snapshot->skipped_lines)
		complain("lines skipped that are not a key and a number: %llu",
			 (unsigned long long)snapshot->skipped_lines);
	if (snapshot->negative)
		complain("numbers below 0 that are printed as 0: %llu",
			 (unsigned long long)snapshot->negative);
	for (i = 0; i < snapshot->column_count; i++)
		if (snapshot->columns[i].key && !snapshot->columns[i].field &&
		    strcmp(snapshot->columns[i].file, "cgroup.stat"))
			complain("a key that this version does not know:"
				 " %s.%s", snapshot->columns[i].file,
				 snapshot->columns[i].key);
}

static struct out output;	/* stdout: large, and needed once */

/* Flush, and say if not all was written. */
static int finish(int status)
{
	int err = out_flush(&output);

	if (!err)
		return status;
	complain("write error on stdout: %s", strerror(-err));
	return FAILED;
}

static int print(const struct reader *reader, const struct options *options,
		 const struct reason *unread)
{
	const struct snapshot *snapshot = &reader->snapshot;
	struct utsname names;
	int err;

	if (options->json) {
		uname(&names);
		err = json_write(&output, snapshot, VERSION, names.release);
	} else {
		err = table_write(&output, snapshot, &reader->selection,
				  options->bytes);
	}
	if (err) {
		complain("out of memory");
		return FAILED;
	}
	if (snapshot->unreadable)
		complain("%s (%llu could not be read)", unread->text,
			 (unsigned long long)snapshot->unreadable);
	return finish(snapshot->unreadable ? FAILED : DONE);
}

static int run(const struct options *options)
{
	static struct reader reader;
	struct reason reason = { "" }, first = { "" };
	int err = -ENOENT, status;

	if (options->source != SOURCE_FILE) {
		err = try_source(&reader, SOURCE_KFUNC, options, &reason);
		if (err && options->verbose) {
			complain("kfunc: %s", reason.text);
			if (*reader.walk.log)
				complain("the kernel's words: %s",
					 reader.walk.log);
		}
	}
	/* a file that a person named, and that is no BTF, is not passed over */
	if (err && options->source != SOURCE_KFUNC &&
	    !(options->btf && reader.walk.bad_btf)) {
		reader_close(&reader);
		first = reason;
		err = try_source(&reader, SOURCE_FILE, options, &reason);
	}
	if (err) {
		if (*first.text && strcmp(first.text, reason.text) &&
		    !options->verbose)
			complain("kfunc: %s", first.text);
		complain("%s", reason.text);
		reader_close(&reader);
		return FAILED;
	}
	status = check_fields(&reader);
	if (options->verbose)
		explain_snapshot(&reader);
	if (!status)
		status = print(&reader, options, &reason);
	reader_close(&reader);
	return status;
}

static int probe(const struct options *options)
{
	static const enum source sources[] = { SOURCE_KFUNC, SOURCE_FILE };
	static const char *const names[] = { "kfunc", "file" };
	static struct reader readers[2];
	struct probe probes[2];
	struct options all = *options;
	struct utsname kernel;
	int status = FAILED;
	size_t i;

	all.fields = "all";
	all.depth = 1;		/* the root lacks files that others have */
	all.verbose = true;
	memset(probes, 0, sizeof(probes));
	for (i = 0; i < 2; i++) {
		probes[i].source = names[i];
		probes[i].works = !try_source(&readers[i], sources[i], &all,
					      &probes[i].reason);
		probes[i].snapshot = &readers[i].snapshot;
		probes[i].log = readers[i].walk.log;
		if (probes[i].works)
			status = DONE;
	}
	uname(&kernel);
	probe_write(&output, probes, 2, VERSION, kernel.release, options->json);
	for (i = 0; i < 2; i++)
		reader_close(&readers[i]);
	return finish(status);
}

static int list_fields(void)
{
	char line[256], name[128];
	size_t i;

	for (i = 0; i < field_count; i++) {
		format_text(line, sizeof(line), "v%d  %s\n",
			    fields[i].version == FIELD_V1 ? 1 : 2,
			    field_short_name(name, sizeof(name),
					     field_file(&fields[i]),
					     field_key(&fields[i])));
		out_text(&output, line);
	}
	return finish(DONE);
}

static int print_text(const char *text)
{

	out_text(&output, text);
	return finish(DONE);
}

int main(int argc, char **argv)
{
	struct selection selection;
	struct options options;
	struct reason reason;
	int err;

	out_open(&output, STDOUT_FILENO);
	err = options_parse(&options, argc, argv, &reason);
	if (!err && options.help)
		return print_text(options_help);
	if (!err && options.version)
		return print_text("memcgstat " VERSION "\n");
	if (!err && !strcmp(options.fields, "help"))
		return list_fields();
	if (!err)
		err = selection_parse(&selection, options.fields, false,
				      &reason);
	if (err) {
		complain("%s (try memcgstat --help)", reason.text);
		return USAGE;
	}
	selection_free(&selection);
	return options.probe ? probe(&options) : run(&options);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * memcgstat prints the memory statistics of every cgroup. Here are its options,
 * the choice of a source, and its exit status; read/ fills a snapshot from that
 * source, write/ prints it.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "command/options.h"
#include "read/check.h"
#include "read/files.h"
#include "read/hierarchy.h"
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
	/* names of cgroups can hold anything: nothing moves the cursor */
	for (length = 0; text[length]; length++)
		if ((unsigned char)text[length] < 0x20 || text[length] == 0x7f)
			text[length] = '?';
	text[length++] = '\n';
	/* one write: lines of several processes stay apart */
	if (write(STDERR_FILENO, text, length) < 0)
		return;		/* there is nobody left to tell */
}

/*
 * Where a walk is to start, and where the same cgroup's files are. No mount is
 * needed: without an operand the kernel has its own start, and else the walk
 * itself tells the paths. Return: 0 or -errno with a @reason.
 */
static int find_start(struct reader *reader, const struct options *options,
		      struct walk_options *walk, struct reason *reason)
{
	struct hierarchy *hierarchy = &reader->hierarchy;
	int err = hierarchy_open(hierarchy, options->operand, reason);

	walk->search = options->operand && (err == -ENODEV || err == -EXDEV);
	if (err && options->operand && !walk->search)
		return err;
	if (hierarchy->version == 1)
		return reason_set(reason, -ENODEV, "the memory controller is on"
				  " cgroup v1 here: only its files tell");
	if (options->operand) {
		walk->path = hierarchy->path;
		walk->cgroup = hierarchy->fd;
	}
	/* what is mounted may be another part of the tree */
	if (!err && (options->operand || !strcmp(hierarchy->path, "/")))
		walk->directory = hierarchy->fd;
	return 0;
}

/* Return: 0 or -errno with a @reason. */
static int fill_by_walk(struct reader *reader, const struct options *options,
			bool raw, struct reason *reason)
{
	struct walk_options walk = {
		.selection = &reader->selection, .btf = options->btf,
		.cgroup = -1, .directory = -1, .path = "/",
		.depth = options->depth, .raw = raw, .log = options->verbose,
	};
	const struct selected *unknown = selection_unknown(&reader->selection);
	int err;

	if (unknown && !raw)	/* raw reads the kernel's own tables */
		return reason_set(reason, -ENOENT, "%s.%s is newer than this"
				  " version, or no field: only the files can"
				  " tell", unknown->file, unknown->key);
	err = find_start(reader, options, &walk, reason);
	if (!err)
		err = walk_open(&reader->walk, &reader->snapshot, &walk,
				reason);
	if (!err)
		err = walk_read(&reader->walk, &reader->snapshot, &walk,
				reason);
	if (!err)
		err = check_walk(&reader->walk, &reader->snapshot, &walk,
				 reason);
	return err;
}

/* Return: 0 or -errno with a @reason; see files_read(). */
static int fill_by_files(struct reader *reader, const struct options *options,
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
	reader->snapshot.page_size = getauxval(AT_PAGESZ);
	err = selection_parse(&reader->selection, options->fields, false,
			      reason);
	if (err)
		return err;
	return source == SOURCE_FILE ? fill_by_files(reader, options, reason) :
		fill_by_walk(reader, options, source == SOURCE_RAW, reason);
}

/*
 * Every field that was asked for gets a column: one that this kernel does not
 * have is absent everywhere. One that nobody knows was a mistake.
 */
static int complete_columns(struct reader *reader)
{
	const struct selection *selection = &reader->selection;
	struct snapshot *snapshot = &reader->snapshot;
	size_t i;

	for (i = 0; i < selection->count; i++) {
		const struct selected *item = &selection->items[i];
		size_t length = item->key ? strlen(item->key) : 0;
		const struct field *field = field_find(item->file, item->key,
						       length);

		if (snapshot_find(snapshot, item->file, item->key, length) >= 0)
			continue;
		if (field) {
			snapshot_column(snapshot, item->file, item->key, field,
					true);
		} else if (item->key) {
			complain("unknown field '%s.%s': --fields help lists"
				 " them, and this kernel has no such key",
				 item->file, item->key);
			return USAGE;
		}
	}
	snapshot_sort(snapshot);
	return DONE;
}

static void explain_snapshot(const struct reader *reader)
{
	const struct snapshot *snapshot = &reader->snapshot;
	size_t i;

	complain("source: %s", snapshot->source);
	if (reader->walk.unchecked)
		complain("not compared with the kernel's own output: no"
			 " cgroup2 file system is mounted here");
	if (reader->walk.stale)
		complain("the numbers may be 2 seconds old: nothing here can"
			 " have the kernel sum them up");
	if (snapshot->skipped_lines)
		complain("lines skipped that are not a key and a number: %llu",
			 (unsigned long long)snapshot->skipped_lines);
	if (snapshot->negative)
		complain("numbers below 0 that are printed as 0: %llu",
			 (unsigned long long)snapshot->negative);
	for (i = 0; i < snapshot->column_count; i++)
		if (column_is_unknown(&snapshot->columns[i]))
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
		complain("%s (%llu files or directories could not be read, and"
			 " what is below these)", unread->text,
			 (unsigned long long)snapshot->unreadable);
	return finish(snapshot->unreadable ? FAILED : DONE);
}

/* The verifier's last words, line by line; the first may be cut. */
static void show_log(const char *log)
{
	size_t length;

	for (; *log; log += length + (log[length] == '\n')) {
		length = strcspn(log, "\n");
		complain("kernel: %.*s", (int)length, log);
	}
}

/* Best first: what auto tries. */
static const struct {
	enum source source;
	const char *name;
} sources[] = {
	{ SOURCE_RAW, "raw" },
	{ SOURCE_KFUNC, "kfunc" },
	{ SOURCE_FILE, "file" },
};

#define SOURCES	(sizeof(sources) / sizeof(sources[0]))

/* Take the first source that works; say why none does. */
static int choose(struct reader *reader, const struct options *options,
		  struct reason *reason)
{
	bool is_auto = options->source == SOURCE_AUTO;
	char tried[sizeof(reason->text) * SOURCES] = "";
	size_t i, used = 0, reasons = 0;
	struct reason last = { "" };
	int err = -ENOENT;

	for (i = 0; i < SOURCES; i++) {
		if (!is_auto && options->source != sources[i].source)
			continue;
		err = try_source(reader, sources[i].source, options, reason);
		if (!err)
			return 0;
		/* a wrong operand is the same for all */
		if (strcmp(reason->text, last.text)) {
			used += format_text(tried + used, sizeof(tried) - used,
					    "%s%s: %s", used ? "; " : "",
					    sources[i].name, reason->text);
			reasons++;
		}
		last = *reason;
		if (options->verbose)
			complain("%s: %s", sources[i].name, reason->text);
		if (options->verbose)
			show_log(reader->walk.log);
		/* a file that a person named and that is no BTF counts */
		if (options->btf && reader->walk.bad_btf)
			is_auto = false;
		reader_close(reader);
		if (!is_auto)
			break;
	}
	if (!options->verbose)
		complain("%s", is_auto && reasons > 1 ? tried : reason->text);
	return err;
}

static int run(const struct options *options)
{
	static struct reader reader;
	struct reason reason = { "" };
	int status;

	if (choose(&reader, options, &reason))
		return FAILED;
	status = complete_columns(&reader);
	if (options->verbose)
		explain_snapshot(&reader);
	if (!status)
		status = print(&reader, options, &reason);
	reader_close(&reader);
	return status;
}

static int probe(const struct options *options)
{
	static struct reader readers[SOURCES];
	struct probe probes[SOURCES];
	struct options all = *options;
	struct utsname kernel;
	int status = FAILED;
	size_t i;

	all.fields = "all";
	all.depth = 1;		/* the root lacks files that others have */
	all.verbose = true;
	memset(probes, 0, sizeof(probes));
	for (i = 0; i < SOURCES; i++) {
		probes[i].source = sources[i].name;
		probes[i].works = !try_source(&readers[i], sources[i].source,
					      &all, &probes[i].reason);
		probes[i].snapshot = &readers[i].snapshot;
		probes[i].log = readers[i].walk.log;
		if (probes[i].works)
			status = DONE;
	}
	uname(&kernel);
	probe_write(&output, probes, SOURCES, VERSION, kernel.release,
		    options->json);
	for (i = 0; i < SOURCES; i++)
		reader_close(&readers[i]);
	return finish(status);
}

static int list_fields(void)
{
	char line[FIELD_NAME_SIZE + 8], name[FIELD_NAME_SIZE];
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

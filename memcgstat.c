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
#include "read/reader.h"
#include "write/csv.h"
#include "write/json.h"
#include "write/openmetrics.h"
#include "write/probe.h"
#include "write/replace.h"
#include "write/table.h"
#include "write/format.h"

#define VERSION		"0.1.0"

/* Exit status. */
enum { DONE = 0, FAILED = 1, USAGE = 2 };

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
 * Every field that was asked for gets a column: one that this kernel does not
 * have is absent everywhere. One that nobody knows was a mistake.
 */
static int complete_columns(struct reader *reader)
{
	const struct selection *selection = reader->selection;
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
	uint64_t negative;
	size_t i;

	complain("source: %s", snapshot->source);
	if (reader->walk.unchecked)
		complain("not compared with what the kernel prints: these"
			 " cgroups' files are not to be read here");
	if (reader->walk.stale)
		complain("the numbers may be 2 seconds old: nothing here can"
			 " have the kernel sum them up");
	if (snapshot->skipped_lines)
		complain("lines skipped that are not a key and a number: %llu",
			 (unsigned long long)snapshot->skipped_lines);
	negative = snapshot->negative + snapshot_negative(snapshot);
	if (negative)
		complain("numbers below 0 that are printed as 0: %llu",
			 (unsigned long long)negative);
	for (i = 0; i < snapshot->column_count; i++)
		if (column_is_unknown(&snapshot->columns[i]))
			complain("a key that this version does not know:"
				 " %s.%s", snapshot->columns[i].file,
				 snapshot->columns[i].key);
}

/* Where the time went, in one line. */
static void explain_steps(const struct steps *steps)
{
	char text[1024];
	size_t used = 0;
	uint32_t i;

	for (i = 0; i < steps->count; i++)
		used += format_text(text + used, sizeof(text) - used,
				    "%s%s %llu", i ? ", " : "",
				    steps->done[i].name, (unsigned long long)
				    steps->done[i].time);
	complain("microseconds: %s", text);
}

static struct out output;	/* large, and needed once */
static struct replace replacement;	/* where it goes, for --output */

/* Open what is written to: stdout, or a file to be replaced. */
static bool begin_output(const struct options *options)
{
	struct reason reason;

	if (!options->output)
		return true;	/* as main() opened it */
	if (replace_begin(&replacement, options->output, &reason)) {
		complain("%s", reason.text);
		return false;
	}
	out_open(&output, replacement.fd);
	return true;
}

/* Flush, put a file in its place, and say if not all was written. */
static int finish(int status)
{
	int err = out_flush(&output);
	struct reason reason;

	if (err)
		complain("write error on %s: %s", replacement.fd < 0 ? "stdout" :
			 replacement.path, strerror(-err));
	if (replacement.fd < 0)
		return err ? FAILED : status;
	if (err) {
		replace_abort(&replacement);
		return FAILED;
	}
	if (replace_commit(&replacement, &reason)) {
		complain("%s", reason.text);
		return FAILED;
	}
	return status;
}

static int print(const struct reader *reader, const struct options *options,
		 const struct reason *unread)
{
	const struct snapshot *snapshot = &reader->snapshot;
	struct utsname names;
	int err = 0;

	if (!begin_output(options))
		return FAILED;
	switch (options->format) {
	case FORMAT_JSON:
		uname(&names);
		err = json_write(&output, snapshot, VERSION, names.release);
		break;
	case FORMAT_JSON_LINES:
		err = json_write_lines(&output, snapshot);
		break;
	case FORMAT_CSV:
		err = csv_write(&output, snapshot);
		break;
	case FORMAT_OPENMETRICS:
		err = openmetrics_write(&output, snapshot);
		break;
	default:
		err = table_write(&output, snapshot, reader->selection,
				  options->bytes);
	}
	if (err) {
		complain("out of memory");
		replace_abort(&replacement);
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

/* Take the first source that works; say why none does. */
static int choose(struct reader *reader, const struct options *options,
		  struct reason *reason)
{
	bool is_auto = options->source == SOURCE_AUTO;
	const enum source *order = is_auto ? reader_order(reader, options) :
		&options->source;
	char tried[sizeof(reason->text) * SOURCES] = "";
	size_t i, used = 0, count = is_auto ? SOURCES : 1;
	bool partial = false;
	int err = 0;

	for (i = 0; i < count; i++) {
		const char *name = source_names[order[i]];

		err = reader_read(reader, order[i], options, reason);
		if (!err && !(is_auto && reader->snapshot.unreadable))
			return 0;
		/* a walk may tell what these files do not */
		partial = partial || !err;
		used += format_text(tried + used, sizeof(tried) - used,
				    "%s%s: %s", used ? "; " : "", name,
				    reason->text);
		if (options->verbose) {
			complain("%s: %s", name, reason->text);
			show_log(reader->walk.log);
		}
		/* a file that a person named and that is no BTF counts */
		if (options->btf && reader->walk.bad_btf)
			break;
	}
	if (partial)
		return reader_read(reader, SOURCE_FILE, options, reason);
	if (!options->verbose)
		complain("%s", is_auto ? tried : reason->text);
	return err;
}

static int run(const struct options *options,
	       const struct selection *selection)
{
	static struct reader reader;
	static struct steps steps;
	struct reason reason = { "" };
	int status;

	if (options->verbose > 1) {
		steps_begin(&steps);
		reader.steps = &steps;
	}
	if (reader_open(&reader, options, selection, &reason)) {
		complain("%s", reason.text);
		return FAILED;
	}
	if (choose(&reader, options, &reason)) {
		reader_close(&reader);
		return FAILED;
	}
	status = complete_columns(&reader);
	if (options->verbose)
		explain_snapshot(&reader);
	if (!status)
		status = print(&reader, options, &reason);
	steps_note(reader.steps, "write");
	if (reader.steps)
		explain_steps(&steps);
	reader_close(&reader);
	return status;
}

static int probe(const struct options *options,
		 const struct selection *selection)
{
	static const enum source sources[SOURCES] = {
		SOURCE_RAW, SOURCE_KFUNC, SOURCE_FILE
	};
	static struct reader readers[SOURCES];
	const enum source *order;
	const char *chosen = NULL;
	struct probe probes[SOURCES];
	static struct selection everything;	/* all zeroes: in no file */
	struct options all = *options;
	struct utsname kernel;
	int status = FAILED;
	size_t i;

	everything.all = true;
	all.depth = 1;		/* the root lacks files that others have */
	all.verbose = 1;
	memset(probes, 0, sizeof(probes));
	for (i = 0; i < SOURCES; i++) {
		probes[i].source = source_names[sources[i]];
		probes[i].works = !reader_open(&readers[i], &all,
					       &everything,
					       &probes[i].reason) &&
			!reader_read(&readers[i], sources[i], &all,
				     &probes[i].reason);
		probes[i].snapshot = &readers[i].snapshot;
		probes[i].log = readers[i].walk.log;
		if (probes[i].works)
			status = DONE;
	}
	readers[0].selection = selection;
	order = reader_order(&readers[0], options);
	for (i = 0; i < SOURCES && !chosen; i++)
		if (probes[order[i] - SOURCE_RAW].works)
			chosen = source_names[order[i]];
	uname(&kernel);
	if (!begin_output(options))
		return FAILED;
	probe_write(&output, probes, SOURCES, chosen, VERSION, kernel.release,
		    options->format == FORMAT_JSON);
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
	static struct selection selection;
	struct options options;
	struct reason reason;
	int err;

	out_open(&output, STDOUT_FILENO);
	replacement.fd = -1;
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
	err = options.probe ? probe(&options, &selection) :
		run(&options, &selection);
	selection_free(&selection);
	return err;
}

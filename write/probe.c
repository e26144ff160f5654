// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "json.h"
#include "probe.h"

/* Keys that a source has, counted; what is none of this host's is left out. */
static unsigned int count_keys(const struct snapshot *snapshot)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < snapshot->column_count; i++)
		count += snapshot->columns[i].slot.kind != SLOT_NONE;
	return count;
}

/*
 * Keys of @files that @other lacks or, where @other is NULL, that the list of
 * fields does not know: for these a newer program may have more to say.
 */
static void write_keys(struct out *out, const struct snapshot *files,
		       const struct snapshot *other, bool json)
{
	const char *before = json ? "\"" : " ", *behind = json ? "\"" : "";
	size_t count = 0, i;

	for (i = 0; i < files->column_count; i++) {
		const struct column *column = &files->columns[i];
		int index;

		if (!column->key)
			continue;
		if (other) {
			index = snapshot_find(other, column->file, column->key,
					      strlen(column->key));
			if (index >= 0 &&
			    other->columns[index].slot.kind != SLOT_NONE)
				continue;
		} else if (!column_is_unknown(column)) {
			continue;
		}
		out_format(out, "%s%s.%s%s", before, column->file, column->key,
			   behind);
		if (!count++ && json)
			before = ", \"";
	}
	out_text(out, json ? "]" : count ? "\n" : " none\n");
}

static const struct snapshot *find_files(const struct probes *probes)
{
	size_t i;

	for (i = 0; i < probes->count; i++)
		if (probes->list[i].works &&
		    !strcmp(probes->list[i].source, "file"))
			return probes->list[i].snapshot;
	return NULL;
}

static void write_json(struct out *out, const struct probes *probes,
		       const char *version, const char *kernel)
{
	const struct probe_allocinfo *allocinfo = &probes->allocinfo;
	const struct snapshot *files = find_files(probes);
	size_t i;

	json_program(out, version, kernel);
	for (i = 0; i < probes->count; i++) {
		const struct probe *probe = &probes->list[i];

		out_format(out, "%s{\"source\": \"%s\", \"works\": %s,"
			   " \"reason\": ", i ? ", " : ", \"sources\": [",
			   probe->source, probe->works ? "true" : "false");
		json_text(out, probe->works ? NULL : probe->reason.text);
		if (probe->works) {
			out_format(out, ", \"keys\": %u",
				   count_keys(probe->snapshot));
			if (files && files != probe->snapshot) {
				out_text(out, ", \"missing\": [");
				write_keys(out, files, probe->snapshot, true);
			}
		}
		out_char(out, '}');
	}
	out_text(out, "], \"auto\": ");
	json_text(out, probes->chosen);
	if (files) {
		out_text(out, ", \"unknown\": [");
		write_keys(out, files, NULL, true);
	}
	out_format(out, ", \"allocinfo\": {\"state\": \"%s\", \"source\": ",
		   allocinfo->state);
	json_text(out, allocinfo->source);
	out_text(out, ", \"reason\": ");
	json_text(out, allocinfo->has_reason ? allocinfo->reason.text : NULL);
	if (allocinfo->source)
		out_format(out, ", \"sites\": %u", allocinfo->sites);
	out_text(out, "}}\n");
}

static void write_text(struct out *out, const struct probes *probes,
		       const char *version, const char *kernel)
{
	const struct probe_allocinfo *allocinfo = &probes->allocinfo;
	const struct snapshot *files = find_files(probes);
	size_t i;

	out_format(out, "memcgstat %s, kernel %s\n", version, kernel);
	for (i = 0; i < probes->count; i++) {
		const struct probe *probe = &probes->list[i];

		if (!probe->works) {
			out_format(out, "%s: no: %s\n%s%s", probe->source,
				   probe->reason.text, probe->log,
				   *probe->log ? "\n" : "");
			continue;
		}
		out_format(out, "%s: works, %u keys\n", probe->source,
			   count_keys(probe->snapshot));
		if (files && files != probe->snapshot) {
			out_format(out, "%s: keys of the files that it lacks:",
				   probe->source);
			write_keys(out, files, probe->snapshot, false);
		}
	}
	if (files) {
		out_text(out, "keys of the files that this version does not"
			 " know (the file source prints them):");
		write_keys(out, files, NULL, false);
	}
	out_format(out, "auto: %s\nallocinfo: ", probes->chosen ?
		   probes->chosen : "nothing works here");
	if (allocinfo->source)
		out_format(out, "works (%s), %u sites%s", allocinfo->source,
			   allocinfo->sites,
			   allocinfo->has_reason ? "; but " : "");
	else
		out_text(out, "no: ");
	out_format(out, "%s\n", allocinfo->has_reason ?
		   allocinfo->reason.text : "");
}

void probe_write(struct out *out, const struct probes *probes,
		 const char *version, const char *kernel, bool json)
{
	(json ? write_json : write_text)(out, probes, version, kernel);
}

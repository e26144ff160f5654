// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "format.h"
#include "json.h"
#include "probe.h"

/* Keys that a source has, counted; what is none of this host's is left out. */
static size_t count_keys(const struct snapshot *snapshot)
{
	size_t count = 0, i;

	for (i = 0; i < snapshot->column_count; i++)
		count += snapshot->columns[i].slot.kind != SLOT_NONE;
	return count;
}

/* @text: or NULL */
static void write_json_text(struct out *out, const char *text)
{
	if (text)
		json_string(out, text, strlen(text));
	else
		out_text(out, "null");
}

/*
 * Keys of @files that @other lacks or, where @other is NULL, that the list of
 * fields does not know: for these a newer program may have more to say.
 */
static size_t write_keys(struct out *out, const struct snapshot *files,
			 const struct snapshot *other, bool json)
{
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
		out_text(out, !json ? " " : count ? ", \"" : "\"");
		out_text(out, column->file);
		out_char(out, '.');
		out_text(out, column->key);
		out_text(out, json ? "\"" : "");
		count++;
	}
	return count;
}

static const struct snapshot *find_files(const struct probe *probes,
					 size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (probes[i].works && !strcmp(probes[i].source, "file"))
			return probes[i].snapshot;
	return NULL;
}

static void write_json_allocinfo(struct out *out,
				 const struct probe_allocinfo *allocinfo)
{
	out_text(out, ", \"allocinfo\": {\"state\": ");
	write_json_text(out, allocinfo->state);
	out_text(out, ", \"source\": ");
	write_json_text(out, allocinfo->source);
	out_text(out, ", \"reason\": ");
	write_json_text(out, allocinfo->has_reason ? allocinfo->reason.text :
			NULL);
	if (allocinfo->source) {
		out_text(out, ", \"sites\": ");
		out_number(out, allocinfo->sites);
	}
	out_char(out, '}');
}

static void write_json(struct out *out, const struct probe *probes,
		       size_t count, const char *chosen,
		       const struct probe_allocinfo *allocinfo,
		       const char *version, const char *kernel)
{
	const struct snapshot *files = find_files(probes, count);
	size_t i;

	out_char(out, '{');
	json_program(out, version, kernel);
	out_text(out, "\"sources\": [");
	for (i = 0; i < count; i++) {
		const struct probe *probe = &probes[i];

		out_text(out, i ? ", {\"source\": " : "{\"source\": ");
		write_json_text(out, probe->source);
		out_text(out, ", \"works\": ");
		out_text(out, probe->works ? "true" : "false");
		out_text(out, ", \"reason\": ");
		write_json_text(out, probe->works ? NULL :
				probe->reason.text);
		if (probe->works) {
			out_text(out, ", \"keys\": ");
			out_number(out, count_keys(probe->snapshot));
		}
		if (probe->works && files && files != probe->snapshot) {
			out_text(out, ", \"missing\": [");
			write_keys(out, files, probe->snapshot, true);
			out_char(out, ']');
		}
		out_char(out, '}');
	}
	out_text(out, "], \"auto\": ");
	write_json_text(out, chosen);
	if (files) {
		out_text(out, ", \"unknown\": [");
		write_keys(out, files, NULL, true);
		out_char(out, ']');
	}
	write_json_allocinfo(out, allocinfo);
	out_text(out, "}\n");
}

static void write_allocinfo(struct out *out,
			    const struct probe_allocinfo *allocinfo)
{
	char text[80];

	out_text(out, "allocinfo: ");
	if (allocinfo->source) {
		format_text(text, sizeof(text), "works (%s), %llu sites%s",
			    allocinfo->source,
			    (unsigned long long)allocinfo->sites,
			    allocinfo->has_reason ? "; but " : "");
		out_text(out, text);
	} else {
		out_text(out, "no: ");
	}
	if (allocinfo->has_reason)
		out_text(out, allocinfo->reason.text);
	out_char(out, '\n');
}

static void write_text(struct out *out, const struct probe *probes,
		       size_t count, const char *chosen,
		       const struct probe_allocinfo *allocinfo,
		       const char *version, const char *kernel)
{
	const struct snapshot *files = find_files(probes, count);
	size_t i;

	out_text(out, "memcgstat ");
	out_text(out, version);
	out_text(out, ", kernel ");
	out_text(out, kernel);
	out_char(out, '\n');
	for (i = 0; i < count; i++) {
		const struct probe *probe = &probes[i];

		out_text(out, probe->source);
		if (!probe->works) {
			out_text(out, ": no: ");
			out_text(out, probe->reason.text);
			out_char(out, '\n');
			if (probe->log && *probe->log) {
				out_text(out, probe->log);
				out_char(out, '\n');
			}
			continue;
		}
		out_text(out, ": works, ");
		out_number(out, count_keys(probe->snapshot));
		out_text(out, " keys\n");
		if (files && files != probe->snapshot) {
			out_text(out, probe->source);
			out_text(out, ": keys of the files that it lacks:");
			if (!write_keys(out, files, probe->snapshot, false))
				out_text(out, " none");
			out_char(out, '\n');
		}
	}
	if (files) {
		out_text(out, "keys of the files that this version does not"
			 " know (the file source prints them):");
		if (!write_keys(out, files, NULL, false))
			out_text(out, " none");
		out_char(out, '\n');
	}
	out_text(out, "auto: ");
	out_text(out, chosen ? chosen : "nothing works here");
	out_char(out, '\n');
	write_allocinfo(out, allocinfo);
}

void probe_write(struct out *out, const struct probe *probes, size_t count,
		 const char *chosen, const struct probe_allocinfo *allocinfo,
		 const char *version, const char *kernel, bool json)
{
	if (json)
		write_json(out, probes, count, chosen, allocinfo, version,
			   kernel);
	else
		write_text(out, probes, count, chosen, allocinfo, version,
			   kernel);
}

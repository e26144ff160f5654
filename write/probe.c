// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

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

static void write_json_text(struct out *out, const char *text)
{
	json_string(out, text, strlen(text));
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

static void write_json(struct out *out, const struct probe *probes,
		       size_t count, const char *chosen, const char *version,
		       const char *kernel)
{
	const struct snapshot *files = find_files(probes, count);
	size_t i;

	out_text(out, "{\"memcgstat\": ");
	write_json_text(out, version);
	out_text(out, ", \"kernel\": ");
	write_json_text(out, kernel);
	out_text(out, ", \"sources\": [");
	for (i = 0; i < count; i++) {
		const struct probe *probe = &probes[i];

		out_text(out, i ? ", {\"source\": " : "{\"source\": ");
		write_json_text(out, probe->source);
		out_text(out, ", \"works\": ");
		out_text(out, probe->works ? "true" : "false");
		out_text(out, ", \"reason\": ");
		if (probe->works)
			out_text(out, "null");
		else
			write_json_text(out, probe->reason.text);
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
	if (chosen)
		write_json_text(out, chosen);
	else
		out_text(out, "null");
	if (files) {
		out_text(out, ", \"unknown\": [");
		write_keys(out, files, NULL, true);
		out_char(out, ']');
	}
	out_text(out, "}\n");
}

static void write_text(struct out *out, const struct probe *probes,
		       size_t count, const char *chosen, const char *version,
		       const char *kernel)
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
}

void probe_write(struct out *out, const struct probe *probes, size_t count,
		 const char *chosen, const char *version, const char *kernel,
		 bool json)
{
	if (json)
		write_json(out, probes, count, chosen, version, kernel);
	else
		write_text(out, probes, count, chosen, version, kernel);
}

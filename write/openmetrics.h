/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_OPENMETRICS_H
#define MEMCGSTAT_OPENMETRICS_H

#include "../read/snapshot.h"
#include "out.h"

/*
 * openmetrics_write - a snapshot as OpenMetrics 1.0 text
 *
 * A metric is named memcg_ and the field's full name with "_" for ".", and by its
 * unit and _total as the conventions want. Its label cgroup is the path; a byte in
 * it that is no UTF-8 is U+FFFD, and a label id then keeps such paths apart. No
 * limit is +Inf, what is absent has no sample.
 *
 * Prometheus's older text format can be read from it, too, as the textfile
 * collector of node-exporter does: no sample has a timestamp, and UNIT and EOF are
 * comments there. That format has no counter without _total in its name, so there
 * the samples of one are untyped.
 *
 * Return: 0 or -ENOMEM; errors of writing stay in @out.
 */
int openmetrics_write(struct out *out, const struct snapshot *snapshot);

/*
 * openmetrics_label - a label's value, without quotes
 * @to: room for three times @size
 * @is_text: set to false where not all was UTF-8
 *
 * Return: the end of what was written; it is not terminated.
 */
char *openmetrics_label(char *to, const char *at, size_t size, bool *is_text);

#endif

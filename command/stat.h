/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The main job: cgroups and their statistics. */
#ifndef MEMCGSTAT_STAT_H
#define MEMCGSTAT_STAT_H

#include "../read/selection.h"
#include "options.h"

/*
 * stat_run - choose a source, read, print
 * @selection: of options->fields; what else has to be read is added
 *
 * Return: an exit status; what went wrong has been said.
 */
int stat_run(const struct options *options, struct selection *selection);

#endif

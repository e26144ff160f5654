/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What works here and why not (--probe). */
#ifndef MEMCGSTAT_COMMAND_PROBE_H
#define MEMCGSTAT_COMMAND_PROBE_H

#include "../read/selection.h"
#include "options.h"

/* Arguments and return as of stat_run(): FAILED where no source works. */
int probe_run(const struct options *options,
	      const struct selection *selection);

#endif

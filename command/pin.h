/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Keeping a walk loaded, and letting go of it (--pin, --unpin). */
#ifndef MEMCGSTAT_COMMAND_PIN_H
#define MEMCGSTAT_COMMAND_PIN_H

#include "../read/selection.h"
#include "options.h"

/* Arguments and return as of stat_run(). With both, the old pin goes first. */
int pin_run(const struct options *options, const struct selection *selection);

#endif

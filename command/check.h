/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Health checks of cgroups (--warn, --crit). */
#ifndef MEMCGSTAT_COMMAND_CHECK_H
#define MEMCGSTAT_COMMAND_CHECK_H

#include "../read/selection.h"
#include "../write/verdict.h"
#include "options.h"

/*
 * check_run - read, compare, tell the worst in one line
 * @selection: emptied: only what is compared is read
 *
 * Return: an exit status, of enum verdict_state.
 */
int check_run(const struct options *options, struct selection *selection);

/*
 * check_report - write a verdict
 *
 * Return: its state; VERDICT_UNKNOWN where it could not be written. Where there is
 * no stdout, as at init, that is no error: the exit status tells.
 */
int check_report(const struct options *options, const struct verdict *verdict);

/* check_unknown - nothing can be told. Return: VERDICT_UNKNOWN. */
int check_unknown(const struct options *options, const char *why);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_ALLOCINFO_COMMAND_H
#define MEMCGSTAT_ALLOCINFO_COMMAND_H

#include "options.h"

/*
 * allocinfo_run - print the kernel's allocation sites, as the options say
 *
 * Return: an exit status; what went wrong has been said.
 */
int allocinfo_run(const struct options *options);

/*
 * allocinfo_check - apply --warn and --crit to the sums of the sites chosen
 *
 * Return: an exit status, of enum verdict_state.
 */
int allocinfo_check(const struct options *options);

#endif

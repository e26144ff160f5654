/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MEMCGSTAT_VERSION_H
#define MEMCGSTAT_VERSION_H

#define VERSION	"0.1.0"

#endif

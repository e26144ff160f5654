// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdint.h>

#include "time.h"

void time_write(struct out *out, const struct timespec *time)
{
	uint64_t seconds = (uint64_t)time->tv_sec;
	unsigned int of_day = (unsigned int)(seconds % 86400);
	/*
	 * The proleptic Gregorian date. Years begin in March here, so that a
	 * leap day is the last one; an era is 400 of them.
	 */
	uint64_t era_day = seconds / 86400 + 719468;
	unsigned int of_era = (unsigned int)(era_day % 146097);
	unsigned int year = (of_era - of_era / 1460 + of_era / 36524 -
			     of_era / 146096) / 365;
	unsigned int of_year = of_era - (365 * year + year / 4 - year / 100);
	unsigned int month = (5 * of_year + 2) / 153;
	unsigned int of_month = of_year - (153 * month + 2) / 5 + 1;

	month = month < 10 ? month + 3 : month - 9;
	year += (unsigned int)(era_day / 146097) * 400 + (month <= 2);
	out_format(out, "%04u-%02u-%02uT%02u:%02u:%02u.%06uZ", year, month,
		   of_month, of_day / 3600, of_day / 60 % 60, of_day % 60,
		   (unsigned int)(time->tv_nsec / 1000));
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdint.h>

#include "format.h"
#include "time.h"

/* The date of a day counted from 1970-01-01, by the proleptic Gregorian one. */
static void write_date(struct out *out, uint64_t day)
{
	/* years begin in March here, so that a leap day is the last one */
	uint64_t era_day = day + 719468, era = era_day / 146097;
	uint64_t of_era = era_day % 146097;
	uint64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 -
				of_era / 146096) / 365;
	uint64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 -
				     year_of_era / 100);
	uint64_t month = (5 * of_year + 2) / 153;
	uint64_t of_month = of_year - (153 * month + 2) / 5 + 1;
	char text[40];

	month = month < 10 ? month + 3 : month - 9;
	format_text(text, sizeof(text), "%04u-%02u-%02u", (unsigned int)
		    (era * 400 + year_of_era + (month <= 2)),
		    (unsigned int)month, (unsigned int)of_month);
	out_text(out, text);
}

void time_write(struct out *out, const struct timespec *time)
{
	uint64_t seconds = (uint64_t)time->tv_sec;
	unsigned int of_day = (unsigned int)(seconds % 86400);
	char text[40];

	write_date(out, seconds / 86400);
	format_text(text, sizeof(text), "T%02u:%02u:%02u.%06uZ", of_day / 3600,
		    of_day / 60 % 60, of_day % 60,
		    (unsigned int)(time->tv_nsec / 1000));
	out_text(out, text);
}

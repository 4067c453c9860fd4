/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Milliseconds, and the median of several. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdlib.h>
#include <time.h>

static inline double clock_ms(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static inline double now_ms(void)
{
	return clock_ms(CLOCK_MONOTONIC);
}

/* Of the processor, on this process alone. */
static inline double spent_ms(void)
{
	return clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

static inline int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the values. */
static inline double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return values[count / 2];
}

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Other programs, timed from start to end. */
#ifndef BENCH_PROGRAMS_H
#define BENCH_PROGRAMS_H

#include <stdbool.h>

bool program_on_path(const char *program);

/* Milliseconds of either program, the medians of several runs in turns, after one that
 * is not counted; "second" may be NULL.  False if one of them fails. */
bool programs_time(const char *const *first, double *first_ms,
	const char *const *second, double *second_ms);

#endif

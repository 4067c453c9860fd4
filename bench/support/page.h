/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Times as a page of text: medians of warm runs, and the machine they were taken on. */
#ifndef BENCH_SUPPORT_PAGE_H
#define BENCH_SUPPORT_PAGE_H

#include <stdbool.h>

/* Microseconds for one run; negative where it failed. */
double page_measure(bool (*run)(void *user), void *user);

/* " 1.2 ms |"; " none |" for a negative one. */
void page_print_time(double us);

/* The processor's name, to begin a sentence with, or nothing. */
void page_print_machine(void);

/* Microseconds for these tests of the build folder together, all of each or those that
 * "filter" selects; negative where one is not built or fails. */
double page_run_tests(const char *const *tests, unsigned count, const char *filter);

#endif

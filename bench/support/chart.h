/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rates as bars, in an SVG that reads on light and dark pages. */
#ifndef BENCH_SUPPORT_CHART_H
#define BENCH_SUPPORT_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum { CHART_BARS = 5 };

/* Values of 1 are a line; 0: there is no bar. */
struct chart_row {
	const char *name;
	double values[CHART_BARS];
};

/* False where the file could not be written. */
bool chart_write(const char *path, const char *title, const char *const *names, unsigned bars,
	const struct chart_row *rows, unsigned count);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps of which one size goes from 1 to 4097, and what the simulator counts of them. */
#ifndef TESTS_SUPPORT_SWEEP_H
#define TESTS_SUPPORT_SWEEP_H

#include <layout/codegen.h>

enum { SWEEP_SIZES = 5, SWEEP_POINTS = 37 };

/* "swept" is the size that changes. */
struct sweep {
	const char *name, *remap, *swept;
	layout_size sizes[SWEEP_SIZES];
};

extern const struct sweep sweeps[];
extern const unsigned sweep_count;

/* Powers of two and their neighbours, ascending. */
extern const int64_t sweep_points[SWEEP_POINTS];

/* Of a cell of the destination: accesses that a lane takes part in, masked or not; and the
 * 128-byte lines that waves touch, over the least that hold as many bytes. */
struct sweep_point {
	double cells, accesses, lines;
};

/* The kernel for gfx942; NULL with the error on the context. */
layout_kernel *sweep_kernel(layout_context *ctx, const struct sweep *sweep);

/* Run it with the swept size.  False with an error. */
bool sweep_run(layout_context *ctx, const struct sweep *sweep, layout_kernel *kernel,
	int64_t size, struct sweep_point *point);

#endif

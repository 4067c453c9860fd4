/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of digits repeat.
 *
 * For a quasi-affine f : X -> Y there is an n_i for each input i, such that f(x) and
 * f(x + n_i e_i) differ by the same step for all x.  Two functions with the same steps are
 * the same where they are on a box of one period, whatever the sizes: a 3-bit XOR on 64
 * columns repeats after 8 rows.  isl compares such functions floor by floor. */
#ifndef LAYOUT_ALGEBRA_PERIOD_H
#define LAYOUT_ALGEBRA_PERIOD_H

#include "algebra/scan_program.h"

/* What is looked at of an input: from "low" to "high", which are bounds of it, or a period
 * that repeats. */
struct reach {
	int64_t low, high, period;
	bool bounded, repeats;
};

/* Two functions on a box, of which it is all that counts unless "partial".  The values of
 * f are the point that is looked at. */
struct period {
	layout_context *ctx;
	struct program f, g;
	unsigned rank;
	struct reach *reach;
	bool partial;
};

/* Find the box that two functions have to be compared on for a set that holds their
 * inputs, and go to its first point.  False, with nothing on the context, where there is
 * none soon; free in all cases.  Keeps its arguments.  Between bridge_enter() and
 * bridge_leave(). */
bool period_start(struct period *c, layout_context *ctx, isl_multi_aff *f,
	isl_multi_aff *g, isl_set *set);
void period_free(struct period *c);

/* Go to the next point, the last input fastest; false past the last. */
bool period_next_point(struct period *c);

/* From the point looked at on: does one come at which the functions differ?  Goes there. */
bool period_find_difference(struct period *c);

/* The points of the set, consumed, at which the functions differ as they do at the point
 * looked at. */
isl_set *period_points_like(const struct period *c, isl_set *set);

/* Is the function f(x) = x on the set?  False where that is not seen soon.  Between
 * bridge_enter() and bridge_leave(); keeps its arguments. */
bool period_is_identity(layout_context *ctx, isl_multi_aff *function, isl_set *set);

#endif

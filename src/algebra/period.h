/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of digits repeat.
 *
 * For a quasi-affine f : X -> Y there is an n_i for each input i, such that f(x) and
 * f(x + n_i e_i) differ by the same step for all x.  Two functions with the same steps are
 * the same where they are on a box of one period, whatever the sizes: a 3-bit XOR on 64
 * columns repeats after 8 rows.  isl compares such functions floor by floor. */
#ifndef LAYOUT_ALGEBRA_PERIOD_H
#define LAYOUT_ALGEBRA_PERIOD_H

#include "isl_bridge/objects.h"

/* Are two relations equal for all sizes >= 0, if they are functions?  Their maps are given
 * with the names of one space.  LAYOUT_UNKNOWN, with nothing on the context, where their
 * periods do not say; NO has a witness as layout_relation_equal() has it.  Between
 * bridge_enter() and bridge_leave(). */
layout_answer period_equal(layout_relation *a, isl_map *map_a, layout_relation *b,
	isl_map *map_b, layout_witness **witness);

/* Is the function f(x) = x on the set?  False where that is not seen soon.  Between
 * bridge_enter() and bridge_leave(); keeps its arguments. */
bool period_is_identity(layout_context *ctx, isl_multi_aff *function, isl_set *set);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Is outer o inner a layout?
 *
 * With a_j and d_j the shapes and strides of outer's modes, coalesced, and P_j the
 * product of the shapes before mode j,
 *
 *	outer(x) = d_0 x + sum over j >= 1 of w_j floor(x / P_j)
 *	w_j = d_j - a_(j-1) d_(j-1), not 0
 *
 * so a sum of steps r_q, c_q times each, is taken to the sum of c_q outer(r_q) and
 *
 *	sum over j of w_j floor((sum over q of c_q (r_q mod P_j)) / P_j)
 *
 * on top, the carries over the boundaries P_j.  R is a layout exactly where the
 * carries are worth 0 for all coordinates, with the steps of inner's leaves split
 * where a leaf alone carries for the first time. */
#ifndef LAYOUT_ALGEBRA_CUTE_COMPOSE_EXACT_H
#define LAYOUT_ALGEBRA_CUTE_COMPOSE_EXACT_H

#include "algebra/cute/modes.h"
#include "algebra/cute/order.h"

/* A mode of R: "shape" steps of "step" in outer's coordinates, each worth "value". It is
 * part of leaf "leaf" of inner, whose coordinate moves by "place". */
struct cute_part {
	int64_t shape, step, value, place;
	unsigned leaf;
};

/* outer and inner are plain; neither is empty.  prefix[j] is P_j. */
struct cute_composition {
	layout_context *ctx;
	const layout_cute *outer, *inner;
	struct cute_reversed reversed;
	struct cute_modes modes;
	int64_t prefix[CUTE_MODES];
	unsigned part_count;
	struct cute_part parts[CUTE_MODES];
};

/* outer(x); LAYOUT_ERROR_OVERFLOW where it does not fit. */
bool cute_exact_at(const struct cute_composition *composition, int64_t x, int64_t *value);

/* The boundaries over which steps of "count" parts from "part" on can carry, without
 * those whose carries cancel at each coordinate: 1 <= boundaries[] < modes.count. */
unsigned cute_exact_boundaries(const struct cute_composition *composition,
	const struct cute_part *part, unsigned count, unsigned *boundaries);

/* Split leaf "leaf" of inner into parts; false with the error on the context where the
 * leaf alone has no layout. */
bool cute_exact_split(struct cute_composition *composition, unsigned leaf);

/* Do the parts add up, at each coordinate?  False with the error on the context. */
bool cute_exact_sum(const struct cute_composition *composition);

/* There is no layout: at "count" of each part the value is not what a layout gives.
 * "why" is put before it, or "".  Always false. */
bool cute_exact_refuse(const struct cute_composition *composition, const char *why,
	const int64_t *counts);

#endif

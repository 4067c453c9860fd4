/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* isl's functions put together: numbers, coordinates, and digits of what is there.
 *
 * Spaces are those of sets, and are kept; functions are consumed, unless a line says else.
 * NULL passes through. */
#ifndef LAYOUT_BRIDGE_AFF_H
#define LAYOUT_BRIDGE_AFF_H

#include "isl_bridge/bridge.h"

isl_aff *aff_number(isl_space *space, int64_t number);
isl_aff *aff_coordinate(isl_space *space, unsigned dim);
isl_aff *aff_parameter(isl_space *space, unsigned param);

/* factor * aff, floor(aff / by), ceil(aff / by), and aff mod by. */
isl_aff *aff_scale(isl_aff *aff, int64_t factor);
isl_aff *aff_floor(isl_aff *aff, int64_t by);
isl_aff *aff_ceil(isl_aff *aff, int64_t by);
isl_aff *aff_mod(isl_aff *aff, int64_t by);

/* sum + factor * aff */
isl_aff *aff_add_scaled(isl_aff *sum, isl_aff *aff, int64_t factor);

/* floor(aff / step) mod radix, and the same of a coordinate; radix 0: no mod. */
isl_aff *aff_digit(isl_aff *aff, int64_t step, int64_t radix);
isl_aff *aff_coordinate_digit(isl_space *space, unsigned dim, int64_t step,
	int64_t radix);

/* The function, with its digit floor(aff / unit) mod radix turned by times that of "by",
 * floor(by / step), which it keeps: a rotation; or times 0, its XOR with that one's digit,
 * of bits. */
isl_aff *aff_twist(isl_aff *aff, int64_t unit, isl_aff *by, int64_t step, int64_t radix,
	int64_t times);

/* What a function, which it keeps, has of parameters outside of floors, and its constant,
 * over "space", which has these parameters and is consumed. */
isl_aff *aff_of_parameters(isl_aff *aff, isl_space *space);

/* What floor "div" of a function, which it keeps, divides, and by what. */
isl_aff *aff_dividend(isl_aff *aff, int div, isl_val **by);

/* The points of the function's domain where it is 0. */
isl_set *aff_zero_set(isl_aff *aff);

/* The functions from "space" to "range"; it consumes both. */
isl_multi_aff *aff_function(isl_space *space, isl_space *range, isl_aff_list *list);

#endif

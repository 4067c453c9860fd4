/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What layout/cute.h promises of inverses, for layouts of size > 0 whose first mode is
 * the fastest, as cute_operation. */
#ifndef LAYOUT_ALGEBRA_CUTE_INVERSE_H
#define LAYOUT_ALGEBRA_CUTE_INVERSE_H

#include "algebra/cute/bits.h"

/* Of layouts without a swizzle. */
layout_cute *cute_inverse_left(layout_cute *cute, const void *unused);

/* A layout R with R(offset) = coordinate at points in the order of their offsets, all of
 * them >= 0 and different; for "any", of any coordinate of "cute" that has the offset,
 * those beyond its size included, which its last mode has without end.  LAYOUT_UNKNOWN
 * where the search takes too long. */
struct cute_point {
	int64_t offset, coordinate;
};
layout_answer cute_inverse_search(const layout_cute *cute,
	const struct cute_point *points, int64_t count, bool any, layout_cute **inverse);

/* Of Sw o offset o L. */
layout_cute *cute_inverse_right_swizzled(layout_cute *cute, const void *unused);
layout_cute *cute_inverse_left_swizzled(layout_cute *cute, const void *unused);

/* A layout of given coordinates, i -> those of 2^in or of "count"; of fewer, the first
 * ones, where all of them are none. */
layout_cute *cute_first_of_bits(layout_context *ctx, struct cute_bits bits, int prefer);
layout_cute *cute_first_of_values(layout_context *ctx, const int64_t *values,
	int64_t count, int prefer);

#endif

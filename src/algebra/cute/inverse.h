/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inverses of layouts whose first mode is the fastest, all as cute_operation. */
#ifndef LAYOUT_ALGEBRA_CUTE_INVERSE_H
#define LAYOUT_ALGEBRA_CUTE_INVERSE_H

#include "algebra/cute/cute.h"

/* Of layouts without a swizzle: the inverses that layout/cute.h promises. */
layout_cute *cute_inverse_right(layout_cute *cute, const void *unused);
layout_cute *cute_inverse_left(layout_cute *cute, const void *unused);

/* Of Sw o offset o L. */
layout_cute *cute_inverse_right_swizzled(layout_cute *cute, const void *unused);
layout_cute *cute_inverse_left_swizzled(layout_cute *cute, const void *unused);

/* The first "count" coordinates, first mode fastest, or fewer where the modes do not end
 * there.  Consumes "cute"; NULL passes through. */
layout_cute *cute_first(layout_cute *cute, int64_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts as isl sees them. */
#ifndef LAYOUT_ALGEBRA_CUTE_RELATION_H
#define LAYOUT_ALGEBRA_CUTE_RELATION_H

#include "algebra/cute/cute.h"
#include "isl_bridge/bridge.h"

/* [i] -> [offset] of shape and stride alone, first mode fastest, for i < size. */
isl_multi_aff *cute_isl_function(const layout_cute *cute);

/* [offset] -> [swizzled] of a swizzle alone, on a power of two that has the first "offsets"
 * offsets in it, or on all of them. */
layout_relation *cute_swizzle_relation_up_to(layout_cute *swizzle, int64_t offsets);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_SWIZZLE_ATTR_H
#define LAYOUT_ALGEBRA_SWIZZLE_ATTR_H

#include "isl_bridge/context.h"
#include <layout/swizzle.h>

/* Columns are counted in a row; row_stride and per_phase are those of an XOR, and
 * row_width and 1 for a rotation. */
struct layout_swizzle {
	layout_context *ctx;
	bool rotates;
	int64_t row_width, access_width, columns;
	int64_t row_stride, per_phase;
	int64_t period;
};

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Swizzles in pictures: offsets, in accesses and rows. */
#include "show/kind.h"

#include "algebra/swizzle_attr.h"

static bool sides(layout_value *value, struct show_side *inputs,
	struct show_side *images)
{
	return show_offset_sides(value->ctx, 1, inputs, images);
}

static unsigned tiles(layout_value *value, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	const layout_swizzle *swizzle = value->object;

	(void)rank;
	sizes[0][0] = swizzle->access_width;
	sizes[1][0] = swizzle->row_width;
	return 2;
}

const struct show_kind show_swizzle = { .sides = sides, .tiles = tiles };

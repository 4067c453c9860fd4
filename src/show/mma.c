/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix operands in pictures: lanes hold elements of rows and columns. */
#include "show/kind.h"

static bool sides(layout_value *value, struct show_side *inputs,
	struct show_side *images)
{
	layout_mma *mma = value->object;
	layout_context *ctx = value->ctx;
	bool good = show_side_add(ctx, inputs, "lane", SHOW_LANE) &&
		show_side_add(ctx, inputs, "element", SHOW_REGISTER);

	if (good && layout_mma_get_shape(mma).blocks > 1)
		good = show_side_add(ctx, images, "block", SHOW_COORDINATE);
	return good && show_side_add(ctx, images, "row", SHOW_COORDINATE) &&
		show_side_add(ctx, images, "column", SHOW_COORDINATE);
}

const struct show_kind show_mma = { .sides = sides };

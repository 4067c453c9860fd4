/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts in pictures: their names say what they are. */
#include "show/kind.h"

static bool fits(layout_value *value)
{
	layout_linear *linear = value->object;
	int64_t pairs = 1;

	for (unsigned i = 0; i < layout_linear_in_count(linear); i++)
		if (!show_multiply(&pairs, layout_linear_in_size(linear, i)))
			return show_too_large(value->ctx);
	return true;
}

static bool sides(layout_value *value, struct show_side *inputs,
	struct show_side *images)
{
	layout_linear *linear = value->object;
	layout_context *ctx = value->ctx;
	bool good = true;

	for (unsigned i = 0; good && i < layout_linear_in_count(linear); i++)
		good = show_side_add(ctx, inputs, layout_linear_in_name(linear, i),
			show_role_of(layout_linear_in_name(linear, i)));
	for (unsigned i = 0; good && i < layout_linear_out_count(linear); i++)
		good = show_side_add(ctx, images, layout_linear_out_name(linear, i),
			show_role_of(layout_linear_out_name(linear, i)));
	return good;
}

static void declare(struct show_picture *picture, layout_value *value)
{
	if (show_grid_of(&picture->pairs) != SHOW_GRID_IMAGES)
		return;
	for (unsigned d = 0; d < picture->rank; d++)
		show_declare(picture, d, layout_linear_out_size(value->object, d));
}

const struct show_kind show_linear = { fits, sides, .declare = declare };

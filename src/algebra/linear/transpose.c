/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"

/* The side in the order of "names", which are all of its names. */
static bool reorder(layout_context *ctx, struct linear_side *side,
	const char *const *names, unsigned count, const char *what)
{
	const struct linear_side from = *side;
	unsigned order[LAYOUT_LINEAR_RANK];

	if (!linear_places(ctx, side, names, count, what, order))
		return false;
	if (count != side->count) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"%u names for the %u %ss %s", count, side->count, what,
			linear_side_text(side).text);
		return false;
	}
	for (unsigned i = 0; i < count; i++) {
		side->names[i] = from.names[order[i]];
		side->widths[i] = from.widths[order[i]];
	}
	return true;
}

static layout_linear *transpose(layout_linear *linear, unsigned at,
	const char *const *names, unsigned count)
{
	struct linear_side sides[LINEAR_SIDES];
	layout_linear *result = NULL;

	if (!linear)
		return NULL;
	linear_sides(linear, sides);
	if (reorder(linear->ctx, &sides[at], names, count, linear_words[at]))
		result = linear_part(linear, &sides[LINEAR_INS], &sides[LINEAR_OUTS]);
	layout_linear_free(linear);
	return result;
}

layout_linear *layout_linear_transpose_ins(layout_linear *linear,
	const char *const *names, unsigned count)
{
	return transpose(linear, LINEAR_INS, names, count);
}

layout_linear *layout_linear_transpose_outs(layout_linear *linear,
	const char *const *names, unsigned count)
{
	return transpose(linear, LINEAR_OUTS, names, count);
}

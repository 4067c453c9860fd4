/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"

/* All names of "side", in the order that "names" has them. */
static bool reorder(layout_context *ctx, const struct linear_side *side,
	const char *const *names, unsigned count, const char *what,
	struct linear_side *to, unsigned *order)
{
	if (!linear_places(ctx, side, names, count, what, order))
		return false;
	if (count != side->count) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"%u names for the %u %ss %s", count, side->count, what,
			linear_side_text(side).text);
		return false;
	}
	to->count = 0;
	for (unsigned i = 0; i < count; i++)
		linear_append(ctx, to, side->names[order[i]], side->widths[order[i]]);
	return true;
}

layout_linear *layout_linear_transpose_ins(layout_linear *linear,
	const char *const *names, unsigned count)
{
	struct linear_side ins, outs, reordered;
	unsigned order[LAYOUT_LINEAR_RANK], bit = 0;
	int places[LAYOUT_LINEAR_RANK];
	layout_linear *result = NULL;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	linear_match(&outs, &outs, places);
	if (reorder(linear->ctx, &ins, names, count, "input", &reordered, order))
		result = linear_begin(linear->ctx, &reordered, &outs);
	for (unsigned i = 0; result && i < count; i++) {
		unsigned from = f2_in_begin(linear->f2, order[i]);

		for (unsigned j = 0; j < reordered.widths[i]; j++)
			linear_add_column(result->f2, bit++, linear->f2, from + j,
				places, NULL);
	}
	layout_linear_free(linear);
	return result;
}

layout_linear *layout_linear_transpose_outs(layout_linear *linear,
	const char *const *names, unsigned count)
{
	struct linear_side ins, outs, reordered;
	unsigned order[LAYOUT_LINEAR_RANK];
	int places[LAYOUT_LINEAR_RANK];
	layout_linear *result = NULL;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	if (reorder(linear->ctx, &outs, names, count, "output", &reordered, order))
		result = linear_begin(linear->ctx, &ins, &reordered);
	if (result)
		linear_match(&outs, &reordered, places);
	for (unsigned bit = 0; result && bit < linear->f2->in_bits; bit++)
		linear_add_column(result->f2, bit, linear->f2, bit, places, NULL);
	layout_linear_free(linear);
	return result;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"

/* What "names" choose of a side, in the side's order. */
static bool choose(layout_context *ctx, const struct linear_side *side,
	const char *const *names, unsigned count, const char *what,
	struct linear_side *chosen)
{
	bool keep[LAYOUT_LINEAR_RANK] = { false };
	unsigned places[LAYOUT_LINEAR_RANK];

	chosen->count = 0;
	if (!linear_places(ctx, side, names, count, what, places))
		return false;
	for (unsigned i = 0; i < count; i++)
		keep[places[i]] = true;
	for (unsigned i = 0; i < side->count; i++)
		if (keep[i])
			linear_append(ctx, chosen, side->names[i], side->widths[i]);
	return true;
}

layout_linear *layout_linear_sublayout(layout_linear *linear, const char *const *ins,
	unsigned in_count, const char *const *outs, unsigned out_count)
{
	struct linear_side all_ins, all_outs, some_ins, some_outs;
	layout_linear *result = NULL;

	if (!linear)
		return NULL;
	all_ins = linear_ins(linear);
	all_outs = linear_outs(linear);
	if (choose(linear->ctx, &all_ins, ins, in_count, "input", &some_ins) &&
	    choose(linear->ctx, &all_outs, outs, out_count, "output", &some_outs))
		result = linear_part(linear, &some_ins, &some_outs);
	layout_linear_free(linear);
	return result;
}

layout_answer layout_linear_sublayout_is_zero(layout_linear *linear,
	const char *const *ins, unsigned in_count,
	const char *const *outs, unsigned out_count)
{
	layout_linear *part = layout_linear_sublayout(layout_linear_copy(linear),
		ins, in_count, outs, out_count);
	layout_answer answer = LAYOUT_UNKNOWN;

	if (part)
		answer = f2_rank(part->f2) ? LAYOUT_NO : LAYOUT_YES;
	layout_linear_free(part);
	return answer;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"
#include "isl_bridge/bridge.h"

/* Nothing of "by" goes where "from" takes the point "missed". */
static void fail_missed(const layout_linear *by, const layout_linear *from,
	const int64_t *missed)
{
	int64_t image[LAYOUT_LINEAR_RANK];
	struct linear_side ins = linear_ins(from), outs = linear_outs(from);

	f2_apply(from->f2, missed, image);
	layout_fail(by->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"one layout takes %s = %s to %s = %s, which the other one does not reach",
		linear_side_text(&ins).text, linear_point_text(missed, ins.count).text,
		linear_side_text(&outs).text, linear_point_text(image, outs.count).text);
}

layout_linear *linear_solve(const layout_linear *by, const layout_linear *from)
{
	struct linear_side ins = linear_ins(from), outs = linear_ins(by);
	int64_t missed[LAYOUT_LINEAR_RANK];
	struct f2 *solution = f2_solve(by->ctx, by->f2, from->f2, missed);

	if (!solution)
		fail_missed(by, from, missed);
	return linear_around(by->ctx, &ins, &outs, solution);
}

bool linear_align(const layout_linear *by, layout_linear **from)
{
	struct linear_side by_outs = linear_outs(by), from_outs = linear_outs(*from);

	if (!linear_meet(by->ctx, &from_outs, "outputs of one layout",
			&by_outs, "outputs of the other"))
		return false;
	*from = linear_arrange_outs(*from, &by_outs);
	return *from != NULL;
}

layout_linear *layout_linear_least_squares(layout_linear *a, layout_linear *b)
{
	layout_linear *result = NULL;

	if (a && b && bridge_contexts_meet(a->ctx, b->ctx) && linear_align(a, &b))
		result = linear_solve(a, b);
	layout_linear_free(a);
	layout_linear_free(b);
	return result;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>
#include <string.h>

bool linear_meet(layout_context *ctx, const struct linear_side *a, const char *a_what,
	const struct linear_side *b, const char *b_what)
{
	bool meet = a->count == b->count;

	for (unsigned i = 0; meet && i < a->count; i++)
		meet = linear_find(b, a->names[i]) >= 0;
	if (!meet)
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"the %s %s are not the %s %s", a_what,
			linear_side_text(a).text, b_what, linear_side_text(b).text);
	return meet;
}

layout_linear *linear_arrange_outs(layout_linear *linear, const struct linear_side *like)
{
	bool same = linear != NULL;

	for (unsigned i = 0; same && i < like->count; i++)
		same = !strcmp(linear->outs[i], like->names[i]);
	if (same)
		return linear;
	return layout_linear_transpose_outs(linear, like->names, like->count);
}

static bool sizes_fit(layout_context *ctx, const struct linear_side *outs,
	const struct linear_side *ins)
{
	for (unsigned i = 0; i < outs->count; i++) {
		int place = linear_find(ins, outs->names[i]);

		if (outs->widths[i] <= ins->widths[place])
			continue;
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"output %s of the inner layout has %" PRId64 " points, "
			"input %s of the outer one only %" PRId64,
			outs->names[i], (int64_t)1 << outs->widths[i],
			outs->names[i], (int64_t)1 << ins->widths[place]);
		return false;
	}
	return true;
}

layout_linear *layout_linear_compose(layout_linear *outer, layout_linear *inner)
{
	struct linear_side ins, outs, middle;
	layout_linear *result = NULL;

	if (!outer || !inner || !bridge_contexts_meet(outer->ctx, inner->ctx))
		goto done;
	middle = linear_ins(outer);
	outs = linear_outs(inner);
	if (!linear_meet(outer->ctx, &outs, "outputs of the inner layout",
			&middle, "inputs of the outer one") ||
	    !sizes_fit(outer->ctx, &outs, &middle))
		goto done;
	inner = linear_arrange_outs(inner, &middle);
	if (!inner)
		goto done;
	ins = linear_ins(inner);
	outs = linear_outs(outer);
	result = linear_around(outer->ctx, &ins, &outs,
		f2_compose(outer->ctx, outer->f2, inner->f2));
done:
	layout_linear_free(outer);
	layout_linear_free(inner);
	return result;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"
#include "isl_bridge/bridge.h"

/* Names of both in an order that agrees with both, widths added up. */
static bool merge(layout_context *ctx, const struct linear_side *a,
	const struct linear_side *b, const char *what, struct linear_side *merged)
{
	unsigned i = 0, j = 0;
	bool ok = true;

	merged->count = 0;
	while (ok && (i < a->count || j < b->count)) {
		int a_in_b = i < a->count ? linear_find(b, a->names[i]) : -1;
		int b_in_a = j < b->count ? linear_find(a, b->names[j]) : -1;

		if (i < a->count && a_in_b < 0) {
			ok = linear_append(ctx, merged, a->names[i], a->widths[i]);
			i++;
		} else if (j < b->count && b_in_a < 0) {
			ok = linear_append(ctx, merged, b->names[j], b->widths[j]);
			j++;
		} else if (a_in_b == (int)j) {
			ok = linear_append(ctx, merged, a->names[i],
				a->widths[i] + b->widths[j]);
			i++;
			j++;
		} else {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
				"no order of %ss agrees with %s and %s", what,
				linear_side_text(a).text, linear_side_text(b).text);
			ok = false;
		}
	}
	return ok;
}

/* The columns of one operand, above the bits of the operand below, or NULL. */
static void place(layout_linear *result, const layout_linear *from,
	const layout_linear *below)
{
	struct linear_side ins = linear_ins(from), outs = linear_outs(from);
	struct linear_side low[LINEAR_SIDES] = { 0 };
	struct linear_side result_ins = linear_ins(result);
	struct linear_side result_outs = linear_outs(result);
	int places[LAYOUT_LINEAR_RANK];
	unsigned shifts[LAYOUT_LINEAR_RANK], bit = 0;

	if (below)
		linear_sides(below, low);
	linear_match(&outs, &result_outs, places);
	for (unsigned i = 0; i < outs.count; i++)
		shifts[i] = linear_width(&low[LINEAR_OUTS], outs.names[i]);
	for (unsigned i = 0; i < ins.count; i++) {
		unsigned in = (unsigned)linear_find(&result_ins, ins.names[i]);
		unsigned to = f2_in_begin(result->f2, in) +
			linear_width(&low[LINEAR_INS], ins.names[i]);

		for (unsigned j = 0; j < ins.widths[i]; j++)
			linear_add_column(result->f2, to + j, from->f2, bit++, places,
				shifts);
	}
}

layout_linear *layout_linear_product(layout_linear *a, layout_linear *b)
{
	layout_linear *result = NULL;

	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx))
		goto done;
	result = linear_begin_of(a, b, merge);
	if (!result)
		goto done;
	place(result, a, NULL);
	place(result, b, a);
done:
	layout_linear_free(a);
	layout_linear_free(b);
	return result;
}

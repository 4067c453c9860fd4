/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The conversion between two layouts.  An input on which both agree stays as it is,
 * and the others use it only where nothing else helps: what need not move between
 * warps does not. */
#include "algebra/linear/linear.h"
#include "isl_bridge/bridge.h"

#include <string.h>

/* Have both an input of that name, size and bases?  Their outputs are in one order. */
static bool agree(const layout_linear *a, unsigned in, const layout_linear *b)
{
	struct linear_side b_ins = linear_ins(b);
	int other = linear_find(&b_ins, a->ins[in]);
	unsigned width = a->f2->in_widths[in], from, to;

	if (other < 0 || b_ins.widths[other] != width)
		return false;
	from = f2_in_begin(a->f2, in);
	to = f2_in_begin(b->f2, (unsigned)other);
	for (unsigned bit = 0; bit < width; bit++)
		for (unsigned out = 0; out < a->f2->out_rank; out++)
			if (f2_get(a->f2, from + bit, out) !=
			    f2_get(b->f2, to + bit, out))
				return false;
	return true;
}

/* b's inputs, those in "common" last: what comes first is used first.  Keeps "b". */
static layout_linear *common_last(layout_linear *b, const struct linear_side *common)
{
	const char *names[LAYOUT_LINEAR_RANK];
	struct linear_side ins = linear_ins(b);
	unsigned count = 0;

	for (unsigned last = 0; last < 2; last++)
		for (unsigned i = 0; i < ins.count; i++)
			if ((linear_find(common, ins.names[i]) >= 0) == (last == 1))
				names[count++] = ins.names[i];
	return layout_linear_transpose_ins(layout_linear_copy(b), names, count);
}

/* The inputs in "common" go to the outputs of their names, and nowhere else. */
static void keep_common(layout_linear *result, const struct linear_side *common)
{
	struct linear_side ins = linear_ins(result), outs = linear_outs(result);
	struct f2 *f2 = result->f2;

	for (unsigned i = 0; i < common->count; i++) {
		int in = linear_find(&ins, common->names[i]);
		int out = linear_find(&outs, common->names[i]);
		unsigned bit = f2_in_begin(f2, (unsigned)in);

		memset(f2_column(f2, bit), 0,
			(size_t)common->widths[i] * f2->words * sizeof(uint64_t));
		for (unsigned j = 0; j < common->widths[i]; j++)
			f2_toggle(f2, bit + j, (unsigned)out, (uint64_t)1 << j);
	}
}

layout_linear *layout_linear_invert_and_compose(layout_linear *a, layout_linear *b)
{
	struct linear_side ins, common = { 0 };
	layout_linear *result = NULL, *ordered = NULL;

	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx) || !linear_align(b, &a))
		goto done;
	for (unsigned i = 0; i < a->f2->in_rank; i++)
		if (agree(a, i, b))
			linear_append(a->ctx, &common, a->ins[i], a->f2->in_widths[i]);
	ordered = common_last(b, &common);
	result = ordered ? linear_solve(ordered, a) : NULL;
	if (!result)
		goto done;
	keep_common(result, &common);
	ins = linear_ins(b);
	result = linear_arrange_outs(result, &ins);
done:
	layout_linear_free(a);
	layout_linear_free(b);
	layout_linear_free(ordered);
	return result;
}

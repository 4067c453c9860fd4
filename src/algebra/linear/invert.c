/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/span.h"
#include "algebra/linear/linear.h"

#include <inttypes.h>

/* "dim1 has 8 points but only 4 are reached", of the first such output, else a point
 * of all of them that is not. */
static void fail_unreached(const layout_linear *linear, const char *doing)
{
	const struct f2 *f2 = linear->f2;
	struct linear_side outs = linear_outs(linear);
	int64_t missing[LAYOUT_LINEAR_RANK];
	struct f2_span span;

	for (unsigned i = 0; i < f2->out_rank; i++) {
		linear_span_output(&span, linear, i);
		if (span.count == f2->out_widths[i])
			continue;
		layout_fail(linear->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no %s: %s has %" PRId64 " points but only %" PRId64
			" are reached", doing, outs.names[i],
			(int64_t)1 << f2->out_widths[i], (int64_t)1 << span.count);
		return;
	}
	f2_missing(f2, missing);
	layout_fail(linear->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"no %s: no point goes to %s = %s", doing, linear_side_text(&outs).text,
		linear_point_text(missing, f2->out_rank).text);
}

static void fail_meeting(const layout_linear *linear, const char *doing)
{
	struct linear_side ins = linear_ins(linear);
	int64_t point[LAYOUT_LINEAR_RANK], zero[LAYOUT_LINEAR_RANK] = { 0 };

	f2_kernel(linear->f2, point);
	layout_fail(linear->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"no %s: %s = %s and %s have one image", doing,
		linear_side_text(&ins).text, linear_point_text(zero, ins.count).text,
		linear_point_text(point, ins.count).text);
}

/* The names the other way round. */
static layout_linear *reversed(const layout_linear *linear, struct f2 *f2)
{
	struct linear_side ins = linear_ins(linear), outs = linear_outs(linear);

	return linear_around(linear->ctx, &outs, &ins, f2);
}

layout_linear *layout_linear_invert(layout_linear *linear)
{
	layout_linear *result = NULL;
	struct f2 *inverse;

	if (!linear)
		return NULL;
	inverse = f2_inverse(linear->ctx, linear->f2);
	if (inverse)
		result = reversed(linear, inverse);
	else if (f2_rank(linear->f2) < linear->f2->in_bits)
		fail_meeting(linear, "inverse");
	else if (linear->f2->in_bits < linear->f2->out_bits)
		fail_unreached(linear, "inverse");
	layout_linear_free(linear);
	return result;
}

/* R with linear(R(y)) = y: solved for the identity of the outputs. */
layout_linear *layout_linear_pseudo_inverse(layout_linear *linear)
{
	int64_t missed[LAYOUT_LINEAR_RANK];
	layout_linear *result = NULL;
	struct f2 *identity, *solution;
	const struct f2 *f2;
	unsigned bit = 0;

	if (!linear)
		return NULL;
	f2 = linear->f2;
	identity = f2_new(linear->ctx, f2->out_rank, f2->out_widths, f2->out_rank,
		f2->out_widths);
	for (unsigned i = 0; identity && i < f2->out_rank; i++)
		for (unsigned j = 0; j < f2->out_widths[i]; j++)
			f2_toggle(identity, bit++, i, (uint64_t)1 << j);
	solution = identity ? f2_solve(linear->ctx, f2, identity, missed) : NULL;
	if (solution)
		result = reversed(linear, solution);
	else if (f2_rank(f2) < f2->out_bits)
		fail_unreached(linear, "right inverse");
	f2_free(identity);
	layout_linear_free(linear);
	return result;
}

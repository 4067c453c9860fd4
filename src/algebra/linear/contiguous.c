/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/span.h"
#include "algebra/linear/linear.h"

void linear_span_output(struct f2_span *span, const layout_linear *linear, unsigned out)
{
	const struct f2 *f2 = linear->f2;

	f2_span_begin(span, 1, f2->in_bits);
	for (unsigned bit = 0; bit < f2->in_bits; bit++) {
		*f2_span_row(span) = f2_get(f2, bit, out);
		f2_span_add(span, bit);
	}
}

/* 2^k is a sum of the others' values as long as all below are, too. */
int64_t layout_linear_contiguous(layout_linear *linear, const char *out)
{
	struct linear_side outs;
	struct f2_span span;
	unsigned place, bit = 0;

	if (!linear)
		return -1;
	outs = linear_outs(linear);
	if (!linear_places(linear->ctx, &outs, &out, 1, "output", &place))
		return -1;
	linear_span_output(&span, linear, place);
	for (; bit < outs.widths[place]; bit++) {
		uint64_t *row = f2_span_row(&span);

		*row = (uint64_t)1 << bit;
		if (!f2_span_reduce(&span, row))
			break;
	}
	return (int64_t)1 << bit;
}

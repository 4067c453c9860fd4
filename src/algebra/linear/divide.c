/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The operand of a product, given the product and the other operand: its bases can
 * only be those of the bits that the other one leaves, and then the product must be
 * what was given. */
#include "algebra/linear/linear.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>

/* The widths that the divisor leaves of "a". */
static bool subtract(layout_context *ctx, const struct linear_side *a,
	const struct linear_side *divisor, const char *what, struct linear_side *rest)
{
	int last = -1;

	*rest = *a;
	for (unsigned i = 0; i < divisor->count; i++) {
		int place = linear_find(a, divisor->names[i]);

		if (place <= last) {
			layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"no quotient: the divisor's %ss %s are not among %s in "
				"that order", what, linear_side_text(divisor).text,
				linear_side_text(a).text);
			return false;
		}
		last = place;
		if (divisor->widths[i] > a->widths[place]) {
			layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"no quotient: %s has %" PRId64 " points and the "
				"divisor's has %" PRId64, a->names[place],
				(int64_t)1 << a->widths[place],
				(int64_t)1 << divisor->widths[i]);
			return false;
		}
		rest->widths[place] -= divisor->widths[i];
	}
	return true;
}

/* a's columns from the bits of low's inputs on, without the bits of its outputs, or all for
 * NULL; the other sizes are those of "result". */
static void extract(layout_linear *result, const layout_linear *a,
	const layout_linear *low)
{
	struct linear_side ins = linear_ins(result), outs = linear_outs(result);
	struct linear_side below[LINEAR_SIDES] = { 0 };
	unsigned bit = 0;

	if (low)
		linear_sides(low, below);
	for (unsigned i = 0; i < ins.count; i++) {
		unsigned from = f2_in_begin(a->f2, i) +
			linear_width(&below[LINEAR_INS], ins.names[i]);

		for (unsigned j = 0; j < ins.widths[i]; j++, bit++)
			for (unsigned out = 0; out < outs.count; out++)
				f2_toggle(result->f2, bit, out,
					f2_get(a->f2, from + j, out) >>
					linear_width(&below[LINEAR_OUTS], outs.names[out]));
	}
}

/* Is "product" what was to be divided?  Consumes it. */
static bool verify(const layout_linear *a, layout_linear *product)
{
	int64_t point[LAYOUT_LINEAR_RANK], wanted[LAYOUT_LINEAR_RANK],
		image[LAYOUT_LINEAR_RANK];
	unsigned ins = a->f2->in_rank, outs = a->f2->out_rank;
	bool same = product && f2_equal(product->f2, a->f2, point);

	if (product && !same) {
		f2_apply(a->f2, point, wanted);
		f2_apply(product->f2, point, image);
		layout_fail(a->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no quotient: %s goes to %s, where a product with the divisor "
			"takes it to %s", linear_point_text(point, ins).text,
			linear_point_text(wanted, outs).text,
			linear_point_text(image, outs).text);
	}
	layout_linear_free(product);
	return same;
}

/* C with a = divisor * C if "left", else with a = C * divisor. */
static layout_linear *divide(layout_linear *a, layout_linear *divisor, bool left)
{
	layout_linear *result = NULL, *first, *second;

	if (!a || !divisor || !bridge_contexts_meet(a->ctx, divisor->ctx))
		goto done;
	result = linear_begin_of(a, divisor, subtract);
	if (!result)
		goto done;
	extract(result, a, left ? divisor : NULL);
	first = layout_linear_copy(left ? divisor : result);
	second = layout_linear_copy(left ? result : divisor);
	if (!verify(a, layout_linear_product(first, second))) {
		layout_linear_free(result);
		result = NULL;
	}
done:
	layout_linear_free(a);
	layout_linear_free(divisor);
	return result;
}

layout_linear *layout_linear_divide_left(layout_linear *a, layout_linear *b)
{
	return divide(a, b, true);
}

layout_linear *layout_linear_divide_right(layout_linear *a, layout_linear *b)
{
	return divide(a, b, false);
}

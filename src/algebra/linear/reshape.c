/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Other inputs or outputs over the same bits: the columns stay where they are. */
#include "algebra/linear/linear.h"

#include <string.h>

static unsigned total(const struct linear_side *side)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < side->count; i++)
		bits += side->widths[i];
	return bits;
}

static bool same_size(layout_context *ctx, const struct linear_side *from,
	const struct linear_side *to, const char *what)
{
	if (total(from) == total(to))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"the %ss %s have 2^%u points altogether, %s would have 2^%u", what,
		linear_side_text(from).text, total(from),
		linear_side_text(to).text, total(to));
	return false;
}

/* Consumes "linear"; its bits are those of the new sides. */
static layout_linear *view(layout_linear *linear, const struct linear_side *ins,
	const struct linear_side *outs)
{
	layout_linear *result = linear_begin(linear->ctx, ins, outs);
	const struct f2 *from = linear->f2;

	if (result)
		memcpy(result->f2->columns, from->columns,
			(size_t)from->in_bits * from->words * sizeof(uint64_t));
	layout_linear_free(linear);
	return result;
}

layout_linear *layout_linear_reshape_ins(layout_linear *linear, const layout_size *sizes,
	unsigned count)
{
	struct linear_side ins, outs, reshaped;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	if (linear_side_of(linear->ctx, sizes, count, &reshaped) &&
	    same_size(linear->ctx, &ins, &reshaped, "input"))
		return view(linear, &reshaped, &outs);
	layout_linear_free(linear);
	return NULL;
}

layout_linear *layout_linear_reshape_outs(layout_linear *linear, const layout_size *sizes,
	unsigned count)
{
	struct linear_side ins, outs, reshaped;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	if (linear_side_of(linear->ctx, sizes, count, &reshaped) &&
	    same_size(linear->ctx, &outs, &reshaped, "output"))
		return view(linear, &ins, &reshaped);
	layout_linear_free(linear);
	return NULL;
}

/* The first name with all bits.  False where they are too many for one. */
static bool flatten(layout_context *ctx, struct linear_side *side, const char *what)
{
	unsigned bits = total(side);

	if (bits > F2_WIDTH) {
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"the %ss %s have 2^%u points altogether, more than 64 bits hold",
			what, linear_side_text(side).text, bits);
		return false;
	}
	if (side->count) {
		side->widths[0] = bits;
		side->count = 1;
	}
	return true;
}

layout_linear *layout_linear_flatten_ins(layout_linear *linear)
{
	struct linear_side ins, outs;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	if (flatten(linear->ctx, &ins, "input"))
		return view(linear, &ins, &outs);
	layout_linear_free(linear);
	return NULL;
}

layout_linear *layout_linear_flatten_outs(layout_linear *linear)
{
	struct linear_side ins, outs;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	if (flatten(linear->ctx, &outs, "output"))
		return view(linear, &ins, &outs);
	layout_linear_free(linear);
	return NULL;
}

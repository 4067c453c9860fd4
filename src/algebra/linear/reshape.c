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
	layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
		"the %ss %s have 2^%u points altogether, %s would have 2^%u", what,
		linear_side_text(from).text, total(from),
		linear_side_text(to).text, total(to));
	return false;
}

/* The layout between other sides of as many bits; keeps "linear". */
static layout_linear *view(const layout_linear *linear,
	const struct linear_side sides[LINEAR_SIDES])
{
	const struct f2 *from = linear->f2;
	layout_linear *result = linear_begin(linear->ctx, &sides[LINEAR_INS],
		&sides[LINEAR_OUTS]);

	if (result)
		memcpy(result->f2->columns, from->columns,
			(size_t)from->in_bits * from->words * sizeof(uint64_t));
	return result;
}

static layout_linear *reshape(layout_linear *linear, unsigned at,
	const layout_size *sizes, unsigned count)
{
	struct linear_side sides[LINEAR_SIDES], reshaped;
	layout_linear *result = NULL;

	if (!linear)
		return NULL;
	linear_sides(linear, sides);
	if (linear_side_of(linear->ctx, sizes, count, &reshaped) &&
	    same_size(linear->ctx, &sides[at], &reshaped, linear_words[at])) {
		sides[at] = reshaped;
		result = view(linear, sides);
	}
	layout_linear_free(linear);
	return result;
}

layout_linear *layout_linear_reshape_ins(layout_linear *linear, const layout_size *sizes,
	unsigned count)
{
	return reshape(linear, LINEAR_INS, sizes, count);
}

layout_linear *layout_linear_reshape_outs(layout_linear *linear, const layout_size *sizes,
	unsigned count)
{
	return reshape(linear, LINEAR_OUTS, sizes, count);
}

/* The first name with all bits.  False where they are too many for one. */
static bool join(layout_context *ctx, struct linear_side *side, const char *what)
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

static layout_linear *flatten(layout_linear *linear, unsigned at)
{
	struct linear_side sides[LINEAR_SIDES];
	layout_linear *result = NULL;

	if (!linear)
		return NULL;
	linear_sides(linear, sides);
	if (join(linear->ctx, &sides[at], linear_words[at]))
		result = view(linear, sides);
	layout_linear_free(linear);
	return result;
}

layout_linear *layout_linear_flatten_ins(layout_linear *linear)
{
	return flatten(linear, LINEAR_INS);
}

layout_linear *layout_linear_flatten_outs(layout_linear *linear)
{
	return flatten(linear, LINEAR_OUTS);
}

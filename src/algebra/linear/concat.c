/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>
#include <stdio.h>

/* The names and sizes of "b" are those of "a", in any order. */
static bool agree(layout_context *ctx, const struct linear_side *a,
	const struct linear_side *b, const char *what)
{
	char names[2][40];

	snprintf(names[0], sizeof(names[0]), "%ss of one layout", what);
	snprintf(names[1], sizeof(names[1]), "%ss of the other", what);
	if (!linear_meet(ctx, a, names[0], b, names[1]))
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		unsigned width = linear_width(b, a->names[i]);

		if (a->widths[i] == width)
			continue;
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, "%s has %" PRId64
			" points in one layout and %" PRId64 " in the other",
			a->names[i], (int64_t)1 << a->widths[i], (int64_t)1 << width);
		return false;
	}
	return true;
}

/* Append the names of "b", none of which "a" may have. */
static bool join(layout_context *ctx, struct linear_side *a, const struct linear_side *b,
	const char *what)
{
	for (unsigned i = 0; i < b->count; i++) {
		if (linear_find(a, b->names[i]) >= 0) {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
				"both layouts have an %s %s", what, b->names[i]);
			return false;
		}
		if (!linear_append(ctx, a, b->names[i], b->widths[i]))
			return false;
	}
	return true;
}

/* All columns of "from", by the names of its outputs, from column "to" on. */
static void copy_columns(layout_linear *result, unsigned to, const layout_linear *from)
{
	struct linear_side outs = linear_outs(from), result_outs = linear_outs(result);
	int places[LAYOUT_LINEAR_RANK];

	linear_match(&outs, &result_outs, places);
	for (unsigned bit = 0; bit < from->f2->in_bits; bit++)
		linear_add_column(result->f2, to + bit, from->f2, bit, places, NULL);
}

/* The layouts side by side at "at", the other side being the same of both.  Where their
 * columns lie on each other, b's inputs are brought into a's order before. */
static layout_linear *concat(layout_linear *a, layout_linear *b, unsigned at)
{
	struct linear_side sides[LINEAR_SIDES], b_sides[LINEAR_SIDES];
	unsigned other = at == LINEAR_INS ? LINEAR_OUTS : LINEAR_INS;
	layout_linear *result = NULL;

	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx))
		goto done;
	linear_sides(a, sides);
	linear_sides(b, b_sides);
	if (!agree(a->ctx, &sides[other], &b_sides[other], linear_words[other]))
		goto done;
	if (at == LINEAR_OUTS)
		b = layout_linear_transpose_ins(b, sides[LINEAR_INS].names,
			sides[LINEAR_INS].count);
	if (!b)
		goto done;
	linear_sides(b, b_sides);
	if (!join(a->ctx, &sides[at], &b_sides[at], linear_words[at]))
		goto done;
	result = linear_begin(a->ctx, &sides[LINEAR_INS], &sides[LINEAR_OUTS]);
	if (!result)
		goto done;
	copy_columns(result, 0, a);
	copy_columns(result, at == LINEAR_INS ? a->f2->in_bits : 0, b);
done:
	layout_linear_free(a);
	layout_linear_free(b);
	return result;
}

layout_linear *layout_linear_concat_ins(layout_linear *a, layout_linear *b)
{
	return concat(a, b, LINEAR_INS);
}

layout_linear *layout_linear_concat_outs(layout_linear *a, layout_linear *b)
{
	return concat(a, b, LINEAR_OUTS);
}

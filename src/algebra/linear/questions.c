/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"
#include "isl_bridge/objects.h"

#include <string.h>

static layout_answer no_because(layout_context *ctx, layout_witness **witness,
	const int64_t *first, unsigned first_rank,
	const int64_t *second, unsigned second_rank)
{
	if (witness)
		*witness = bridge_witness_of(ctx, first, first_rank, second, second_rank);
	return witness && !*witness ? LAYOUT_UNKNOWN : LAYOUT_NO;
}

static bool same_names(const struct linear_side *a, const struct linear_side *b)
{
	bool same = a->count == b->count;

	for (unsigned i = 0; same && i < a->count; i++)
		same = !strcmp(a->names[i], b->names[i]);
	return same;
}

static bool spaces_agree(layout_linear *a, layout_linear *b)
{
	struct linear_side a_ins = linear_ins(a), a_outs = linear_outs(a);
	struct linear_side b_ins = linear_ins(b), b_outs = linear_outs(b);

	if (same_names(&a_ins, &b_ins) && same_names(&a_outs, &b_outs))
		return true;
	layout_fail(a->ctx, LAYOUT_ERROR_SPACE, -1,
		"one layout is from %s to %s, the other from %s to %s",
		linear_side_text(&a_ins).text, linear_side_text(&a_outs).text,
		linear_side_text(&b_ins).text, linear_side_text(&b_outs).text);
	return false;
}

/* The one of the two whose box has a point that the other's lacks; NULL where the
 * boxes are one. */
static const struct f2 *larger_box(const struct f2 *a, const struct f2 *b, int64_t *point)
{
	for (unsigned i = 0; i < a->in_rank; i++) {
		if (a->in_widths[i] == b->in_widths[i])
			continue;
		if (a->in_widths[i] > b->in_widths[i]) {
			point[i] = (int64_t)1 << b->in_widths[i];
			return a;
		}
		point[i] = (int64_t)1 << a->in_widths[i];
		return b;
	}
	return NULL;
}

/* A bit that the two take to different images, whatever the outputs' sizes; false
 * where there is none. */
static bool images_differ(const struct f2 *a, const struct f2 *b, int64_t *point)
{
	unsigned number = 0;

	for (unsigned i = 0; i < a->in_rank; i++)
		for (unsigned bit = 0; bit < a->in_widths[i]; bit++, number++)
			for (unsigned out = 0; out < a->out_rank; out++)
				if (f2_get(a, number, out) != f2_get(b, number, out)) {
					point[i] = (int64_t)1 << bit;
					return true;
				}
	return false;
}

layout_answer layout_linear_equal(layout_linear *a, layout_linear *b,
	layout_witness **witness)
{
	int64_t point[LAYOUT_LINEAR_RANK] = { 0 }, image[LAYOUT_LINEAR_RANK];
	const struct f2 *having;

	if (witness)
		*witness = NULL;
	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx) || !spaces_agree(a, b))
		return LAYOUT_UNKNOWN;
	having = larger_box(a->f2, b->f2, point);
	if (!having && images_differ(a->f2, b->f2, point))
		having = a->f2;
	if (!having)
		return f2_equal(a->f2, b->f2, NULL) ? LAYOUT_YES : LAYOUT_NO;
	f2_apply(having, point, image);
	return no_because(a->ctx, witness, point, having->in_rank, image,
		having->out_rank);
}

layout_answer layout_linear_is_injective(layout_linear *linear,
	layout_witness **witness)
{
	int64_t zero[LAYOUT_LINEAR_RANK] = { 0 }, point[LAYOUT_LINEAR_RANK];

	if (witness)
		*witness = NULL;
	if (!linear)
		return LAYOUT_UNKNOWN;
	if (!f2_kernel(linear->f2, point))
		return LAYOUT_YES;
	return no_because(linear->ctx, witness, zero, linear->f2->in_rank, point,
		linear->f2->in_rank);
}

layout_answer layout_linear_is_surjective(layout_linear *linear,
	layout_witness **witness)
{
	int64_t point[LAYOUT_LINEAR_RANK];

	if (witness)
		*witness = NULL;
	if (!linear)
		return LAYOUT_UNKNOWN;
	if (!f2_missing(linear->f2, point))
		return LAYOUT_YES;
	return no_because(linear->ctx, witness, point, linear->f2->out_rank, NULL, 0);
}

layout_answer layout_linear_is_invertible(layout_linear *linear,
	layout_witness **witness)
{
	layout_answer answer = layout_linear_is_injective(linear, witness);

	if (answer == LAYOUT_YES)
		answer = layout_linear_is_surjective(linear, witness);
	return answer;
}

bool layout_linear_free_masks(layout_linear *linear, uint64_t *masks)
{
	if (!linear || !layout_given(linear->ctx, masks || !linear->f2->in_rank, "mask"))
		return false;
	f2_free_bits(linear->f2, masks);
	return true;
}

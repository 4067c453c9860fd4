/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations that are affine functions over F2. */
#include "algebra/f2/isl.h"
#include "algebra/f2/print.h"
#include "algebra/form.h"

#include <stdlib.h>

struct f2_form {
	struct form base;
	struct f2 *f2;
};

static const struct f2 *inside(const struct form *form)
{
	return ((const struct f2_form *)form)->f2;
}

static int64_t extent(const struct form *form, unsigned input)
{
	return INT64_C(1) << inside(form)->in_widths[input];
}

static bool apply(const struct form *form, const int64_t *in, int64_t *out)
{
	f2_apply(inside(form), in, out);
	return true;
}

/* Digits are an affine expression, which isl's way to them shortens. */
static bool print(struct layout_buffer *out, const struct form *form, unsigned output,
	const char *const *names)
{
	if (!f2_has_parity(inside(form), output))
		return false;
	f2_print(out, inside(form), output, names);
	return true;
}

static isl_multi_aff *build(layout_context *ctx, const struct form *form)
{
	return f2_isl_function(ctx, inside(form));
}

static void release(struct form *form)
{
	f2_free(((struct f2_form *)form)->f2);
	free(form);
}

static const struct form_kind kind = { extent, apply, print, build, release };

const struct f2 *form_of_f2(const layout_relation *relation)
{
	const struct form *form = bridge_function_form(relation);

	return form && form->kind == &kind ? inside(form) : NULL;
}

layout_relation *form_f2_relation(layout_context *ctx, struct f2 *f2)
{
	struct f2_form *form = f2 ? layout_alloc(ctx, 1, sizeof(*form)) : NULL;

	if (!form) {
		f2_free(f2);
		return NULL;
	}
	*form = (struct f2_form){
		{ &kind, 1, f2->in_rank, f2->out_rank, NULL }, f2 };
	return bridge_relation_of(ctx, &form->base);
}

/* The images of the inner function lie in the box of the outer one. */
static bool reaches_only(const struct f2 *inner, const struct f2 *outer)
{
	for (unsigned i = 0; i < inner->out_rank; i++)
		if (inner->out_widths[i] > outer->in_widths[i])
			return false;
	return true;
}

layout_relation *form_f2_compose(layout_context *ctx, const struct f2 *outer,
	const struct f2 *inner)
{
	if (!reaches_only(inner, outer))
		return NULL;
	return form_f2_relation(ctx, f2_compose(ctx, outer, inner));
}

/* What is true of 0 is true of all points: x and x ^ k have one image. */
layout_answer form_f2_is_injective(layout_context *ctx, const struct f2 *f2,
	layout_witness **witness)
{
	int64_t points[2 * F2_BITS] = { 0 };

	if (f2->in_rank > F2_BITS)
		return LAYOUT_UNKNOWN;
	if (!f2_kernel(f2, points + f2->in_rank))
		return LAYOUT_YES;
	if (witness)
		*witness = bridge_witness_of(ctx, points, f2->in_rank,
			points + f2->in_rank, f2->in_rank);
	return LAYOUT_NO;
}

/* The first input bit whose columns, or in_bits if the constants differ; past that
 * where nothing does.  The boxes of the images need not agree. */
static unsigned first_difference(const struct f2 *a, const struct f2 *b)
{
	for (unsigned out = 0; out < a->out_rank; out++)
		if (f2_get_constant(a, out) != f2_get_constant(b, out))
			return a->in_bits;
	for (unsigned bit = 0; bit < a->in_bits; bit++)
		for (unsigned out = 0; out < a->out_rank; out++)
			if (f2_get(a, bit, out) != f2_get(b, bit, out))
				return bit;
	return a->in_bits + 1;
}

static bool same_box(const struct f2 *a, const struct f2 *b)
{
	for (unsigned i = 0; i < a->in_rank; i++)
		if (a->in_widths[i] != b->in_widths[i])
			return false;
	return true;
}

/* The point with that bit alone, and its image under "f2". */
static layout_witness *difference(layout_context *ctx, const struct f2 *f2, unsigned bit)
{
	int64_t in[F2_BITS] = { 0 }, out[F2_BITS];

	for (unsigned i = 0; i < f2->in_rank && bit < f2->in_bits; i++)
		if (bit >= f2_in_begin(f2, i) &&
		    bit - f2_in_begin(f2, i) < f2->in_widths[i])
			in[i] = INT64_C(1) << (bit - f2_in_begin(f2, i));
	f2_apply(f2, in, out);
	return bridge_witness_of(ctx, in, f2->in_rank, out, f2->out_rank);
}

/* Ranks or boxes that differ are left to isl, which words them. */
layout_answer form_f2_equal(layout_context *ctx, const struct f2 *a, const struct f2 *b,
	layout_witness **witness)
{
	unsigned bit;

	if (a->in_rank != b->in_rank || a->out_rank != b->out_rank ||
	    a->in_rank > F2_BITS || a->out_rank > F2_BITS || !same_box(a, b))
		return LAYOUT_UNKNOWN;
	bit = first_difference(a, b);
	if (bit > a->in_bits)
		return LAYOUT_YES;
	if (witness)
		*witness = difference(ctx, a, bit);
	return LAYOUT_NO;
}

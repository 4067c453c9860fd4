/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations that are CuTe layouts: linear coordinate -> offset. */
#include "algebra/cute/relation.h"
#include "algebra/form.h"

#include <stdlib.h>

/* The layout coalesced: its one normal form. */
struct strided_form {
	struct form base;
	layout_cute *cute;
};

static layout_cute *inside(const struct form *form)
{
	return ((const struct strided_form *)form)->cute;
}

static int64_t extent(const struct form *form, unsigned input)
{
	(void)input;
	return inside(form)->size;
}

static bool apply(const struct form *form, const int64_t *in, int64_t *out)
{
	return cute_offset(inside(form), *in, out);
}

static isl_multi_aff *build(layout_context *ctx, const struct form *form)
{
	(void)ctx;
	return cute_isl_function(inside(form));
}

static void release(struct form *form)
{
	layout_cute_free(inside(form));
	free(form);
}

static const struct form_kind kind = { extent, apply, NULL, build, release };

layout_cute *form_of_strided(const layout_relation *relation)
{
	const struct form *form = bridge_function_form(relation);

	return form && form->kind == &kind ? inside(form) : NULL;
}

layout_relation *form_strided_relation(layout_context *ctx, layout_cute *cute)
{
	struct strided_form *form = NULL;

	cute = layout_cute_coalesce(cute);
	if (cute)
		form = layout_alloc(ctx, 1, sizeof(*form));
	if (!form) {
		layout_cute_free(cute);
		return NULL;
	}
	*form = (struct strided_form){ { &kind, 1, 1, 1, NULL }, cute };
	return bridge_relation_of(ctx, &form->base);
}

/* Images are coordinates of the outer layout, all within its size: the composition
 * of the layouts, if there is one, is that of the relations. */
layout_relation *form_strided_compose(layout_context *ctx, layout_cute *outer,
	layout_cute *inner)
{
	layout_cute *both;

	for (unsigned i = 0; i < inner->leaf_count; i++)
		if (inner->stride[i] < 0)
			return NULL;
	if (inner->cosize > outer->size)
		return NULL;
	bridge_begin_attempt(ctx, BUDGET_NONE);
	both = layout_cute_compose(layout_cute_copy(outer), layout_cute_copy(inner));
	return bridge_end_attempt(ctx) ? form_strided_relation(ctx, both) : NULL;
}

/* One coordinate for each offset up to the cosize: the right inverse is the inverse. */
layout_relation *form_strided_inverse(layout_context *ctx, layout_cute *cute)
{
	layout_cute *inverse;

	if (cute->size != cute->cosize)
		return NULL;
	bridge_begin_attempt(ctx, BUDGET_NONE);
	inverse = layout_cute_right_inverse(layout_cute_copy(cute));
	if (!bridge_end_attempt(ctx))
		return NULL;
	if (inverse && inverse->size == cute->size)
		return form_strided_relation(ctx, inverse);
	layout_cute_free(inverse);
	return NULL;
}

/* The next mode by stride, larger than that of "last". */
static unsigned next_mode(const layout_cute *cute, uint64_t used)
{
	unsigned best = cute->leaf_count;

	for (unsigned i = 0; i < cute->leaf_count; i++)
		if (!(used >> i & 1) && (best == cute->leaf_count ||
				cute->stride[i] < cute->stride[best]))
			best = i;
	return best;
}

/* Injective if each stride is beyond all that the smaller ones reach together; not if
 * one is 0.  Anything between is not decided here. */
layout_answer form_strided_is_injective(layout_context *ctx, layout_cute *cute,
	layout_witness **witness)
{
	int64_t reach = 0, step[2] = { 0, 1 };
	uint64_t used = 0;

	if (cute->size <= 1)
		return LAYOUT_YES;
	if (cute->leaf_count > 64)
		return LAYOUT_UNKNOWN;
	for (unsigned i = 0; i < cute->leaf_count; i++) {
		if (cute->stride[i] == 0 && cute->shape[i] > 1) {
			if (witness)
				*witness = bridge_witness_of(ctx, &step[0], 1,
					&step[1], 1);
			return LAYOUT_NO;
		}
		step[1] *= cute->shape[i];
	}
	for (unsigned n = 0; n < cute->leaf_count; n++) {
		unsigned i = next_mode(cute, used);

		if (cute->stride[i] <= reach)
			return LAYOUT_UNKNOWN;
		used |= UINT64_C(1) << i;
		reach += (cute->shape[i] - 1) * cute->stride[i];
	}
	return LAYOUT_YES;
}

/* A stride up to one beyond what the smaller ones reach leaves no gap; behind a gap lies
 * nothing that could fill it. */
bool form_strided_gap(const layout_cute *cute, int64_t *gap)
{
	uint64_t used = 0;

	for (unsigned i = 0; i < cute->leaf_count; i++)
		if (cute->stride[i] < 0)
			return false;
	if (cute->leaf_count > 64 || cute->size < 1)
		return false;
	*gap = 1;
	for (unsigned n = 0; n < cute->leaf_count; n++) {
		unsigned i = next_mode(cute, used);

		if (cute->stride[i] > *gap)
			break;
		used |= UINT64_C(1) << i;
		*gap += (cute->shape[i] - 1) * cute->stride[i];
	}
	return true;
}

/* Coalesced layouts are equal functions only if their modes are.  Where they differ
 * the witness is left to others. */
layout_answer form_strided_equal(const layout_cute *a, const layout_cute *b)
{
	if (a->size != b->size || a->leaf_count != b->leaf_count)
		return LAYOUT_UNKNOWN;
	for (unsigned i = 0; i < a->leaf_count; i++)
		if (a->shape[i] != b->shape[i] || a->stride[i] != b->stride[i])
			return LAYOUT_UNKNOWN;
	return LAYOUT_YES;
}

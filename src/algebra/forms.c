/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The first rungs of the ladder: what the forms of relations answer. */
#include "algebra/cute/swizzle.h"
#include "algebra/form.h"

/* Two relations as functions of one kind. */
struct pair {
	struct f2 *a, *b;
};

/* The F2 form of a relation that has one, or whose strides are powers of two; to be
 * freed. */
static struct f2 *as_f2(layout_relation *relation)
{
	const struct f2 *f2 = form_of_f2(relation);
	layout_cute *strided = form_of_strided(relation);
	struct f2 *image;

	if (f2)
		return f2_share((struct f2 *)(uintptr_t)f2);
	return strided && cute_f2(strided, &image) ? image : NULL;
}

static bool both_f2(layout_relation *a, layout_relation *b, struct pair *pair)
{
	*pair = (struct pair){ as_f2(a), as_f2(b) };
	return pair->a && pair->b;
}

static void release(struct pair *pair)
{
	f2_free(pair->a);
	f2_free(pair->b);
}

layout_relation *form_compose(layout_relation *outer, layout_relation *inner)
{
	layout_relation *result = NULL;
	const struct form *to = bridge_function_form(outer);
	const struct form *from = bridge_function_form(inner);
	struct pair pair;

	if (!to || !from || to->in_rank != from->out_rank)
		return NULL;
	if (form_of_strided(outer) && form_of_strided(inner))
		result = form_strided_compose(outer->ctx, form_of_strided(outer),
			form_of_strided(inner));
	if (result)
		return result;
	if (both_f2(outer, inner, &pair))
		result = form_f2_compose(outer->ctx, pair.a, pair.b);
	release(&pair);
	if (result && from->in_names)
		bridge_name_form(result, (const char *const *)from->in_names);
	return result;
}

layout_relation *form_inverse(layout_relation *relation)
{
	const struct f2 *f2 = form_of_f2(relation);
	layout_cute *strided = form_of_strided(relation);
	layout_relation *result = NULL;

	if (!relation->form)
		return NULL;
	if (f2)
		result = form_f2_relation(relation->ctx, f2_inverse(relation->ctx, f2));
	else if (strided)
		result = form_strided_inverse(relation->ctx, strided);
	return result ? result : bridge_share_form(relation, !relation->reversed);
}

bool form_find_backward(layout_relation *relation)
{
	layout_relation *inverse;

	if (relation->backward || !form_of_f2(relation))
		return relation->backward;
	inverse = form_inverse(relation);
	if (inverse && form_of_f2(inverse) && bridge_need_map(inverse))
		relation->backward = bridge_name_backward(
			isl_multi_aff_copy(inverse->forward), relation->map);
	layout_relation_free(inverse);
	return relation->backward;
}

layout_answer form_is_injective(layout_relation *relation, layout_witness **witness)
{
	const struct f2 *f2 = form_of_f2(relation);
	layout_cute *strided = form_of_strided(relation);

	if (f2)
		return form_f2_is_injective(relation->ctx, f2, witness);
	return strided ? form_strided_is_injective(relation->ctx, strided, witness) :
		LAYOUT_UNKNOWN;
}

layout_answer form_equal(layout_relation *a, layout_relation *b,
	layout_witness **witness)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct pair pair;

	if (!a->form || !b->form)
		return LAYOUT_UNKNOWN;
	if (form_of_strided(a) && form_of_strided(b))
		answer = form_strided_equal(form_of_strided(a), form_of_strided(b));
	if (answer != LAYOUT_UNKNOWN)
		return answer;
	if (both_f2(a, b, &pair))
		answer = form_f2_equal(a->ctx, pair.a, pair.b, witness);
	release(&pair);
	return answer;
}

/* 0 <= y_k < 2^width, without a name. */
static isl_set *image_box(layout_context *ctx, const struct f2 *f2)
{
	isl_set *box = isl_set_universe(isl_space_set_alloc(bridge_isl(ctx), 0,
		f2->out_rank));

	for (unsigned i = 0; i < f2->out_rank; i++)
		box = bridge_bound(box, i, INT64_C(1) << f2->out_widths[i]);
	return box;
}

/* Is all that is wanted among 0 .. gap - 1, which are images; and for "only", is it all of
 * them, and is there no other image? */
static bool lies_below(layout_set *onto, const layout_cute *cute, int64_t gap, bool only)
{
	isl_set *below = isl_set_universe(isl_set_get_space(onto->set)), *wanted;
	isl_bool answer = isl_bool_false;

	below = bridge_bound(below, 0, gap);
	wanted = bridge_asked_set(onto);
	if (!only)
		answer = isl_set_is_subset(wanted, below);
	else if (gap == cute->cosize)
		answer = isl_set_is_equal(wanted, below);
	isl_set_free(below);
	isl_set_free(wanted);
	return answer == isl_bool_true;
}

/* A point of no image that is wanted answers for any set of points wanted. */
layout_answer form_covers(layout_relation *relation, layout_set *onto, bool only,
	layout_witness **witness)
{
	const struct f2 *f2 = form_of_f2(relation);
	layout_cute *strided = form_of_strided(relation);
	unsigned rank = f2 ? f2->out_rank : 1;
	int64_t missing[F2_BITS];
	layout_answer answer = LAYOUT_UNKNOWN;
	isl_set *there;

	if ((!f2 && !strided) || rank > F2_BITS || rank != layout_set_rank(onto))
		return LAYOUT_UNKNOWN;
	if (f2 ? !f2_missing(f2, missing) : !form_strided_gap(strided, missing))
		return LAYOUT_UNKNOWN;
	bridge_enter(relation->ctx);
	there = bridge_set_at(onto, missing);
	if (isl_set_is_empty(there) == isl_bool_false)
		answer = LAYOUT_NO;
	else if (strided && lies_below(onto, strided, *missing, only))
		answer = LAYOUT_YES;
	if (answer == LAYOUT_NO && witness)
		*witness = bridge_witness(relation->ctx, isl_set_copy(there), rank, false);
	isl_set_free(there);
	return bridge_leave(relation->ctx, "decide whether this is surjective") ?
		answer : LAYOUT_UNKNOWN;
}

bool form_fills_box(const layout_relation *relation)
{
	const struct f2 *f2 = form_of_f2(relation);

	return f2 && f2_rank(f2) == f2->out_bits;
}

/* What the form's function, which the relation is or reverses, reaches: NULL where only
 * isl can say. */
static isl_set *reached(layout_relation *relation)
{
	struct layout_relation function = { .ctx = relation->ctx, .form = relation->form };

	return form_fills_box(&function) ?
		image_box(relation->ctx, form_of_f2(&function)) : NULL;
}

isl_set *form_domain(layout_relation *relation)
{
	isl_set *images = relation->reversed ? reached(relation) : NULL;

	if (relation->domain)
		return isl_set_copy(relation->domain);
	if (bridge_function_form(relation))
		return bridge_form_box(relation->ctx, relation->form);
	if (!images && bridge_need_map(relation))
		images = isl_map_domain(isl_map_copy(relation->map));
	return images;
}

isl_set *form_range(layout_relation *relation)
{
	isl_set *images = relation->reversed ? NULL : reached(relation);

	if (relation->range)
		return isl_set_copy(relation->range);
	if (relation->reversed)
		return bridge_form_box(relation->ctx, relation->form);
	if (!images && bridge_need_map(relation))
		images = isl_map_range(isl_map_copy(relation->map));
	return images;
}

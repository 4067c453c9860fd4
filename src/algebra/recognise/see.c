/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/recognise/recognise.h"

#include "algebra/cute/cute.h"
#include "algebra/form.h"
#include "algebra/recognise/digits_f2.h"
#include "algebra/recognise/example.h"

#include <stdlib.h>

void seen_free(struct seen *seen)
{
	free(seen->box);
	digits_free(&seen->digits);
	f2_free(seen->f2);
	table_free(&seen->table);
	free(seen->why.message);
	*seen = (struct seen){ 0 };
}

size_t seen_points(const struct seen *seen)
{
	size_t points = 1;

	for (unsigned d = 0; d < seen->in_rank; d++)
		if (!seen->box[d])
			return 0;
	for (unsigned d = 0; d < seen->in_rank; d++)
		if (__builtin_mul_overflow(points, (size_t)seen->box[d], &points))
			return SIZE_MAX;
	return points;
}

bool seen_fail(const struct seen *seen)
{
	size_t points = seen_points(seen);

	if (seen->why.message)
		layout_fail(seen->ctx, seen->why.kind, -1, "%s", seen->why.message);
	else if (points > seen->most_points)
		layout_fail(seen->ctx, LAYOUT_ERROR_QUOTA, -1, "unknown: the function is "
			"not seen to be one of digits, and has more than the %zu points "
			"that are looked at", seen->most_points);
	else
		layout_fail(seen->ctx, LAYOUT_ERROR_QUOTA, -1, "unknown: the function is "
			"not seen to be one of digits, and its %zu points are too hard "
			"to list", points);
	return false;
}

/* Two columns meet: what the digits would have been. */
static void explain_clash(struct seen *seen, const unsigned clash[2])
{
	struct recognise_example example = { .ctx = seen->ctx,
		.in_rank = seen->in_rank, .out_rank = seen->out_rank };
	struct layout_caught *previous = layout_context_catch(seen->ctx, &seen->why);

	if (recognise_example_of(&example, seen->f2, clash)) {
		for (unsigned i = 0; i < 2; i++) {
			f2_apply(seen->f2, example.parts[i], example.image);
			for (unsigned k = 0; k < seen->out_rank; k++)
				example.other[k] += example.image[k];
		}
		for (unsigned k = 0; k < seen->out_rank; k++)
			example.other[k] -= (int64_t)f2_get_constant(seen->f2, k);
		f2_apply(seen->f2, example.point, example.image);
	}
	recognise_example_fail(&example);
	layout_context_catch(seen->ctx, previous);
}

/* A layout without a swizzle, and first mode fastest. */
static bool digits_of_cute(struct digits *form, const layout_cute *cute)
{
	int64_t step = 1;

	if (!digits_begin(form, cute->ctx, 1, 1))
		return false;
	form->extents[0] = cute->size;
	for (unsigned i = 0; i < cute->leaf_count && cute->size; i++) {
		struct digit digit = { 0, step, cute->shape[i] };

		if (!digits_append(form, digit, &cute->stride[i]))
			return false;
		step *= cute->shape[i];
	}
	return true;
}

/* Of a form: nothing is to be found out. */
static bool see_f2(struct seen *seen, const struct f2 *f2)
{
	unsigned clash[2] = { 0, 0 };

	seen->f2 = f2_share((struct f2 *)(uintptr_t)f2);
	for (unsigned d = 0; d < seen->in_rank; d++)
		seen->box[d] = INT64_C(1) << f2->in_widths[d];
	seen->by_digits = digits_of_f2(&seen->digits, seen->ctx, f2, clash);
	if (!seen->by_digits && clash[0] != clash[1])
		explain_clash(seen, clash);
	return true;
}

static bool see_cute(struct seen *seen, const layout_cute *cute)
{
	seen->box[0] = cute->size;
	seen->by_digits = digits_of_cute(&seen->digits, cute);
	return seen->by_digits;
}

/* No points: no digits, and they are all of the function. */
static bool see_nothing(struct seen *seen)
{
	seen->by_digits = digits_begin(&seen->digits, seen->ctx, seen->in_rank,
		seen->out_rank);
	for (unsigned d = 0; seen->by_digits && d < seen->in_rank; d++)
		seen->digits.extents[d] = seen->box[d];
	return seen->by_digits;
}

static bool see_map(struct seen *seen)
{
	if (!see_box(seen))
		return false;
	if (!seen_points(seen))
		return see_nothing(seen);
	return see_function(seen) || see_points(seen) ||
		!layout_context_error(seen->ctx);
}

bool see(struct seen *seen, layout_relation *relation, const char *what,
	size_t most_points)
{
	const struct f2 *f2 = form_of_f2(relation);
	layout_cute *cute = form_of_strided(relation);

	*seen = (struct seen){ .relation = relation, .ctx = relation->ctx,
		.most_points = most_points, .in_rank = layout_relation_in_rank(relation),
		.out_rank = layout_relation_out_rank(relation) };
	if (layout_relation_param_count(relation)) {
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"the size %s is no number: %s has none",
			layout_relation_param_name(relation, 0), what);
		return false;
	}
	seen->box = layout_alloc(seen->ctx, seen->in_rank, sizeof(*seen->box));
	if (!seen->box)
		return false;
	return f2 ? see_f2(seen, f2) : cute ? see_cute(seen, cute) : see_map(seen);
}

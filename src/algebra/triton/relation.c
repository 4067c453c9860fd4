/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings as relations; padding, which no linear layout has. */
#include "algebra/triton/cover.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/objects.h"

/* Different powers of two in 64 bits. */
#define STEPS 63

/* What padding does at each interval, from the largest to the smallest one. */
struct step {
	int64_t interval, pad;
	int64_t cells;		/* of an interval's elements with all that is padded */
};

/* The steps with their cells, and the last offset of "size" elements; false where that
 * does not fit.  Intervals divide one another. */
static bool find_steps(layout_context *ctx, const layout_triton_desc *desc, int64_t size,
	struct step *steps)
{
	unsigned count = desc->pad_count;
	int64_t last = size - 1, skipped;
	bool fits = true;

	for (unsigned i = 0; i < count; i++) {
		unsigned at = 0;

		for (unsigned k = 0; k < count; k++)
			at += desc->intervals[k] > desc->intervals[i];
		steps[at].interval = desc->intervals[i];
		steps[at].pad = desc->pads[i];
		fits = fits && !__builtin_mul_overflow((size - 1) / desc->intervals[i],
				desc->pads[i], &skipped) &&
			!__builtin_add_overflow(last, skipped, &last);
	}
	for (unsigned i = 0; i < count; i++) {
		steps[i].cells = steps[i].interval;
		for (unsigned k = i; k < count; k++) {
			int64_t times = steps[i].interval / steps[k].interval;

			fits = fits &&
				!__builtin_mul_overflow(steps[k].pad, times, &skipped) &&
				!__builtin_add_overflow(steps[i].cells, skipped,
					&steps[i].cells);
		}
	}
	if (!fits)
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"padded_shared: the offsets do not fit 64 bits");
	return fits;
}

/* { [name, b] }, what is in shared memory and the block. */
static isl_space *cells_named(layout_context *ctx, const char *name)
{
	isl_space *space = isl_space_set_alloc(bridge_isl(ctx), 0, 2);

	space = isl_space_set_dim_name(space, isl_dim_set, 0, name);
	return isl_space_set_dim_name(space, isl_dim_set, 1, "b");
}

/* { [name, b] -> [image, b] } on a set; consumes all, and closes a bridge_enter(). */
static layout_relation *relation_of(layout_context *ctx, isl_space *space, isl_aff *image,
	isl_set *where)
{
	isl_aff_list *list = isl_aff_list_add(isl_aff_list_from_aff(image),
		aff_coordinate(space, 1));
	isl_multi_aff *function = aff_function(space,
		isl_space_set_alloc(bridge_isl(ctx), 0, 2), list);

	return bridge_give_relation(ctx, "pad shared memory", isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(function)), where), function, NULL);
}

/* { [o, b] -> [o + pad*floor(o/interval) + .., b] } */
static layout_relation *pad(layout_context *ctx, const struct step *steps, unsigned count)
{
	isl_space *space;
	isl_aff *sum;

	bridge_enter(ctx);
	space = cells_named(ctx, "o");
	sum = aff_coordinate(space, 0);
	for (unsigned i = 0; i < count; i++)
		sum = aff_add_scaled(sum, aff_coordinate_digit(space, 0, steps[i].interval, 0),
			steps[i].pad);
	return relation_of(ctx, space, sum, isl_set_universe(isl_space_copy(space)));
}

/* { [p, b] -> [32*floor(p/36) + p mod 36, b] : p mod 36 < 32 }, the same reversed: the
 * cells of an interval are among those of the next larger one. */
static layout_relation *unpad(layout_context *ctx, const struct step *steps,
	unsigned count)
{
	isl_aff *sum, *rest;
	isl_space *space;
	isl_set *held;

	bridge_enter(ctx);
	space = cells_named(ctx, "p");
	held = isl_set_universe(isl_space_copy(space));
	sum = aff_number(space, 0);
	rest = aff_coordinate(space, 0);
	for (unsigned i = 0; i < count; i++) {
		sum = aff_add_scaled(sum, aff_floor(isl_aff_copy(rest), steps[i].cells),
			steps[i].interval);
		rest = aff_mod(rest, steps[i].cells);
		held = isl_set_intersect(held, isl_aff_lt_set(isl_aff_copy(rest),
			aff_number(space, steps[i].cells - steps[i].pad)));
	}
	return relation_of(ctx, space, isl_aff_add(sum, rest), held);
}

/* element -> offset -> padded offset, where no element is in two blocks. */
static layout_relation *addresses(layout_context *ctx, const layout_triton_desc *desc,
	const struct step *steps, layout_linear *linear)
{
	layout_linear *inverse = layout_linear_invert(layout_linear_copy(linear));
	layout_relation *relation = layout_relation_compose(
		pad(ctx, steps, desc->pad_count), layout_linear_relation(inverse));

	layout_linear_free(inverse);
	return relation;
}

/* padded offset -> offset -> element, with the way back where it is a function. */
static layout_relation *padded(layout_context *ctx, const layout_triton_desc *desc,
	layout_linear *linear)
{
	struct step steps[STEPS];
	layout_relation *relation, *back;

	if (!find_steps(ctx, desc, layout_linear_in_size(linear, 0), steps))
		return NULL;
	relation = layout_relation_compose(layout_linear_relation(linear),
		unpad(ctx, steps, desc->pad_count));
	if (!relation || layout_linear_is_invertible(linear, NULL) != LAYOUT_YES)
		return relation;
	back = layout_relation_inverse(addresses(ctx, desc, steps, linear));
	if (back && !back->forward)
		back->forward = isl_multi_aff_copy(relation->forward);
	layout_relation_free(relation);
	return back;
}

layout_relation *layout_triton_relation(layout_triton *encoding, const int64_t *shape,
	unsigned rank)
{
	layout_linear *linear = triton_linear_unpadded(encoding, shape, rank);
	layout_relation *relation = NULL;

	if (linear && encoding->desc.kind == LAYOUT_TRITON_PADDED_SHARED)
		relation = padded(encoding->ctx, &encoding->desc, linear);
	else
		relation = layout_linear_relation(linear);
	layout_linear_free(linear);
	return relation;
}

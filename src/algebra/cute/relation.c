/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/relation.h"
#include "algebra/cute/build.h"
#include "algebra/cute/order.h"
#include "algebra/cute/swizzle.h"
#include "algebra/forms.h"
#include "isl_bridge/aff.h"

/* Each digit of i times its stride, leaf "unbounded" without a remainder. */
static isl_multi_aff *offset_function(const layout_cute *cute, unsigned unbounded)
{
	isl_space *space = isl_space_set_alloc(bridge_isl(cute->ctx), 0, 1);
	isl_aff *sum = aff_number(space, 0);
	int64_t step = 1;

	for (unsigned i = 0; i < cute->leaf_count && cute->size; i++) {
		sum = aff_add_scaled(sum, aff_coordinate_digit(space, 0, step,
			i == unbounded ? 0 : cute->shape[i]), cute->stride[i]);
		step *= cute->shape[i];
	}
	isl_space_free(space);
	return isl_multi_aff_from_aff(sum);
}

/* The last leaf of more than one coordinate needs no remainder before the end. */
isl_multi_aff *cute_isl_function(const layout_cute *cute)
{
	unsigned last = cute->leaf_count;

	while (last > 0 && cute->shape[last - 1] == 1)
		last--;
	return offset_function(cute, last - 1);
}

/* The offsets of shape and stride on all i >= 0, or on none. */
static layout_relation *endless(const layout_cute *cute)
{
	bool counts = cute->leaf_count == 1 && cute->stride[0] == 1;
	isl_multi_aff *offset;
	isl_set *domain;

	bridge_enter(cute->ctx);
	domain = isl_set_lower_bound_si(isl_set_universe(
		isl_space_set_alloc(bridge_isl(cute->ctx), 0, 1)), isl_dim_set, 0, 0);
	if (cute->size == 0)
		domain = bridge_bound(domain, 0, 0);
	offset = offset_function(cute, cute->leaf_count - 1);
	return bridge_give_relation(cute->ctx, "build a CuTe layout",
		isl_map_intersect_domain(
			isl_map_from_multi_aff(isl_multi_aff_copy(offset)),
			domain), offset, counts ? isl_multi_aff_copy(offset) : NULL);
}

/* Shape and stride alone, with the first mode fastest: a new layout. */
static layout_cute *plain_layout(layout_cute *cute)
{
	layout_cute *plain = layout_cute_copy(cute);

	if (plain && plain->lexicographic)
		plain = cute_order_reverse(plain);
	if (plain)
		cute_swizzle_clear(plain);
	return plain;
}

layout_relation *layout_cute_relation(layout_cute *cute)
{
	struct f2 *f2 = NULL;
	layout_relation *offsets;

	if (!cute)
		return NULL;
	if (cute->swizzled && cute_f2(cute, &f2))
		return form_f2_relation(cute->ctx, f2);
	offsets = form_strided_relation(cute->ctx, plain_layout(cute));
	return cute->swizzled ? cute_swizzle_relation(cute, offsets) : offsets;
}

layout_relation *cute_swizzle_relation_up_to(layout_cute *swizzle, int64_t offsets)
{
	int64_t size = swizzle->size;
	layout_relation *result;
	layout_cute *longer;

	while (size < offsets && size < (int64_t)1 << CUTE_SWIZZLE_BITS)
		size *= 2;
	if (size < offsets)
		return layout_cute_unbounded_relation(swizzle);
	longer = cute_line(swizzle->ctx, size, 1);
	if (longer)
		cute_swizzle_set(longer, swizzle->swizzle);
	result = layout_cute_relation(longer);
	layout_cute_free(longer);
	return result;
}

layout_relation *layout_cute_unbounded_relation(layout_cute *cute)
{
	layout_cute *plain = plain_layout(cute);
	layout_relation *offsets = plain ? endless(plain) : NULL;

	if (offsets && cute->swizzled)
		offsets = cute_swizzle_relation(cute, offsets);
	layout_cute_free(plain);
	return offsets;
}

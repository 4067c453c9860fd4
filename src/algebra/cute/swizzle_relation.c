/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/swizzle.h"
#include "isl_bridge/objects.h"

/* floor(x / 2^bit) of an expression, which is kept. */
static isl_aff *above(isl_aff *x, int bit)
{
	isl_val *size = isl_val_2exp(isl_val_int_from_si(isl_aff_get_ctx(x), bit));

	return isl_aff_floor(isl_aff_scale_down_val(isl_aff_copy(x), size));
}

/* 2^bit * (x mod 2); consumes x. */
static isl_aff *place(isl_aff *x, int bit)
{
	isl_ctx *isl = isl_aff_get_ctx(x);

	x = isl_aff_mod_val(x, isl_val_int_from_si(isl, 2));
	return isl_aff_scale_val(x, isl_val_2exp(isl_val_int_from_si(isl, bit)));
}

/* The swizzle of x, which is consumed: bit t becomes the sum of the bits t and
 * t + shift, modulo 2. */
static isl_aff *swizzled(isl_aff *x, layout_cute_swizzle swizzle)
{
	int target = swizzle.shift < 0 ? swizzle.base - swizzle.shift : swizzle.base;
	isl_aff *result = isl_aff_copy(x);

	for (int end = target + swizzle.bits; target < end; target++) {
		isl_aff *bit = above(x, target);
		isl_aff *sum = isl_aff_add(isl_aff_copy(bit),
			above(x, target + swizzle.shift));

		result = isl_aff_sub(result, place(bit, target));
		result = isl_aff_add(result, place(sum, target));
	}
	isl_aff_free(x);
	return result;
}

layout_relation *cute_swizzle_relation(const layout_cute *cute, layout_relation *plain)
{
	isl_multi_aff *function, *back;
	isl_val *offset;
	isl_aff *x;

	if (!plain)
		return NULL;
	bridge_enter(cute->ctx);
	offset = isl_val_int_from_si(bridge_isl(cute->ctx), cute->swizzle.offset);
	x = isl_aff_var_on_domain(isl_local_space_from_space(
		isl_space_set_alloc(bridge_isl(cute->ctx), 0, 1)), isl_dim_set, 0);
	back = isl_multi_aff_from_aff(isl_aff_add_constant_val(
		swizzled(isl_aff_copy(x), cute->swizzle),
		isl_val_neg(isl_val_copy(offset))));
	function = isl_multi_aff_from_aff(swizzled(
		isl_aff_add_constant_val(x, offset), cute->swizzle));
	return layout_relation_compose(bridge_give_relation(cute->ctx,
		"build a CuTe swizzle", isl_map_from_multi_aff(
			isl_multi_aff_copy(function)), function, back), plain);
}

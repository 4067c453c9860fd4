/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/swizzle.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/objects.h"

/* The swizzle of x, which is consumed: the bits from the base on become their XOR with
 * those that are the shift away. */
static isl_aff *swizzled(isl_aff *x, layout_cute_swizzle swizzle)
{
	int target = swizzle.shift < 0 ? swizzle.base - swizzle.shift : swizzle.base;
	isl_aff *by = isl_aff_copy(x);

	x = aff_twist(x, (int64_t)1 << target, by, (int64_t)1 << (target + swizzle.shift),
		(int64_t)1 << swizzle.bits, 0);
	isl_aff_free(by);
	return x;
}

layout_relation *cute_swizzle_relation(const layout_cute *cute, layout_relation *plain)
{
	isl_multi_aff *function, *back;
	isl_space *space;
	isl_val *offset;
	isl_aff *x;

	if (!plain)
		return NULL;
	bridge_enter(cute->ctx);
	offset = isl_val_int_from_si(bridge_isl(cute->ctx), cute->swizzle.offset);
	space = isl_space_set_alloc(bridge_isl(cute->ctx), 0, 1);
	x = aff_coordinate(space, 0);
	isl_space_free(space);
	back = isl_multi_aff_from_aff(isl_aff_add_constant_val(
		swizzled(isl_aff_copy(x), cute->swizzle),
		isl_val_neg(isl_val_copy(offset))));
	function = isl_multi_aff_from_aff(swizzled(
		isl_aff_add_constant_val(x, offset), cute->swizzle));
	return layout_relation_compose(bridge_give_relation(cute->ctx,
		"build a CuTe swizzle", isl_map_from_multi_aff(
			isl_multi_aff_copy(function)), function, back), plain);
}

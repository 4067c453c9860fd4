/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on the domain of a layout, whatever its swizzle and order. */
#include "algebra/cute/cute.h"
#include "algebra/cute/order.h"
#include "algebra/cute/swizzle.h"

bool cute_moves_offsets(const layout_cute *cute)
{
	return cute->swizzled && (cute->swizzle.bits || cute->swizzle.offset);
}

layout_cute *cute_under_swizzle(layout_cute *cute, cute_operation *operation,
	const void *argument)
{
	layout_cute_swizzle swizzle;
	bool swizzled, lexicographic;

	if (!cute)
		return NULL;
	swizzle = cute->swizzle;
	swizzled = cute->swizzled;
	lexicographic = cute->lexicographic;
	cute_swizzle_clear(cute);
	cute = operation(cute, argument);
	if (!cute || (swizzled && !cute_swizzle_fits(cute, swizzle))) {
		layout_cute_free(cute);
		return NULL;
	}
	cute->swizzle = swizzle;
	cute->swizzled = swizzled;
	cute->lexicographic = lexicographic;
	return cute;
}

layout_cute *cute_on_domain(layout_cute *cute, cute_operation *operation,
	const void *argument)
{
	if (!cute || !cute->lexicographic)
		return cute_under_swizzle(cute, operation, argument);
	cute = cute_under_swizzle(cute_order_reverse(cute), operation, argument);
	return cute ? cute_order_reverse(cute) : NULL;
}

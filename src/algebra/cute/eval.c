/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/cute.h"
#include "algebra/cute/swizzle.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>

bool cute_offset(const layout_cute *cute, int64_t coordinate, int64_t *offset)
{
	unsigned last = cute->leaf_count ? cute->leaf_count - 1 : 0;
	int step = cute->lexicographic ? -1 : 1;
	unsigned leaf = cute->lexicographic ? last : 0;

	*offset = 0;
	if (!cute->leaf_count)
		return true;
	for (unsigned i = 0; i < last; i++, leaf += (unsigned)step) {
		if (!int_add_product(offset, coordinate % cute->shape[leaf],
				cute->stride[leaf]))
			return false;
		coordinate /= cute->shape[leaf];
	}
	return int_add_product(offset, coordinate, cute->stride[leaf]);
}

bool cute_at(const layout_cute *cute, int64_t coordinate, int64_t *offset)
{
	if (!cute_offset(cute, coordinate, offset) ||
	    __builtin_add_overflow(*offset, cute->swizzle.offset, offset))
		return false;
	*offset = cute_swizzle_apply(cute->swizzle, *offset);
	return true;
}

bool layout_cute_eval(layout_cute *cute, int64_t coordinate, int64_t *offset)
{
	if (!cute || !layout_given(cute->ctx, offset, "place for the offset"))
		return false;
	if (coordinate < 0 || !cute->size) {
		layout_fail(cute->ctx, LAYOUT_ERROR_INVALID, -1,
			coordinate < 0 ? "a coordinate cannot be negative: %" PRId64 :
			"a layout of size 0 has no coordinate %" PRId64, coordinate);
		return false;
	}
	if (cute_at(cute, coordinate, offset))
		return true;
	layout_fail(cute->ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the offset of coordinate %" PRId64 " does not fit 64 bits", coordinate);
	return false;
}

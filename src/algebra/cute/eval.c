/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/cute.h"
#include "algebra/cute/swizzle.h"

#include <inttypes.h>

/* sum += digit * stride; false where it does not fit. */
static bool add_digit(int64_t digit, int64_t stride, int64_t *sum)
{
	int64_t term;

	return !__builtin_mul_overflow(digit, stride, &term) &&
		!__builtin_add_overflow(*sum, term, sum);
}

bool cute_offset(const layout_cute *cute, int64_t coordinate, int64_t *offset)
{
	unsigned last = cute->leaf_count ? cute->leaf_count - 1 : 0;
	int step = cute->lexicographic ? -1 : 1;
	unsigned leaf = cute->lexicographic ? last : 0;

	*offset = 0;
	if (!cute->leaf_count)
		return true;
	for (unsigned i = 0; i < last; i++, leaf += (unsigned)step) {
		if (!add_digit(coordinate % cute->shape[leaf], cute->stride[leaf],
				offset))
			return false;
		coordinate /= cute->shape[leaf];
	}
	return add_digit(coordinate, cute->stride[leaf], offset);
}

bool layout_cute_eval(layout_cute *cute, int64_t coordinate, int64_t *offset)
{
	bool fits;

	if (!cute || !layout_given(cute->ctx, offset, "place for the offset"))
		return false;
	if (coordinate < 0 || !cute->size) {
		layout_fail(cute->ctx, LAYOUT_ERROR_INVALID, -1,
			coordinate < 0 ? "a coordinate cannot be negative: %" PRId64 :
			"a layout of size 0 has no coordinate %" PRId64, coordinate);
		return false;
	}
	fits = cute_offset(cute, coordinate, offset) && (!cute->swizzled ||
		!__builtin_add_overflow(*offset, cute->swizzle.offset, offset));
	if (!fits) {
		layout_fail(cute->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"the offset of coordinate %" PRId64 " does not fit 64 bits",
			coordinate);
		return false;
	}
	if (cute->swizzled)
		*offset = cute_swizzle_apply(cute->swizzle, *offset);
	return true;
}

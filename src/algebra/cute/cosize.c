/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/bits.h"
#include "isl_bridge/arithmetic.h"
#include "algebra/limit.h"

/* The largest of the constant XOR any of the columns: the columns are reduced from the
 * highest bit down, and each one is taken where it makes the sum larger. */
static int64_t largest_image(const struct cute_bits *bits)
{
	uint64_t columns[CUTE_SWIZZLE_BITS], sum = (uint64_t)cute_bits_apply(bits, 0);
	uint64_t origin = sum;

	for (unsigned i = 0; i < bits->in; i++)
		columns[i] = origin ^ (uint64_t)cute_bits_apply(bits, (uint64_t)1 << i);
	for (unsigned j = bits->out; j-- > 0;) {
		unsigned pivot = 0;

		while (pivot < bits->in && columns[pivot] >> j != 1)
			pivot++;
		if (pivot == bits->in)
			continue;
		if (!(sum >> j & 1))
			sum ^= columns[pivot];
		for (unsigned i = 0; i < bits->in; i++)
			if (i != pivot && columns[i] >> j & 1)
				columns[i] ^= columns[pivot];
		columns[pivot] = 0;
	}
	return (int64_t)sum;
}

/* The largest offset, point by point. */
static bool search(const layout_cute *cute, int64_t *last)
{
	for (int64_t i = 0; i < cute->size; i++) {
		int64_t offset;

		if (!cute_at(cute, i, &offset))
			return false;
		if (!i || offset > *last)
			*last = offset;
	}
	return true;
}

/* No offset before the swizzle is above "last": which bits can they have after it? */
static int64_t bound(layout_cute_swizzle swizzle, int64_t last)
{
	int width = last > 0 ? (int)int_width((uint64_t)last) : 0;
	int sources = swizzle.base + swizzle.bits;

	if (swizzle.shift < 0 && width > swizzle.base) {
		int top = (sources < width ? sources : width) - swizzle.shift;

		width = top > width ? top : width;
	}
	return width < 63 ? ((int64_t)1 << width) - 1 : INT64_MAX - 1;
}

bool cute_swizzle_cosize(const layout_cute *cute, int64_t *cosize)
{
	struct cute_bits bits;
	int64_t last = 0;

	if (!cute->size) {
		*cosize = 0;
		return true;
	}
	if (cute_bits_of_all(cute, &bits)) {
		last = largest_image(&bits);
	} else if (cute->size > limit_points(cute->ctx) || !search(cute, &last)) {
		if (__builtin_add_overflow(cute->cosize - 1, cute->swizzle.offset,
				&last) || last == INT64_MAX) {
			layout_fail(cute->ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"the layout's largest offset does not fit 64 bits");
			return false;
		}
		last = bound(cute->swizzle, last);
	}
	*cosize = last + 1;
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compositions whose inner layout is swizzled.
 *
 * Decided by the cheapest of: the outer layout does nothing but swizzle, and the
 * swizzles merge; functions of bits; all points, where they are few. */
#include "algebra/cute/bits.h"
#include "algebra/cute/order.h"
#include "algebra/limit.h"

#include <inttypes.h>
#include <stdlib.h>

/* Is the outer layout, swizzle aside, i -> i for all i? */
static bool is_identity(const layout_cute *cute)
{
	int64_t step = 1;

	if (!cute->size || !cute->leaf_count)
		return false;
	for (unsigned i = 0; i < cute->leaf_count; i++) {
		unsigned leaf = cute->lexicographic ? cute->leaf_count - 1 - i : i;
		bool last = i + 1 == cute->leaf_count;

		if ((last || cute->shape[leaf] != 1) && cute->stride[leaf] != step)
			return false;
		step *= cute->shape[leaf];
	}
	return true;
}

/* No offset is negative: a swizzle keeps the sign. */
static bool is_nonnegative(const layout_cute *cute)
{
	int64_t least = cute->swizzle.offset;
	bool fits = true;

	for (unsigned i = 0; fits && i < cute->leaf_count; i++)
		if (cute->stride[i] < 0)
			fits = !__builtin_add_overflow(least, (cute->shape[i] - 1) *
				cute->stride[i], &least);
	return fits && least >= 0;
}

/* Sw o Sw o k o L with swizzles that merge, where no offset lies between them. */
static bool merge(const layout_cute *outer, layout_cute *inner)
{
	layout_cute_swizzle merged;

	if (!is_identity(outer) || outer->swizzle.offset || !is_nonnegative(inner) ||
	    !cute_swizzle_merge(outer->swizzle, inner->swizzle, &merged))
		return false;
	merged.offset = inner->swizzle.offset;
	cute_swizzle_set(inner, merged);
	return true;
}

/* Both as functions of bits.  False where they are not; *result is NULL where no layout
 * is their composition. */
static bool compose_bits(const layout_cute *outer, const layout_cute *inner,
	layout_cute **result)
{
	struct cute_bits a, b, both;
	int prefer = inner->swizzle.shift ? inner->swizzle.shift : outer->swizzle.shift;

	*result = NULL;
	if (!cute_bits_of_all(inner, &b) || !cute_bits_of(outer, b.out, &a))
		return false;
	both = cute_bits_compose(&a, &b);
	*result = cute_bits_layout(&both, inner, prefer);
	return true;
}

/* Is an offset of the inner layout a coordinate of the outer one? */
static bool is_coordinate(const layout_cute *inner, int64_t i, int64_t offset)
{
	if (offset < 0)
		layout_fail(inner->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"offset %" PRId64 " of the inner layout, at %" PRId64
			", is no coordinate of the outer one", offset, i);
	return offset >= 0;
}

/* Point by point.  False where a point has no value that could be worked with, or one is
 * below 0 and no layout without a swizzle was found. */
static bool compose_points(const layout_cute *outer, layout_cute *inner,
	layout_cute **result)
{
	int64_t *values = layout_alloc(inner->ctx, (size_t)inner->size, sizeof(*values));
	int64_t end = cute_values_end(inner);
	bool reversed = inner->lexicographic, fits = values != NULL, negative = false;

	*result = NULL;
	for (int64_t i = 0; fits && i < inner->size; i++) {
		fits = cute_at(inner, i, &values[i]) &&
			is_coordinate(inner, i, values[i]) &&
			cute_at(outer, values[i], &values[i]) &&
			values[i] > -end && values[i] < end;
		negative = negative || values[i] < 0;
	}
	if (fits) {
		layout_cute *like = layout_cute_copy(inner);

		if (like && reversed)
			like = cute_order_reverse(like);
		if (like)
			*result = cute_values_layout(values, like, inner->swizzle.shift);
		layout_cute_free(like);
		if (*result && reversed)
			*result = cute_order_reverse(*result);
	}
	free(values);
	return fits && (*result || !negative);
}

/* Say that there is no layout, or that it is not known. */
static void refuse(layout_cute *outer, layout_cute *inner, struct cute_reversed reversed,
	bool decided)
{
	char *a = cute_order_str(outer, reversed.outer);
	char *b = cute_order_str(inner, reversed.inner);
	layout_cute_swizzle s = outer->swizzle, t = inner->swizzle;

	if (!a || !b)
		goto done;
	if (!decided)
		layout_fail(inner->ctx, LAYOUT_ERROR_QUOTA, -1,
			"unknown: whether %s after %s is a swizzled layout: its %" PRId64
			" offsets are too many, too far apart or below 0", a, b,
			inner->size);
	else if (s.bits && t.bits && s.shift != t.shift)
		layout_fail(inner->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"%s after %s is no single swizzle of a layout: shift %d does "
			"not merge with shift %d", a, b, s.shift, t.shift);
	else
		layout_fail(inner->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"%s after %s is no single swizzle of a layout", a, b);
done:
	layout_string_free(a);
	layout_string_free(b);
}

layout_cute *cute_swizzle_compose(layout_cute *outer, layout_cute *inner,
	struct cute_reversed reversed)
{
	layout_cute *result = NULL;
	bool decided;

	if (!inner->size || merge(outer, inner)) {
		layout_cute_free(outer);
		return inner;
	}
	decided = !outer->size || compose_bits(outer, inner, &result);
	if (!decided && inner->size <= limit_points(inner->ctx))
		decided = compose_points(outer, inner, &result);
	if (!result)
		refuse(outer, inner, reversed, decided);
	layout_cute_free(outer);
	layout_cute_free(inner);
	return result;
}

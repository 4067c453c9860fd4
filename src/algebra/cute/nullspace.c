/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/build.h"

#include <inttypes.h>

/* Is a leaf a mode of stride 0 with more than one coordinate? */
static bool repeats(const layout_cute *cute, unsigned leaf)
{
	return cute->shape[leaf] > 1 && !cute->stride[leaf];
}

static bool begins_at_zero(const layout_cute *cute)
{
	layout_cute_swizzle swizzle = cute->swizzle;

	if (!swizzle.offset)
		return true;
	layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"there is no nullspace: coordinate 0 has the offset Sw<%d,%d,%d>(%" PRId64
		"), which is not 0", swizzle.bits, swizzle.base, swizzle.shift,
		swizzle.offset);
	return false;
}

/* The stride of a leaf in the layout of the linear coordinates themselves; false where
 * it does not fit, which only an empty layout lets happen. */
static bool find_place(const layout_cute *cute, unsigned leaf, int64_t *place)
{
	unsigned begin = cute->lexicographic ? leaf + 1 : 0;
	unsigned end = cute->lexicographic ? cute->leaf_count : leaf;
	bool fits = true;

	*place = 1;
	for (unsigned i = begin; i < end && fits; i++)
		fits = !__builtin_mul_overflow(*place, cute->shape[i], place);
	return fits;
}

/* The modes of stride 0 at their places. */
static bool append_modes(struct cute_builder *builder, const layout_cute *cute)
{
	int64_t place;

	for (unsigned i = 0; i < cute->leaf_count; i++) {
		if (!repeats(cute, i))
			continue;
		if (!find_place(cute, i, &place)) {
			layout_fail(cute->ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"the coordinates of mode %" PRId64 ":0 do not fit "
				"64 bits", cute->shape[i]);
			return false;
		}
		cute_leaf(builder, cute->shape[i], place);
	}
	return true;
}

static layout_cute *build(const layout_cute *cute)
{
	struct cute_builder builder;
	layout_cute *result = NULL;
	int count = 0;

	for (unsigned i = 0; i < cute->leaf_count; i++)
		count += repeats(cute, i);
	cute_begin(&builder, cute->ctx);
	if (count > 1)
		cute_node(&builder, count);
	if (!count)
		cute_leaf(&builder, 1, 0);
	if (append_modes(&builder, cute))
		result = cute_end(&builder);
	else
		cute_drop(&builder);
	if (result)
		result->lexicographic = cute->lexicographic;
	return result;
}

layout_cute *layout_cute_nullspace(layout_cute *cute)
{
	layout_cute *result = NULL;

	if (cute && begins_at_zero(cute))
		result = build(cute);
	layout_cute_free(cute);
	return result;
}

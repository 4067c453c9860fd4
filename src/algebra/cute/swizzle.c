/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/swizzle.h"
#include "algebra/cute/build.h"

#include <inttypes.h>
#include <stdlib.h>

int64_t cute_swizzle_apply(layout_cute_swizzle swizzle, int64_t x)
{
	uint64_t mask = (((uint64_t)1 << swizzle.bits) - 1) << swizzle.base;
	uint64_t bits = (uint64_t)x;

	if (swizzle.shift >= 0)
		return (int64_t)(bits ^ (bits >> swizzle.shift & mask));
	return (int64_t)(bits ^ (bits & mask) << -swizzle.shift);
}

bool cute_swizzle_check(layout_context *ctx, layout_cute_swizzle swizzle)
{
	const char *wrong = NULL;
	int64_t distance = llabs((int64_t)swizzle.shift);

	if (swizzle.bits < 0 || swizzle.base < 0)
		wrong = "its numbers of bits cannot be negative";
	else if (distance < swizzle.bits)
		wrong = "it needs a shift of at least as many bits as it moves";
	else if (distance + swizzle.bits + swizzle.base > CUTE_SWIZZLE_BITS)
		wrong = "it reaches beyond bit 61";
	if (wrong)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "no swizzle Sw<%d,%d,%d>: %s",
			swizzle.bits, swizzle.base, swizzle.shift, wrong);
	return !wrong;
}

/* The bits that Sw o Sw changes where only "source" is set, or 0. */
static int64_t change(layout_cute_swizzle outer, layout_cute_swizzle inner, int source)
{
	int64_t one = (int64_t)1 << source;

	return one ^ cute_swizzle_apply(outer, cute_swizzle_apply(inner, one));
}

/* Extend the swizzle so far by "source", which changes the bits "changed". */
static bool extend(layout_cute_swizzle *swizzle, int source, int64_t changed)
{
	int target = __builtin_ctzll((uint64_t)changed);
	int first = swizzle->shift > 0 ? target : source;

	if (changed & (changed - 1))
		return false;
	if (!swizzle->bits) {
		swizzle->shift = source - target;
		swizzle->base = source < target ? source : target;
	} else if (source - target != swizzle->shift ||
			first != swizzle->base + swizzle->bits) {
		return false;
	}
	swizzle->bits++;
	return true;
}

bool cute_swizzle_merge(layout_cute_swizzle outer, layout_cute_swizzle inner,
	layout_cute_swizzle *merged)
{
	*merged = (layout_cute_swizzle){ 0 };
	for (int source = 0; source < CUTE_SWIZZLE_BITS; source++) {
		int64_t changed = change(outer, inner, source);

		if (changed && !extend(merged, source, changed))
			return false;
	}
	return abs(merged->shift) >= merged->bits;
}

void cute_swizzle_set(layout_cute *cute, layout_cute_swizzle swizzle)
{
	cute->swizzled = swizzle.bits || swizzle.offset;
	cute->swizzle = cute->swizzled ? swizzle : (layout_cute_swizzle){ 0 };
}

void cute_swizzle_clear(layout_cute *cute)
{
	cute_swizzle_set(cute, (layout_cute_swizzle){ 0 });
}

layout_cute *layout_cute_new_swizzle(layout_context *ctx, int bits, int base, int shift)
{
	layout_cute_swizzle swizzle = { bits, base, shift, 0 };
	layout_cute *cute;

	if (!ctx || !cute_swizzle_check(ctx, swizzle))
		return NULL;
	cute = cute_line(ctx, (int64_t)1 << (bits + base + abs(shift)), 1);
	if (cute)
		cute_swizzle_set(cute, swizzle);
	return cute;
}

bool cute_swizzle_is_alone(const layout_cute *cute)
{
	int width = cute->swizzle.bits + cute->swizzle.base + abs(cute->swizzle.shift);

	return cute->swizzled && !cute->lexicographic && cute->node_count == 1 &&
		cute->leaf_count == 1 && cute->stride[0] == 1 &&
		!cute->swizzle.offset && cute->shape[0] == (int64_t)1 << width;
}

/* The largest number that the swizzle makes of one up to "last". */
static int64_t highest(layout_cute_swizzle swizzle, int64_t last)
{
	int targets = swizzle.bits + swizzle.base -
		(swizzle.shift < 0 ? swizzle.shift : 0);

	return swizzle.bits && last > 0 ? last | (((int64_t)1 << targets) - 1) : last;
}

bool cute_swizzle_fits(const layout_cute *plain, layout_cute_swizzle swizzle)
{
	int64_t least = 0, last = plain->cosize - 1;
	bool fits;

	for (unsigned i = 0; i < plain->leaf_count && plain->size; i++)
		if (plain->stride[i] < 0)
			least += (plain->shape[i] - 1) * plain->stride[i];
	fits = !__builtin_add_overflow(least, swizzle.offset, &least) &&
		!__builtin_add_overflow(last, swizzle.offset, &last) &&
		highest(swizzle, last) < INT64_MAX;
	if (!fits)
		layout_fail(plain->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"the offsets, moved by %" PRId64 " and swizzled, do not fit "
			"64 bits", swizzle.offset);
	return fits;
}

layout_cute *layout_cute_apply_swizzle(layout_cute *cute, layout_cute_swizzle swizzle)
{
	layout_cute *outer;

	if (!cute)
		return NULL;
	if (!cute_swizzle_check(cute->ctx, swizzle) ||
	    (!cute->swizzled && !cute_swizzle_fits(cute, swizzle))) {
		layout_cute_free(cute);
		return NULL;
	}
	if (!cute->swizzled) {
		cute_swizzle_set(cute, swizzle);
		return cute;
	}
	outer = cute_line(cute->ctx, 1, 1);
	if (outer)
		cute_swizzle_set(outer, swizzle);
	return cute_swizzle_compose(outer, cute, (struct cute_reversed){ 0 });
}

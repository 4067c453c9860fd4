/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/swizzle.h"

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

layout_cute_swizzle cute_swizzle_take(layout_cute *cute)
{
	layout_cute_swizzle swizzle = cute->swizzle;

	cute_swizzle_set(cute, (layout_cute_swizzle){ 0 });
	return swizzle;
}

/* 2^bits:1 */
static layout_cute *identity(layout_context *ctx, int bits)
{
	static const int leaf[] = { -1 };

	return layout_cute_new(ctx, leaf, 1, &(int64_t){ (int64_t)1 << bits },
		&(int64_t){ 1 }, 1);
}

layout_cute *layout_cute_new_swizzle(layout_context *ctx, int bits, int base, int shift)
{
	layout_cute_swizzle swizzle = { bits, base, shift, 0 };
	layout_cute *cute;

	if (!cute_swizzle_check(ctx, swizzle))
		return NULL;
	cute = identity(ctx, bits + base + abs(shift));
	if (cute)
		cute_swizzle_set(cute, swizzle);
	return cute;
}

layout_cute *layout_cute_apply_swizzle(layout_cute *cute, layout_cute_swizzle swizzle)
{
	layout_cute *outer;

	if (!cute)
		return NULL;
	if (!cute_swizzle_check(cute->ctx, swizzle)) {
		layout_cute_free(cute);
		return NULL;
	}
	if (!cute->swizzled) {
		cute_swizzle_set(cute, swizzle);
		return cute;
	}
	outer = identity(cute->ctx, 0);
	if (outer)
		cute_swizzle_set(outer, swizzle);
	return cute_swizzle_compose(outer, cute);
}

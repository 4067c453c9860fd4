/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts counted in larger or smaller elements. */
#include "algebra/cute/build.h"
#include "algebra/cute/swizzle.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>

static int64_t round_up(int64_t a, int64_t b)
{
	return a / b + (a % b > 0);
}

static uint64_t magnitude(int64_t stride)
{
	return stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
}

static bool overflow(layout_context *ctx, int64_t a, int64_t n)
{
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"%" PRId64 " times %" PRId64 " does not fit 64 bits", a, n);
	return false;
}

/* Sources of the swizzle that are inside one element of 2^log bits, with targets outside
 * of it, would tear the element apart. */
static bool keeps_elements(layout_cute_swizzle swizzle, int log)
{
	int inside = log - swizzle.base;

	inside = inside < swizzle.bits ? inside : swizzle.bits;
	return swizzle.shift >= 0 || inside <= 0 ||
		swizzle.base + inside - swizzle.shift <= log;
}

static bool upcast_swizzle(layout_cute *cute, int64_t n)
{
	layout_cute_swizzle swizzle = cute->swizzle;
	int log = int_log2(n);
	const char *wrong = NULL;

	if (swizzle.offset % n)
		wrong = "its offset is no multiple of that";
	else if (swizzle.bits && log < 0)
		wrong = "that is no power of two";
	else if (swizzle.bits && !keeps_elements(swizzle, log))
		wrong = "it tears the elements apart";
	if (wrong) {
		layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"Sw<%d,%d,%d> o %" PRId64 " has no upcast by %" PRId64 ": %s",
			swizzle.bits, swizzle.base, swizzle.shift, swizzle.offset, n,
			wrong);
		return false;
	}
	swizzle.offset /= n;
	if (swizzle.bits) {
		int lost = log > swizzle.base ? log - swizzle.base : 0;

		swizzle.bits -= lost < swizzle.bits ? lost : swizzle.bits;
		swizzle.base = log > swizzle.base ? 0 : swizzle.base - log;
	}
	cute_swizzle_set(cute, swizzle);
	return true;
}

static bool downcast_swizzle(layout_cute *cute, int64_t n)
{
	layout_cute_swizzle swizzle = cute->swizzle;
	int log = int_log2(n);

	if (swizzle.bits && log < 0) {
		layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"Sw<%d,%d,%d> has no downcast by %" PRId64
			": that is no power of two", swizzle.bits, swizzle.base,
			swizzle.shift, n);
		return false;
	}
	if (__builtin_mul_overflow(swizzle.offset, n, &swizzle.offset))
		return overflow(cute->ctx, cute->swizzle.offset, n);
	if (swizzle.bits) {
		swizzle.base += log;
		if (!cute_swizzle_check(cute->ctx, swizzle))
			return false;
	}
	cute_swizzle_set(cute, swizzle);
	return true;
}

/* A leaf of stride d: n / d of its elements, or parts of 1 / (d / n), become one. */
static bool upcast_leaf(layout_cute *cute, unsigned leaf, int64_t n)
{
	int64_t stride = cute->stride[leaf];
	uint64_t size = magnitude(stride), larger = (uint64_t)n;

	if (!stride)
		return true;
	if (size % larger && larger % size) {
		layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"there is no upcast by %" PRId64 ": of stride %" PRId64
			" and %" PRId64 " neither divides the other", n, stride, n);
		return false;
	}
	if (size < larger)
		cute->shape[leaf] = round_up(cute->shape[leaf],
			round_up(n, (int64_t)size));
	size = size / larger + (size % larger > 0);
	cute->stride[leaf] = stride < 0 ? (int64_t)-size : (int64_t)size;
	return true;
}

static bool downcast_leaf(layout_cute *cute, unsigned leaf, int64_t n)
{
	int64_t *grows = magnitude(cute->stride[leaf]) == 1 ?
		&cute->shape[leaf] : &cute->stride[leaf], before = *grows;

	return !__builtin_mul_overflow(before, n, grows) ||
		overflow(cute->ctx, before, n);
}

static bool has_unit_stride(const layout_cute *cute)
{
	for (unsigned i = 0; i < cute->leaf_count; i++)
		if (magnitude(cute->stride[i]) == 1)
			return true;
	layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"there is no downcast: no mode has stride 1, the smaller elements "
		"would have no place");
	return false;
}

static bool is_factor(layout_cute *cute, int64_t n, const char *what)
{
	if (n < 1)
		layout_fail(cute->ctx, LAYOUT_ERROR_INVALID, -1,
			"%s must be at least 1, not %" PRId64, what, n);
	return n >= 1;
}

layout_cute *layout_cute_upcast(layout_cute *cute, int64_t n)
{
	bool ok = cute && is_factor(cute, n, "the factor of an upcast") &&
		upcast_swizzle(cute, n);

	for (unsigned i = 0; ok && i < cute->leaf_count; i++)
		ok = upcast_leaf(cute, i, n);
	if (ok)
		return cute_measure(cute);
	layout_cute_free(cute);
	return NULL;
}

layout_cute *layout_cute_downcast(layout_cute *cute, int64_t n)
{
	bool ok = cute && is_factor(cute, n, "the factor of a downcast");

	if (ok && n == 1)
		return cute;
	ok = ok && has_unit_stride(cute) && downcast_swizzle(cute, n);
	for (unsigned i = 0; ok && i < cute->leaf_count; i++)
		ok = downcast_leaf(cute, i, n);
	if (ok)
		return cute_measure(cute);
	layout_cute_free(cute);
	return NULL;
}

layout_cute *layout_cute_recast(layout_cute *cute, int64_t old_bits, int64_t new_bits)
{
	int64_t divisor;

	if (!cute || !is_factor(cute, old_bits, "the old number of bits") ||
			!is_factor(cute, new_bits, "the new number of bits")) {
		layout_cute_free(cute);
		return NULL;
	}
	divisor = int_gcd(old_bits, new_bits);
	return layout_cute_downcast(layout_cute_upcast(cute, new_bits / divisor),
		old_bits / divisor);
}

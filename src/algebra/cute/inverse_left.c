/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Left inverses of layouts without a swizzle, by their modes in the order of strides. */
#include "algebra/cute/build.h"
#include "algebra/cute/inverse.h"
#include "algebra/cute/steps.h"
#include "algebra/limit.h"

#include <inttypes.h>
#include <stdlib.h>

/* The numbers of the first modes whose strides divide one another, modes of stride 0
 * included; all are >= 0. */
static unsigned divisible(const struct cute_steps *modes)
{
	for (unsigned i = 1; i < modes->count; i++) {
		int64_t before = modes->list[i - 1].stride;

		if (before && modes->list[i].stride % before)
			return i;
	}
	return modes->count;
}

/* The slowest mode has no end, and so can stand for all slower strides: the digits up to
 * it give a coordinate of every multiple of the first stride, if no digit exceeds its
 * mode.  How many modes it takes, 0 where that does not do. */
static unsigned endless(const layout_cute *cute, const struct cute_steps *modes)
{
	int64_t last = cute->size / cute->shape[cute->leaf_count - 1], least = 0;
	unsigned count = divisible(modes), used = 0;

	for (unsigned i = 0; i < count && !used; i++) {
		const struct cute_step *mode = &modes->list[i];

		least = least ? least : mode->stride;
		if (mode->stride && mode->place == last)
			used = i + 1;
		else if (mode->stride && (i + 1 == count ||
				modes->list[i + 1].stride / mode->stride > mode->shape))
			return 0;
	}
	for (unsigned i = used; used && i < modes->count; i++)
		if (modes->list[i].stride % least)
			return 0;
	return used;
}

static void refuse_strides(layout_context *ctx, const struct cute_steps *modes)
{
	unsigned i = divisible(modes);

	layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1, "there is no left inverse: stride %"
		PRId64 " does not divide stride %" PRId64, modes->list[i - 1].stride,
		modes->list[i].stride);
}

/* Offsets below 0 are no coordinates of an inverse. */
static bool refuse_negative(layout_context *ctx, const struct cute_steps *modes)
{
	if (!modes->count || modes->list[0].stride >= 0)
		return false;
	layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"there is no left inverse: stride %" PRId64 " leads to offsets below 0, "
		"which are no coordinates", modes->list[0].stride);
	return true;
}

/* Digits of the offset, from stride to stride of the first "used" modes; each times the
 * place of its mode. */
static layout_cute *read_digits(layout_context *ctx, const struct cute_steps *modes,
	unsigned used)
{
	struct cute_builder builder;
	int64_t place = 0, before = 1, last = 1;
	int count = 1;

	cute_begin(&builder, ctx);
	cute_node(&builder, 0);
	for (unsigned i = 0; i < used; i++) {
		const struct cute_step *mode = &modes->list[i];

		if (!mode->stride)
			continue;
		cute_leaf(&builder, mode->stride / before, place);
		place = mode->place;
		before = mode->stride;
		last = mode->shape;
		count++;
	}
	cute_leaf(&builder, last, place);
	builder.tree[0] = count;
	return layout_cute_coalesce(cute_end(&builder));
}

/* No sum of smaller strides reaches the next: the layout is injective save its modes of
 * stride 0, and the digits are its coordinates. */
static bool digits_are_coordinates(const struct cute_steps *modes)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < modes->count; i++) {
		const struct cute_step *mode = &modes->list[i];

		if (mode->stride && sum >= mode->stride)
			return false;
		sum += (mode->shape - 1) * mode->stride;
	}
	return true;
}

/* L(R(L(i))) = L(i) for all i. */
static bool verify_points(const layout_cute *cute, const layout_cute *inverse)
{
	for (int64_t i = 0; i < cute->size; i++) {
		int64_t offset, coordinate, again;

		if (!cute_offset(cute, i, &offset) ||
		    !cute_offset(inverse, offset, &coordinate) ||
		    !cute_offset(cute, coordinate, &again) || again != offset) {
			layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"there is no left inverse: several coordinates have "
				"the offset %" PRId64 " of coordinate %" PRId64
				", and the digits of the offset are none of them",
				offset, i);
			return false;
		}
	}
	return true;
}

static bool verify(const layout_cute *cute, const struct cute_steps *modes,
	const layout_cute *inverse)
{
	if (digits_are_coordinates(modes))
		return true;
	if (cute->size <= limit_points(cute->ctx))
		return verify_points(cute, inverse);
	layout_fail(cute->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: whether a layout that is not injective has a left inverse: its "
		"%" PRId64 " points are too many to look at each", cute->size);
	return false;
}

/* Strides that divide one another give digits, and these coordinates where the layout is
 * injective. */
static layout_cute *invert_left(const layout_cute *cute, const struct cute_steps *modes)
{
	layout_cute *inverse;
	unsigned used;

	if (refuse_negative(cute->ctx, modes))
		return NULL;
	if (divisible(modes) < modes->count) {
		used = endless(cute, modes);
		if (used)
			return read_digits(cute->ctx, modes, used);
		refuse_strides(cute->ctx, modes);
		return NULL;
	}
	inverse = read_digits(cute->ctx, modes, modes->count);
	if (!inverse || verify(cute, modes, inverse))
		return inverse;
	layout_cute_free(inverse);
	return NULL;
}

layout_cute *cute_inverse_left(layout_cute *cute, const void *unused)
{
	layout_cute *inverse = NULL;
	struct cute_steps modes;

	(void)unused;
	if (cute_steps_find(cute, &modes))
		inverse = invert_left(cute, &modes);
	free(modes.list);
	layout_cute_free(cute);
	return inverse;
}

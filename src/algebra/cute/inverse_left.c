/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Left inverses of layouts without a swizzle, by their modes in the order of strides;
 * where these give none, by their points. */
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
 * place of its mode.  The last one has no end, and so may be shorter where its size
 * would not fit: coalescing only keeps it if it is longer than 1. */
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
	last = last < INT64_MAX / before ? last : INT64_MAX / before;
	cute_leaf(&builder, last, place);
	builder.tree[0] = count;
	return last > 1 || count == 1 ? layout_cute_coalesce(cute_end(&builder)) :
		cute_end(&builder);
}

static int by_offset(const void *a, const void *b)
{
	const struct cute_point *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->coordinate < y->coordinate ? -1 : x->coordinate > y->coordinate;
}

/* All points in the order of their offsets, to be freed. */
static struct cute_point *sorted_points(const layout_cute *cute)
{
	struct cute_point *points = layout_alloc(cute->ctx, (size_t)cute->size,
		sizeof(*points));

	for (int64_t i = 0; points && i < cute->size; i++) {
		points[i].coordinate = i;
		cute_offset(cute, i, &points[i].offset);
	}
	if (points)
		qsort(points, (size_t)cute->size, sizeof(*points), by_offset);
	return points;
}

/* The first point that shares its offset with the one behind it, or NULL. */
static const struct cute_point *find_shared(const struct cute_point *points,
	int64_t count)
{
	for (int64_t i = 1; i < count; i++)
		if (points[i - 1].offset == points[i].offset)
			return &points[i - 1];
	return NULL;
}

static bool leads_back(const layout_cute *inverse, const struct cute_point *points,
	int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		int64_t coordinate;

		if (!cute_offset(inverse, points[i].offset, &coordinate) ||
		    coordinate != points[i].coordinate)
			return false;
	}
	return true;
}

/* The first point that R does not lead to a coordinate of the same offset, or NULL. */
static const struct cute_point *find_astray(const layout_cute *cute,
	const layout_cute *inverse, const struct cute_point *points)
{
	for (int64_t i = 0; i < cute->size; i++) {
		int64_t coordinate, again;

		if (!cute_offset(inverse, points[i].offset, &coordinate) ||
		    !cute_offset(cute, coordinate, &again) || again != points[i].offset)
			return &points[i];
	}
	return NULL;
}

/* "shared" is a point of a layout that is not injective. */
static void refuse_digits(layout_context *ctx, const struct cute_steps *modes,
	const struct cute_point *shared, const struct cute_point *astray)
{
	unsigned i = divisible(modes);

	if (astray)
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"there is no left inverse by digits: coordinates %" PRId64
			" and %" PRId64 " share the offset %" PRId64
			", and the digits of offset %" PRId64 " give no coordinate of it", shared[0].coordinate,
			shared[1].coordinate, shared->offset, astray->offset);
	else
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"there is no left inverse by digits: coordinates %" PRId64
			" and %" PRId64 " share the offset %" PRId64 ", and stride %" PRId64
			" does not divide stride %" PRId64, shared[0].coordinate,
			shared[1].coordinate, shared->offset, modes->list[i - 1].stride,
			modes->list[i].stride);
}

/* The digits, or NULL with nothing on the context where they are none. */
static layout_cute *digits_of(const layout_cute *cute, const struct cute_steps *modes)
{
	unsigned used = divisible(modes);

	if (used < modes->count)
		used = endless(cute, modes);
	return used ? read_digits(cute->ctx, modes, used) : NULL;
}

/* A layout that may not be injective, by its points. */
static layout_cute *invert_points(const layout_cute *cute, const struct cute_steps *modes,
	const struct cute_point *points)
{
	const struct cute_point *shared = find_shared(points, cute->size), *astray = NULL;
	layout_cute *inverse = digits_of(cute, modes);

	if (!inverse && divisible(modes) == modes->count)
		return NULL;
	if (inverse && leads_back(inverse, points, cute->size))
		return inverse;
	if (inverse)
		astray = find_astray(cute, inverse, points);
	if (astray) {
		layout_cute_free(inverse);
		inverse = NULL;
	}
	if (!shared)
		return cute_inverse_search(cute, points, inverse);
	if (!inverse)
		refuse_digits(cute->ctx, modes, shared, astray);
	return inverse;
}

/* Digits where nothing carries, else what the points say. */
static layout_cute *invert_left(const layout_cute *cute, const struct cute_steps *modes)
{
	layout_cute *inverse = NULL;
	struct cute_point *points;

	if (refuse_negative(cute->ctx, modes))
		return NULL;
	if (divisible(modes) == modes->count && cute_steps_apart(modes))
		return read_digits(cute->ctx, modes, modes->count);
	if (cute->size > limit_points(cute->ctx)) {
		layout_fail(cute->ctx, LAYOUT_ERROR_QUOTA, -1,
			"unknown: whether there is a left inverse: there are too many "
			"points to look at each, %" PRId64, cute->size);
		return NULL;
	}
	points = sorted_points(cute);
	if (points)
		inverse = invert_points(cute, modes, points);
	free(points);
	return inverse;
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

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Left inverses of layouts without a swizzle, by their modes in the order of strides;
 * where these give none, by their points. */
#include "algebra/cute/build.h"
#include "algebra/cute/inverse.h"
#include "algebra/cute/steps.h"
#include "algebra/limit.h"

#include <inttypes.h>
#include <stdio.h>
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

/* Is R(A(i)) = i? */
static bool leads_back(const layout_cute *cute, const layout_cute *inverse,
	const struct cute_point *points)
{
	for (int64_t i = 0; i < cute->size; i++) {
		int64_t coordinate;

		if (!cute_offset(inverse, points[i].offset, &coordinate) ||
		    coordinate != points[i].coordinate)
			return false;
	}
	return true;
}

/* Is A(R(A(i))) = A(i)? */
static bool stays(const layout_cute *cute, const layout_cute *inverse,
	const struct cute_point *points)
{
	for (int64_t i = 0; i < cute->size; i++) {
		int64_t coordinate, again;

		if (!cute_offset(inverse, points[i].offset, &coordinate) ||
		    !cute_offset(cute, coordinate, &again) || again != points[i].offset)
			return false;
	}
	return true;
}

/* R by digits, if it is an inverse: of all modes, or up to the slowest one, which has no
 * end and stands for the others. */
static layout_cute *find_digits(const layout_cute *cute, const struct cute_steps *modes,
	const struct cute_point *points, bool (*is_inverse)(const layout_cute *cute,
		const layout_cute *inverse, const struct cute_point *points))
{
	for (int i = 0; i < 2; i++) {
		unsigned used = i ? endless(cute, modes) :
			divisible(modes) == modes->count ? modes->count : 0;
		layout_cute *inverse = used ? read_digits(cute->ctx, modes, used) : NULL;

		if (inverse && is_inverse(cute, inverse, points))
			return inverse;
		layout_cute_free(inverse);
	}
	return NULL;
}

static layout_cute *refuse_unknown(const layout_cute *cute,
	const struct cute_point *points, int64_t count, const char *where)
{
	layout_fail(cute->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: whether a layout leads from each of the %" PRId64
		" offsets 0 to %" PRId64 " back to %s", count, points[count - 1].offset,
		where);
	return NULL;
}

/* A(R(A(i))) = A(i) for points of different offsets; "shared" says which coordinates have
 * the same one. */
static layout_cute *invert_offsets(const layout_cute *cute,
	const struct cute_point *points, int64_t count, const char *shared)
{
	layout_cute *inverse;
	layout_answer answer = cute_inverse_search(cute, points, count, true, &inverse);

	if (answer == LAYOUT_UNKNOWN)
		return refuse_unknown(cute, points, count, "a coordinate of it");
	if (answer == LAYOUT_NO)
		layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"there is no left inverse: %sno layout leads from each of the %"
			PRId64 " offsets 0 to %" PRId64 " back to a coordinate of it",
			shared, count, points[count - 1].offset);
	return inverse;
}

/* R(A(i)) = i, else A(R(A(i))) = A(i). */
static layout_cute *invert_injective(const layout_cute *cute,
	const struct cute_steps *modes, const struct cute_point *points)
{
	layout_cute *inverse = find_digits(cute, modes, points, leads_back);
	layout_answer answer;

	if (inverse)
		return inverse;
	answer = cute_inverse_search(cute, points, cute->size, false, &inverse);
	if (answer == LAYOUT_UNKNOWN)
		return refuse_unknown(cute, points, cute->size, "its coordinate");
	if (answer == LAYOUT_NO)
		inverse = find_digits(cute, modes, points, stays);
	return inverse ? inverse : invert_offsets(cute, points, cute->size, "");
}

/* One point an offset; how many. */
static int64_t drop_shared(struct cute_point *points, int64_t count)
{
	int64_t kept = 0;

	for (int64_t i = 0; i < count; i++)
		if (!kept || points[i].offset != points[kept - 1].offset)
			points[kept++] = points[i];
	return kept;
}

/* A layout that may not be injective, by its points. */
static layout_cute *invert_points(const layout_cute *cute, const struct cute_steps *modes,
	struct cute_point *points)
{
	const struct cute_point *shared = find_shared(points, cute->size);
	layout_cute *inverse;
	char text[120];

	if (!shared)
		return invert_injective(cute, modes, points);
	inverse = find_digits(cute, modes, points, stays);
	if (inverse)
		return inverse;
	snprintf(text, sizeof(text), "coordinates %" PRId64 " and %" PRId64
		" share the offset %" PRId64 ", and ", shared[0].coordinate,
		shared[1].coordinate, shared->offset);
	return invert_offsets(cute, points, drop_shared(points, cute->size), text);
}

/* Without looking at each point: more coordinates than offsets are not injective. */
static layout_cute *invert_large(const layout_cute *cute, const struct cute_steps *modes)
{
	unsigned used = cute->size > cute->cosize ? endless(cute, modes) : 0;

	if (used)
		return read_digits(cute->ctx, modes, used);
	layout_fail(cute->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: whether there is a left inverse: there are too many points to "
		"look at each, %" PRId64, cute->size);
	return NULL;
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
	if (cute->size > limit_points(cute->ctx))
		return invert_large(cute, modes);
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

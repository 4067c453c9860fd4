/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout through given points, if there is one: R(offset) = coordinate, the point's own
 * or any with that offset.
 *
 * With the shapes of R's modes chosen, each point is an equation in their strides, which
 * are integers; a point of several coordinates is one of several equations.  Shapes are
 * chosen from the fastest mode on, so that an offset below their product takes part as
 * soon as it can; primes suffice, as a mode of another shape is several modes. */
#include "algebra/cute/build.h"
#include "algebra/cute/inverse.h"
#include "algebra/cute/inverse_solve.h"
#include "isl_bridge/arithmetic.h"
#include "algebra/limit.h"

#include <stdlib.h>

/* Coordinates of the layout are j + place*k for its modes' 0 <= j < place, save the last
 * one, which adds step*k for any k >= 0: "inner" has the offsets of these j, and is NULL
 * where each point has one coordinate only.  "cut" says that a chain with more modes than
 * "most" was left out; "unknown", that the search was given up. */
struct search {
	const layout_cute *cute;
	const struct cute_point *points;
	int64_t count, budget, shape[CUTE_UNKNOWNS];
	int64_t *inner, place, step;
	unsigned most;
	bool cut, unknown;
	struct cute_solutions found;
};

/* The modes so far tell offsets below "end", all of them where that is 0, and points from
 * "done" on are to be looked at. */
struct walk {
	int64_t end, done;
};

static bool spend(struct search *search, int64_t steps)
{
	search->budget -= steps;
	search->unknown = search->unknown || search->budget < 0;
	return !search->unknown;
}

/* The digits of an offset in the modes chosen; the last one takes what is left. */
static void split(const struct search *search, unsigned count, int64_t offset,
	int64_t *digits)
{
	unsigned i = 0;

	for (; i + 1 < count && offset; i++) {
		digits[i] = offset % search->shape[i];
		offset /= search->shape[i];
	}
	digits[i++] = offset;
	for (; i < count; i++)
		digits[i] = 0;
}

/* Is that a coordinate of the point? */
static bool leads_to(const struct search *search, const struct cute_point *point,
	int64_t coordinate)
{
	int64_t offset;

	if (!search->inner)
		return coordinate == point->coordinate;
	if (!search->step)
		return search->inner[coordinate] == point->offset;
	return coordinate >= 0 && cute_offset(search->cute, coordinate, &offset) &&
		offset == point->offset;
}

/* The coordinate of the point for j, or -1; where the last mode adds nothing it stands
 * for all that are a multiple of "place" apart. */
static int64_t coordinate_by(struct search *search, const struct cute_point *point,
	int64_t j)
{
	int64_t rest, coordinate = j;

	if (!search->inner)
		return point->coordinate;
	rest = point->offset - search->inner[j];
	if (!search->step || rest % search->step || rest / search->step < 0)
		return rest ? -1 : j;
	search->unknown = search->unknown || !int_add_product(&coordinate,
		rest / search->step, search->place);
	return coordinate;
}

static bool go_on(struct search *search, struct cute_solutions *s, struct walk walk);

/* Each coordinate that the first of the points may have. */
static bool try_coordinates(struct search *search, const struct cute_solutions *s,
	const struct cute_sum *sum, struct walk walk)
{
	const struct cute_point *point = &search->points[walk.done++];
	int64_t end = search->inner ? search->place : 1;

	for (int64_t j = 0; j < end && spend(search, !(j % 16)); j++) {
		struct cute_solutions next;
		int64_t coordinate = coordinate_by(search, point, j);
		layout_answer answer;

		if (coordinate < 0)
			continue;
		cute_solutions_copy(&next, s);
		answer = cute_solutions_take(&next, sum, coordinate);
		search->unknown = search->unknown || answer == LAYOUT_UNKNOWN;
		if (answer == LAYOUT_YES && go_on(search, &next, walk))
			return true;
	}
	return false;
}

static bool is_prime(int64_t n)
{
	for (int64_t k = 2; k <= n / k; k++)
		if (n % k == 0)
			return false;
	return true;
}

/* One more mode; "shape" is 0 for one without end, which is the last. */
static bool try_mode(struct search *search, const struct cute_solutions *before,
	struct walk walk, int64_t shape)
{
	struct cute_solutions s;

	cute_solutions_copy(&s, before);
	search->shape[s.count] = shape;
	walk.end *= shape;
	cute_solutions_add(&s);
	return go_on(search, &s, walk);
}

/* Modes behind those so far: strides of the layout are the likeliest to begin one. */
static bool extend(struct search *search, const struct cute_solutions *before,
	struct walk walk)
{
	int64_t last = search->points[search->count - 1].offset / walk.end;

	if (try_mode(search, before, walk, 0))
		return true;
	if (before->count + 1 == search->most) {
		search->cut = search->cut || last >= 2;
		return false;
	}
	for (unsigned i = 0; i < search->cute->leaf_count && spend(search, 1); i++) {
		int64_t stride = search->cute->stride[i], shape = stride / walk.end;

		if (stride % walk.end == 0 && shape > 1 && shape <= last &&
				try_mode(search, before, walk, shape))
			return true;
	}
	for (int64_t shape = 2; shape <= last && spend(search, 1); shape++)
		if (is_prime(shape) && try_mode(search, before, walk, shape))
			return true;
	return false;
}

/* The points that the modes so far tell, then more modes. */
static bool go_on(struct search *search, struct cute_solutions *s, struct walk walk)
{
	for (; walk.done < search->count; walk.done++) {
		const struct cute_point *point = &search->points[walk.done];
		int64_t digits[CUTE_UNKNOWNS];
		struct cute_sum sum;

		if (walk.end && point->offset >= walk.end)
			return extend(search, s, walk);
		split(search, s->count, point->offset, digits);
		if (!spend(search, 1))
			return false;
		if (!cute_solutions_sum(s, digits, &sum)) {
			search->unknown = true;
			return false;
		}
		if (sum.step)
			return try_coordinates(search, s, &sum, walk);
		if (!leads_to(search, point, sum.value))
			return false;
	}
	cute_solutions_copy(&search->found, s);
	return true;
}

static layout_cute *build(const struct search *search)
{
	struct cute_builder builder;
	int64_t rest = search->points[search->count - 1].offset;

	cute_begin(&builder, search->cute->ctx);
	cute_node(&builder, (int)search->found.count);
	for (unsigned i = 0; i < search->found.count; i++) {
		int64_t shape = search->shape[i];

		cute_leaf(&builder, shape ? shape : rest + 1, search->found.value[i]);
		rest = shape ? rest / shape : 0;
	}
	return layout_cute_coalesce(cute_end(&builder));
}

/* All coordinates of all offsets, those beyond the layout's size included. */
static bool find_inner(struct search *search)
{
	const layout_cute *cute = search->cute;
	unsigned last = cute->leaf_count - 1;

	search->place = cute->size / cute->shape[last];
	search->step = cute->stride[last];
	search->inner = layout_alloc(cute->ctx, (size_t)search->place,
		sizeof(*search->inner));
	for (int64_t j = 0; search->inner && j < search->place; j++)
		cute_offset(cute, j, &search->inner[j]);
	return search->inner;
}

/* With few modes first. */
layout_answer cute_inverse_search(const layout_cute *cute,
	const struct cute_point *points, int64_t count, bool any, layout_cute **inverse)
{
	struct search search = { .cute = cute, .points = points, .count = count,
		.budget = limit_points(cute->ctx), .cut = true };
	struct cute_solutions none = { 0 };
	bool found = false;

	if (any && !find_inner(&search))
		return LAYOUT_UNKNOWN;
	none.modulus = any && !search.step ? search.place : 0;
	if (__builtin_mul_overflow(search.budget, 16, &search.budget))
		search.budget = INT64_MAX;
	while (!found && search.cut && !search.unknown && search.most < CUTE_UNKNOWNS) {
		search.most++;
		search.cut = false;
		found = extend(&search, &none, (struct walk){ .end = 1 });
	}
	free(search.inner);
	*inverse = found ? build(&search) : NULL;
	return found ? LAYOUT_YES : search.cut || search.unknown ? LAYOUT_UNKNOWN :
		LAYOUT_NO;
}

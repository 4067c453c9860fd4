/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout through given points, if there is one: R(offset) = coordinate.
 *
 * With the shapes of R's modes chosen, each point is an equation in their strides, which
 * are integers.  Shapes are chosen from the fastest mode on, so that an offset below
 * their product takes part as soon as it can; primes suffice, as a mode of another shape
 * is several modes. */
#include "algebra/cute/build.h"
#include "algebra/cute/inverse.h"
#include "isl_bridge/arithmetic.h"
#include "algebra/limit.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DIGITS = 24 };

/* The integers that solve the equations so far: value + a sum of multiples of the "free"
 * rows of the basis.  What is beyond "count" variables is 0. */
struct solutions {
	unsigned count, free;
	int64_t value[DIGITS], basis[DIGITS][DIGITS];
};

/* "cut" says that a chain with more modes than "most" was left out; "unknown", that the
 * search was given up. */
struct search {
	const layout_cute *cute;
	const struct cute_point *points;
	int64_t count, budget, shape[DIGITS];
	unsigned most;
	bool cut, unknown;
	struct solutions found;
};

static bool dot(const int64_t *a, const int64_t *b, unsigned count, int64_t *sum)
{
	*sum = 0;
	for (unsigned i = 0; i < count; i++)
		if (!int_add_product(sum, a[i], b[i]))
			return false;
	return true;
}

/* to += factor * from. */
static bool add_row(int64_t *to, const int64_t *from, int64_t factor)
{
	for (unsigned i = 0; i < DIGITS; i++)
		if (!int_add_product(&to[i], factor, from[i]))
			return false;
	return true;
}

/* Combine the rows of the basis until one at most has a product with the equation that
 * is not 0: its number, or "free".  False where a number does not fit. */
static bool find_pivot(struct solutions *s, int64_t *product, unsigned *pivot)
{
	for (;;) {
		bool done = true;

		*pivot = s->free;
		for (unsigned j = 0; j < s->free; j++)
			if (product[j] && (*pivot == s->free ||
					llabs(product[j]) < llabs(product[*pivot])))
				*pivot = j;
		for (unsigned j = 0; j < s->free; j++) {
			int64_t factor;

			if (j == *pivot || !product[j])
				continue;
			factor = product[j] / product[*pivot];
			product[j] %= product[*pivot];
			done = done && !product[j];
			if (!add_row(s->basis[j], s->basis[*pivot], -factor))
				return false;
		}
		if (done)
			return true;
	}
}

/* One more equation, digits * strides = coordinate. */
static layout_answer solve(struct solutions *s, const int64_t *digits, int64_t coordinate)
{
	int64_t product[DIGITS], rest;
	unsigned pivot;

	if (!dot(digits, s->value, s->count, &rest) ||
			__builtin_sub_overflow(coordinate, rest, &rest))
		return LAYOUT_UNKNOWN;
	for (unsigned j = 0; j < s->free; j++)
		if (!dot(digits, s->basis[j], s->count, &product[j]))
			return LAYOUT_UNKNOWN;
	if (!find_pivot(s, product, &pivot))
		return LAYOUT_UNKNOWN;
	if (pivot == s->free)
		return rest ? LAYOUT_NO : LAYOUT_YES;
	if (rest % product[pivot])
		return LAYOUT_NO;
	if (!add_row(s->value, s->basis[pivot], rest / product[pivot]))
		return LAYOUT_UNKNOWN;
	s->free--;
	for (unsigned i = 0; i < DIGITS; i++) {
		s->basis[pivot][i] = s->basis[s->free][i];
		s->basis[s->free][i] = 0;
	}
	return LAYOUT_YES;
}

static bool spend(struct search *search)
{
	search->unknown = search->unknown || --search->budget < 0;
	return !search->unknown;
}

/* The equation of a point, whose digits are those of the shapes. */
static bool add_point(struct search *search, struct solutions *s,
	const struct cute_point *point)
{
	int64_t digits[DIGITS], rest = point->offset;
	layout_answer answer;

	if (!spend(search))
		return false;
	for (unsigned i = 0; i < s->count; i++) {
		int64_t shape = search->shape[i];

		digits[i] = shape ? rest % shape : rest;
		rest = shape ? rest / shape : 0;
	}
	answer = solve(s, digits, point->coordinate);
	search->unknown = answer == LAYOUT_UNKNOWN;
	return answer == LAYOUT_YES;
}

static bool extend(struct search *search, const struct solutions *before, int64_t place,
	int64_t done);

/* One more mode; "shape" is 0 for one without end, which is the last. */
static bool try_mode(struct search *search, const struct solutions *before,
	int64_t place, int64_t done, int64_t shape)
{
	struct solutions s = *before;

	search->shape[s.count] = shape;
	s.basis[s.free++][s.count++] = 1;
	for (; done < search->count && (!shape ||
			search->points[done].offset / place < shape); done++)
		if (!add_point(search, &s, &search->points[done]))
			return false;
	if (done < search->count)
		return extend(search, &s, place * shape, done);
	search->found = s;
	return true;
}

static bool is_prime(int64_t n)
{
	for (int64_t k = 2; k <= n / k; k++)
		if (n % k == 0)
			return false;
	return true;
}

/* Modes behind those of product "place", for the points from "done" on: strides of the
 * layout are the likeliest to begin one. */
static bool extend(struct search *search, const struct solutions *before, int64_t place,
	int64_t done)
{
	int64_t last = search->points[search->count - 1].offset / place;

	if (try_mode(search, before, place, done, 0))
		return true;
	if (before->count + 1 == search->most) {
		search->cut = search->cut || last >= 2;
		return false;
	}
	for (unsigned i = 0; i < search->cute->leaf_count && spend(search); i++) {
		int64_t stride = search->cute->stride[i], shape = stride / place;

		if (stride % place == 0 && shape > 1 && shape <= last &&
				try_mode(search, before, place, done, shape))
			return true;
	}
	for (int64_t shape = 2; shape <= last && spend(search); shape++)
		if (is_prime(shape) && try_mode(search, before, place, done, shape))
			return true;
	return false;
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

static void refuse(const struct search *search, bool unknown)
{
	const char *what = unknown ? "unknown: whether a layout leads" :
		"there is no left inverse: no layout leads";

	layout_fail(search->cute->ctx, unknown ? LAYOUT_ERROR_QUOTA :
		LAYOUT_ERROR_NO_ANSWER, -1, "%s from each of the %" PRId64
		" offsets 0 to %" PRId64 " back to its coordinate", what, search->count,
		search->points[search->count - 1].offset);
}

/* With few modes first. */
layout_cute *cute_inverse_search(const layout_cute *cute, const struct cute_point *points,
	layout_cute *instead)
{
	struct search search = { .cute = cute, .points = points, .count = cute->size,
		.budget = limit_points(cute->ctx), .cut = true };
	const struct solutions none = { 0 };
	bool unknown;

	if (__builtin_mul_overflow(search.budget, 16, &search.budget))
		search.budget = INT64_MAX;
	while (search.cut && !search.unknown && search.most < DIGITS) {
		search.most++;
		search.cut = false;
		if (extend(&search, &none, 1, 0)) {
			layout_cute_free(instead);
			return build(&search);
		}
	}
	unknown = search.cut || search.unknown;
	if (instead && !unknown)
		return instead;
	refuse(&search, unknown);
	layout_cute_free(instead);
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Do the parts of a composition add up?  As a rule no sum of them carries; where one
 * does, a coordinate at which it shows is looked for. */
#include "algebra/cute/compose_exact.h"
#include "isl_bridge/arithmetic.h"
#include "algebra/limit.h"

#include <inttypes.h>

/* The largest sum of the parts' steps modulo boundary j. */
static int64_t largest_sum(const struct cute_composition *composition, unsigned j)
{
	int64_t prefix = composition->prefix[j], sum = 0;

	for (unsigned q = 0; q < composition->part_count; q++) {
		const struct cute_part *part = &composition->parts[q];
		int64_t rest = part->step < prefix ? part->step : part->step % prefix;

		sum += (part->shape - 1) * rest;
	}
	return sum;
}

/* A coordinate that just reaches boundary j, which the largest one passes. */
static void least_carry(const struct cute_composition *composition, unsigned j,
	int64_t *counts)
{
	int64_t prefix = composition->prefix[j];
	int64_t above = largest_sum(composition, j) - prefix;

	for (unsigned q = composition->part_count; q-- > 0;) {
		int64_t rest = composition->parts[q].step % prefix, fewer;

		counts[q] = composition->parts[q].shape - 1;
		fewer = rest && above / rest < counts[q] ? above / rest : counts[q];
		counts[q] -= fewer;
		above -= fewer * rest;
	}
}

/* Is the value there not the sum of the parts' values?  LAYOUT_UNKNOWN with the error on
 * the context. */
static layout_answer differs_at(const struct cute_composition *composition,
	const int64_t *counts)
{
	int64_t x = 0, sum = 0, value;
	bool fits = true;

	for (unsigned q = 0; q < composition->part_count; q++) {
		const struct cute_part *part = &composition->parts[q];

		x += counts[q] * part->step;
		fits = fits && int_add_product(&sum, counts[q], part->value);
	}
	if (!cute_exact_at(composition, x, &value))
		return LAYOUT_UNKNOWN;
	return fits && sum == value ? LAYOUT_NO : LAYOUT_YES;
}

/* A part that carries over none of the boundaries does not matter. */
static bool matters(const struct cute_composition *composition, unsigned q,
	const unsigned *boundaries, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (composition->parts[q].step % composition->prefix[boundaries[i]])
			return true;
	return false;
}

/* The next coordinate of the parts that matter, the first one fastest; false behind
 * the last. */
static bool next_coordinate(const struct cute_composition *composition,
	const bool *relevant, int64_t *counts)
{
	for (unsigned q = 0; q < composition->part_count; q++) {
		if (!relevant[q])
			continue;
		if (++counts[q] < composition->parts[q].shape)
			return true;
		counts[q] = 0;
	}
	return false;
}

/* Carries over several boundaries may cancel: look at each coordinate. */
static bool enumerate(const struct cute_composition *composition,
	const unsigned *boundaries, unsigned count)
{
	int64_t counts[CUTE_MODES] = { 0 }, limit = limit_points(composition->ctx);
	bool relevant[CUTE_MODES];

	for (unsigned q = 0; q < composition->part_count; q++)
		relevant[q] = matters(composition, q, boundaries, count);
	for (int64_t i = 0; i < limit; i++) {
		layout_answer answer = differs_at(composition, counts);

		if (answer == LAYOUT_YES)
			return cute_exact_refuse(composition, "", counts);
		if (answer == LAYOUT_UNKNOWN)
			return false;
		if (!next_coordinate(composition, relevant, counts))
			return true;
	}
	layout_fail(composition->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: whether carries over %u modes cancel at each coordinate, "
		"after %" PRId64 " of them", count, limit);
	return false;
}

/* Something carries. */
static bool search_difference(const struct cute_composition *composition)
{
	unsigned boundaries[CUTE_MODES], kept = 0, count = cute_exact_boundaries(
		composition, composition->parts, composition->part_count, boundaries);
	int64_t counts[CUTE_MODES];

	for (unsigned i = 0; i < count; i++)
		if (largest_sum(composition, boundaries[i]) >=
				composition->prefix[boundaries[i]])
			boundaries[kept++] = boundaries[i];
	for (unsigned i = 0; i < kept; i++) {
		layout_answer answer;

		least_carry(composition, boundaries[i], counts);
		answer = differs_at(composition, counts);
		if (answer == LAYOUT_YES)
			return cute_exact_refuse(composition, "", counts);
		if (answer == LAYOUT_UNKNOWN)
			return false;
	}
	return !kept || enumerate(composition, boundaries, kept);
}

bool cute_exact_sum(const struct cute_composition *composition)
{
	for (unsigned j = 1; j < composition->modes.count; j++) {
		if (composition->prefix[j] >= composition->inner->cosize)
			return true;
		if (largest_sum(composition, j) >= composition->prefix[j])
			return search_difference(composition);
	}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One leaf of the inner layout: where does i -> outer(step * i) stop being a multiple
 * of its first step?  There a layout's first mode has to end. */
#include "algebra/cute/compose_exact.h"
#include "algebra/limit.h"

#include <inttypes.h>
#include <stdio.h>

/* Whether "at" steps are not worth at times the first: LAYOUT_UNKNOWN with the error
 * on the context. */
static layout_answer breaks_at(const struct cute_composition *composition,
	const struct cute_part *part, int64_t at)
{
	int64_t value, even;

	if (!cute_exact_at(composition, part->step * at, &value))
		return LAYOUT_UNKNOWN;
	if (__builtin_mul_overflow(part->value, at, &even) || even != value)
		return LAYOUT_YES;
	return LAYOUT_NO;
}

/* The first carry behind "at" over one of the boundaries; the part's shape if none. */
static int64_t next_carry(const struct cute_composition *composition,
	const struct cute_part *part, const unsigned *boundaries, unsigned count,
	int64_t at)
{
	__int128 next = part->shape;

	for (unsigned i = 0; i < count; i++) {
		int64_t prefix = composition->prefix[boundaries[i]];
		int64_t rest = part->step % prefix;
		__int128 carries = (__int128)at * rest / prefix + 1;
		__int128 first = (carries * prefix + rest - 1) / rest;

		if (first < next)
			next = first;
	}
	return (int64_t)next;
}

/* The first break, where the first carries cancel: look at those that follow. */
static bool search_break(const struct cute_composition *composition,
	struct cute_part *part, int64_t at)
{
	unsigned boundaries[CUTE_MODES];
	unsigned count = cute_exact_boundaries(composition, part, 1, boundaries);
	int64_t limit = limit_points(composition->ctx);

	for (int64_t i = 0; i < limit; i++) {
		layout_answer answer;

		at = next_carry(composition, part, boundaries, count, at);
		answer = at < part->shape ? breaks_at(composition, part, at) :
			LAYOUT_YES;
		if (answer == LAYOUT_YES)
			part->shape = at;
		if (answer != LAYOUT_NO)
			return answer == LAYOUT_YES;
	}
	layout_fail(composition->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: whether steps of %" PRId64 " go on evenly, after %" PRId64
		" carries that cancel", part->step, limit);
	return false;
}

/* Cut the part's shape down to the first break. */
static bool find_break(const struct cute_composition *composition,
	struct cute_part *part)
{
	int64_t first = part->shape;
	layout_answer answer;

	for (unsigned j = 1; j < composition->modes.count; j++) {
		int64_t prefix = composition->prefix[j];
		int64_t rest = part->step < prefix ? part->step : part->step % prefix;

		if (rest && (prefix - 1) / rest + 1 < first)
			first = (prefix - 1) / rest + 1;
		if (part->step < prefix)
			break;
	}
	if (first == part->shape)
		return true;
	answer = breaks_at(composition, part, first);
	if (answer == LAYOUT_NO)
		return search_break(composition, part, first);
	part->shape = first;
	return answer == LAYOUT_YES;
}

static bool refuse_break(struct cute_composition *composition, int64_t at)
{
	const struct cute_part *part = &composition->parts[composition->part_count - 1];
	int64_t counts[CUTE_MODES] = { 0 };
	char why[160];

	counts[composition->part_count - 1] = at;
	snprintf(why, sizeof(why), "steps of %" PRId64 " are %" PRId64
		" each for %" PRId64 " coordinates, which does not divide %" PRId64 ": ",
		part->step, part->value, at, part->shape);
	return cute_exact_refuse(composition, why, counts);
}

bool cute_exact_split(struct cute_composition *composition, unsigned leaf)
{
	struct cute_part next = { composition->inner->shape[leaf],
		composition->inner->stride[leaf], 0, 1, leaf };

	while (next.shape > 1) {
		struct cute_part *part = &composition->parts[composition->part_count++];

		*part = next;
		if (!cute_exact_at(composition, part->step, &part->value) ||
				!find_break(composition, part))
			return false;
		if (next.shape % part->shape) {
			int64_t at = part->shape;

			part->shape = next.shape;
			return refuse_break(composition, at);
		}
		next.shape /= part->shape;
		next.place *= part->shape;
		if (next.shape > 1)
			next.step *= part->shape;
	}
	return true;
}

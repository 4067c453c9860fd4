/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The formula of a nested layout as digits, for comparison. */
#include "algebra/recognise/nested.h"

#include <stdlib.h>

/* Each dimension has a digit at each level. */
struct formula {
	const layout_nested *nested;
	bool by_value;		/* { [thread, value] -> [x..] } */
	size_t count;
	struct digit_term *parts;
};

/* The points inside of a digit in the value: b.., o.., e.., the last fastest. */
static int64_t value_step(const layout_nested *nested, unsigned group, unsigned dim)
{
	static const unsigned levels[] = { NESTED_BATCH, NESTED_OUTER, NESTED_ELEMENT };
	int64_t step = 1;

	for (unsigned i = group * nested->rank + dim + 1; i < 3 * nested->rank; i++)
		step *= nested->tile[levels[i / nested->rank]][i % nested->rank];
	return step;
}

/* Which input a level's digit of a dimension is, and from which step on. */
static void place(const struct formula *formula, unsigned level, struct digit_term *part)
{
	unsigned group = level == NESTED_BATCH ? 0 : level == NESTED_OUTER ? 1 : 2;

	if (level == NESTED_SUBGROUP || level == NESTED_THREAD) {
		part->digit.dim = 0;
		part->digit.step = nested_step(formula->nested, level, part->image);
	} else if (formula->by_value) {
		part->digit.dim = 1;
		part->digit.step = value_step(formula->nested, group, part->image);
	} else {
		part->digit.dim = 1 + group * formula->nested->rank + part->image;
		part->digit.step = 1;
	}
}

/* (((s*B + b)*O + o)*T + t)*E + e */
static void add_dim(struct formula *formula, unsigned dim)
{
	static const unsigned order[] = { NESTED_ELEMENT, NESTED_THREAD, NESTED_OUTER,
		NESTED_BATCH, NESTED_SUBGROUP };
	int64_t factor = 1;

	for (unsigned i = 0; i < NESTED_LEVELS; i++) {
		int64_t tile = formula->nested->tile[order[i]][dim];
		struct digit_term part = { .image = dim, .factor = factor,
			.digit.radix = tile };

		place(formula, order[i], &part);
		if (tile > 1)
			formula->parts[formula->count++] = part;
		factor *= tile;
	}
}

/* The inputs' extents: threads, and the tiles or their product. */
static void measure(const struct formula *formula, int64_t *extents)
{
	static const unsigned levels[] = { NESTED_BATCH, NESTED_OUTER, NESTED_ELEMENT };
	const layout_nested *nested = formula->nested;

	extents[0] = nested_period(nested);
	if (formula->by_value)
		extents[1] = 1;
	for (unsigned i = 0; i < 3 * nested->rank; i++) {
		int64_t tile = nested->tile[levels[i / nested->rank]][i % nested->rank];

		if (formula->by_value)
			extents[1] *= tile;
		else
			extents[1 + i] = tile;
	}
}

/* A stride of 0 at a tile makes no function, and so do threads that do the work of
 * several. */
static bool is_function(const layout_nested *nested)
{
	for (unsigned d = 0; d < nested->rank; d++)
		if ((nested->tile[NESTED_SUBGROUP][d] > 1 &&
				!nested->subgroup_strides[d]) ||
		    (nested->tile[NESTED_THREAD][d] > 1 && !nested->thread_strides[d]))
			return false;
	return nested_period(nested) == nested_virtual_threads(nested);
}

bool nested_has_digits(const layout_nested *nested, const struct seen *seen)
{
	struct formula formula = { .nested = nested, .by_value = seen->in_rank == 2,
		.parts = layout_alloc(seen->ctx, (size_t)nested->rank * NESTED_LEVELS,
			sizeof(*formula.parts)) };
	struct digits made = { 0 };
	bool good = formula.parts && is_function(nested) &&
		digits_begin(&made, seen->ctx, seen->in_rank, seen->out_rank);

	for (unsigned d = 0; good && d < nested->rank; d++)
		add_dim(&formula, d);
	if (good)
		measure(&formula, made.extents);
	good = good && digits_add_up(&made, formula.parts, formula.count) &&
		seen_same_digits(seen, &made);
	digits_free(&made);
	free(formula.parts);
	return good;
}

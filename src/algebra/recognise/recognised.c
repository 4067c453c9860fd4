/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/recognise/recognised.h"
#include "algebra/recognise/recognise.h"

/* Tuples without a name, of numbers and not of tuples. */
static bool is_anonymous(layout_relation *relation)
{
	return !layout_relation_tuple_name(relation, false) &&
		!layout_relation_tuple_name(relation, true) && (relation->form ||
		(isl_map_domain_is_wrapping(relation->map) == isl_bool_false &&
		isl_map_range_is_wrapping(relation->map) == isl_bool_false));
}

/* Is the relation one of that notation?  Then it is what was found. */
static bool try(struct recognised *found, const struct seen *seen,
	layout_notation notation, bool invalid_too)
{
	unsigned rank = seen->out_rank;

	if (notation == LAYOUT_NOTATION_CUTE && seen->in_rank == 1)
		found->cute = seen_cute(seen);
	if (notation == LAYOUT_NOTATION_NESTED && rank && seen->in_rank == 1 + 3 * rank)
		found->nested = seen_nested(seen, 0, invalid_too);
	if (notation == LAYOUT_NOTATION_LINEAR)
		found->linear = seen_linear(seen, NULL);
	return found->cute || found->nested || found->linear;
}

struct recognised recognise_any(layout_relation *relation, layout_notation first,
	size_t most_points)
{
	const layout_notation order[] = { first, LAYOUT_NOTATION_CUTE,
		LAYOUT_NOTATION_NESTED, LAYOUT_NOTATION_LINEAR };
	struct recognised found = { 0 };
	struct seen seen = { 0 };

	if (is_anonymous(relation) && see(&seen, relation, "a layout", most_points))
		for (unsigned i = 0; i < sizeof(order) / sizeof(*order); i++)
			if ((!i || order[i] != first) && try(&found, &seen, order[i],
					first == LAYOUT_NOTATION_NESTED))
				break;
	seen_free(&seen);
	return found;
}

layout_linear *recognise_linear(layout_relation *relation, const int64_t *sizes)
{
	layout_linear *linear = NULL;
	struct seen seen = { 0 };

	if (relation && see(&seen, relation, "a linear layout", RECOGNISE_POINTS))
		linear = seen_linear(&seen, sizes);
	seen_free(&seen);
	return linear;
}

layout_linear *layout_linear_from_relation(layout_relation *relation)
{
	return recognise_linear(relation, NULL);
}

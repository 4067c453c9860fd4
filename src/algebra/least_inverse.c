/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/forms.h"
#include "algebra/table.h"

#include <stdlib.h>

/* Sets of more runs of points are left to isl. */
#define MOST_RUNS 1000

/* Is X -> Y injective as it was built?  Then its reverse has one image for each y. */
static bool is_one_to_one(layout_relation *relation)
{
	if (relation->backward)
		return true;
	return relation->form && form_is_injective(relation, NULL) == LAYOUT_YES;
}

/* The least images of Y -> X, which needs bounded ones.  Keeps the map. */
static layout_relation *least_images(layout_context *ctx, isl_map *reversed)
{
	static const char doing[] = "find the least inputs";
	isl_set *inputs = isl_map_range(isl_map_copy(reversed));
	isl_bool bounded = isl_set_is_bounded(inputs);

	isl_set_free(inputs);
	if (bounded == isl_bool_true)
		return bridge_give_relation(ctx, doing,
			bridge_coalesce_map(ctx,
				isl_map_lexmin(isl_map_copy(reversed))), NULL, NULL);
	if (bridge_leave(ctx, doing))
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"an image may have no least input: the inputs have no bound");
	return NULL;
}

/* A run of inputs: all coordinates but the last are the same, and that goes up by 1. */
static bool continues(const int64_t *last, const int64_t *next, unsigned rank)
{
	return rank && points_compare(last, next, rank - 1) == 0 &&
		last[rank - 1] + 1 == next[rank - 1];
}

/* The points from "first" to "last", a run. */
static isl_set *run_set(isl_space *space, unsigned rank, const int64_t *first,
	const int64_t *last)
{
	isl_set *run = isl_set_universe(isl_space_copy(space));
	isl_ctx *isl = isl_space_get_ctx(space);

	for (unsigned i = 0; i < rank; i++) {
		run = isl_set_lower_bound_val(run, isl_dim_set, i,
			isl_val_int_from_si(isl, first[i]));
		run = isl_set_upper_bound_val(run, isl_dim_set, i,
			isl_val_int_from_si(isl, last[i]));
	}
	return run;
}

/* The inputs that are the least of their image, as runs in "space", consumed; NULL where
 * they are too many. */
static isl_set *least_runs(const struct table *table, const bool *least, isl_space *space)
{
	isl_set *set = isl_set_empty(isl_space_copy(space));
	unsigned rank = table->inputs.rank, runs = 0;

	for (size_t i = 0; i < table->inputs.count; i++) {
		const int64_t *first = points_at(&table->inputs, i);

		if (!least[i])
			continue;
		if (++runs > MOST_RUNS) {
			set = isl_set_free(set);
			break;
		}
		while (i + 1 < table->inputs.count && least[i + 1] &&
				continues(points_at(&table->inputs, i),
					points_at(&table->inputs, i + 1), rank))
			i++;
		set = isl_set_union(set, run_set(space, rank, first,
			points_at(&table->inputs, i)));
	}
	isl_space_free(space);
	return set;
}

/* Y -> X of a small function, by looking at its points: the function reversed where the
 * inputs are the least.  NULL with the error where it is no such. */
static layout_relation *look_at_points(layout_relation *relation)
{
	layout_relation *result = NULL;
	struct table table = { 0 };
	bool *least = NULL;
	isl_set *inputs = NULL;

	if (table_build(&table, relation))
		least = table_least(&table);
	bridge_enter(relation->ctx);
	if (least && bridge_need_map(relation))
		inputs = least_runs(&table, least,
			isl_space_domain(isl_map_get_space(relation->map)));
	if (inputs)
		result = bridge_give_relation(relation->ctx, "find the least inputs",
			isl_map_reverse(isl_map_intersect_domain(
				isl_map_copy(relation->map), inputs)),
			NULL, isl_multi_aff_copy(relation->forward));
	else
		bridge_leave(relation->ctx, "find the least inputs");
	free(least);
	table_free(&table);
	return result;
}

/* The same, NULL with nothing on the context. */
static layout_relation *small_inverse(layout_relation *relation)
{
	struct layout_caught ignored = { 0 }, *previous;
	layout_relation *result;

	previous = layout_context_catch(relation->ctx, &ignored);
	result = look_at_points(relation);
	layout_context_catch(relation->ctx, previous);
	free(ignored.message);
	return result;
}

layout_relation *layout_relation_least_inverse(layout_relation *relation)
{
	layout_relation *result;
	isl_map *reversed;

	if (!relation || is_one_to_one(relation))
		return layout_relation_inverse(relation);
	result = small_inverse(relation);
	if (result)
		goto done;
	bridge_enter(relation->ctx);
	if (bridge_need_map(relation)) {
		reversed = isl_map_reverse(isl_map_copy(relation->map));
		result = least_images(relation->ctx, reversed);
		isl_map_free(reversed);
	} else {
		bridge_leave(relation->ctx, "find the least inputs");
	}
done:
	layout_relation_free(relation);
	return result;
}

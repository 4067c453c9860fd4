/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/equal_functions.h"

#include "algebra/function.h"
#include "algebra/period.h"

/* A relation as a function: its domain for all sizes >= 0 and what it does there. */
struct side {
	layout_relation *relation;
	isl_set *domain;
	isl_multi_aff *function;
};

static void release_side(struct side *side)
{
	isl_set_free(side->domain);
	isl_multi_aff_free(side->function);
}

/* In the space of "map", for sizes of "other" >= 0, too. */
static bool find_side(struct side *side, layout_relation *relation, isl_map *map,
	isl_map *other)
{
	*side = (struct side){ relation };
	if (!find_function(relation))
		return false;
	side->function = bridge_name_forward(isl_multi_aff_copy(relation->forward), map);
	side->domain = relation->domain ? isl_set_copy(relation->domain) :
		isl_map_domain(isl_map_copy(map));
	side->domain = isl_map_has_tuple_id(map, isl_dim_in) == isl_bool_true ?
		isl_set_set_tuple_id(side->domain,
			isl_map_get_tuple_id(map, isl_dim_in)) :
		isl_set_reset_tuple_id(side->domain);
	side->domain = isl_set_intersect_params(side->domain,
		bridge_nonnegative(isl_map_get_space(map)));
	side->domain = isl_set_intersect_params(side->domain,
		bridge_nonnegative(isl_map_get_space(other)));
	return side->domain && side->function;
}

/* The pairs (x, f(x)) for x in the set, which it consumes. */
static isl_map *pairs_of(const struct side *side, isl_set *set)
{
	return isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(side->function)), set);
}

/* NO if there is such a pair, which is the witness; consumes the map. */
static layout_answer is_witness(const struct side *side, isl_map *pairs,
	layout_witness **witness)
{
	layout_context *ctx = side->relation->ctx;
	layout_witness *found = NULL;
	isl_bool empty;

	bridge_begin_attempt(ctx, BUDGET_SETS);
	empty = isl_map_is_empty(pairs);
	if (empty == isl_bool_false && witness)
		found = bridge_witness(ctx, isl_set_flatten(isl_map_wrap(
			isl_map_copy(pairs))), layout_relation_in_rank(side->relation),
			true);
	isl_map_free(pairs);
	if (!bridge_end_attempt(ctx) || empty != isl_bool_false) {
		layout_witness_free(found);
		return LAYOUT_UNKNOWN;
	}
	if (witness)
		*witness = found;
	return LAYOUT_NO;
}

/* NO for a point that only one of the two has; YES: there is none.  "only_sizes": all such points
 * are of sizes for which one of the two has no points. */
static layout_answer compare_domains(const struct side *a, const struct side *b,
	layout_witness **witness, bool *only_sizes)
{
	layout_context *ctx = a->relation->ctx;
	isl_map *only, *both;
	isl_bool same;

	bridge_begin_attempt(ctx, BUDGET_SETS);
	same = isl_set_is_equal(a->domain, b->domain);
	if (!bridge_end_attempt(ctx) || same == isl_bool_error)
		return LAYOUT_UNKNOWN;
	if (same == isl_bool_true)
		return LAYOUT_YES;
	only = isl_map_union(
		pairs_of(a, isl_set_subtract(isl_set_copy(a->domain),
			isl_set_copy(b->domain))),
		pairs_of(b, isl_set_subtract(isl_set_copy(b->domain),
			isl_set_copy(a->domain))));
	both = isl_map_intersect_params(isl_map_copy(only), isl_set_intersect(
		isl_set_params(isl_set_copy(a->domain)),
		isl_set_params(isl_set_copy(b->domain))));
	if (is_witness(a, both, witness) == LAYOUT_NO) {
		isl_map_free(only);
		return LAYOUT_NO;
	}
	*only_sizes = true;
	return is_witness(a, only, witness);
}

/* Places at which the functions differ that are looked for in the domain. */
#define MOST_DIFFERENCES 16

/* On one domain. */
static layout_answer compare_functions(const struct side *a, const struct side *b,
	layout_witness **witness)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct period c;
	bool differ = false;

	if (period_start(&c, a->relation->ctx, a->function, b->function, a->domain)) {
		differ = period_find_difference(&c);
		answer = differ || c.partial ? LAYOUT_UNKNOWN : LAYOUT_YES;
	}
	for (unsigned i = 0; differ && answer == LAYOUT_UNKNOWN && i < MOST_DIFFERENCES;
		i++) {
		answer = is_witness(a, pairs_of(a,
			period_points_like(&c, isl_set_copy(a->domain))), witness);
		differ = period_next_point(&c) && period_find_difference(&c);
	}
	period_free(&c);
	return answer;
}

/* A difference at sizes for which both have points is the better witness, if there is one. */
static void find_where_both(struct side *a, const struct side *b, layout_witness **witness)
{
	layout_witness *better = NULL;

	a->domain = isl_set_intersect(a->domain, isl_set_copy(b->domain));
	if (compare_functions(a, b, &better) == LAYOUT_NO && better) {
		layout_witness_free(*witness);
		*witness = better;
	}
}

layout_answer functions_equal(layout_relation *a, isl_map *map_a, layout_relation *b,
	isl_map *map_b, layout_witness **witness)
{
	struct side left = { 0 }, right = { 0 };
	layout_answer answer = LAYOUT_UNKNOWN;
	bool only_sizes = false;

	if (find_side(&left, a, map_a, map_b) && find_side(&right, b, map_b, map_a))
		answer = compare_domains(&left, &right, witness, &only_sizes);
	if (answer == LAYOUT_YES)
		answer = compare_functions(&left, &right, witness);
	else if (answer == LAYOUT_NO && only_sizes && witness)
		find_where_both(&left, &right, witness);
	release_side(&left);
	release_side(&right);
	return answer;
}

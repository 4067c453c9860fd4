/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes for which a product of extents has no points: it has to be 0 there. */
#include "algebra/count/count.h"

#include <isl/constraint.h>

/* The sizes >= 0 for which the piece has points. */
static isl_set *sizes_with(isl_basic_set *piece)
{
	isl_set *some = isl_set_params(isl_set_from_basic_set(isl_basic_set_copy(piece)));

	return isl_set_intersect(bridge_nonnegative(isl_set_get_space(some)), some);
}

/* The sizes for which a factor is 0, or at most 0 with "below". */
static isl_set *vanishing(isl_set *sizes, const struct term *term, bool below)
{
	isl_set *all = isl_set_empty(isl_set_get_space(sizes));

	for (unsigned i = 0; i < term->count; i++) {
		isl_pw_aff *least = factor_least(&term->factors[i]);

		all = isl_set_union(all, below || term->factors[i].clipped ?
			isl_pw_aff_nonneg_set(isl_pw_aff_neg(least)) :
			isl_pw_aff_zero_set(least));
	}
	return all;
}

static bool vanishes(isl_set *sizes, const struct term *term, bool below)
{
	isl_set *zero = vanishing(sizes, term, below);
	isl_bool all = isl_set_is_subset(sizes, zero);

	isl_set_free(zero);
	return all == isl_bool_true;
}

/* Factors that are negative for some of the sizes stop at 0. */
static void clip(struct term *term, isl_set *sizes)
{
	for (unsigned i = 0; i < term->count; i++) {
		struct factor *factor = &term->factors[i];
		isl_set *good = isl_pw_aff_nonneg_set(factor_least(factor));

		factor->clipped = factor->clipped ||
			isl_set_is_subset(sizes, good) == isl_bool_false;
		isl_set_free(good);
	}
}

/* A product that is 0 for all of "sizes"; false where it is not to be had. */
static bool make_zero(struct term *term, isl_set *sizes)
{
	if (vanishes(sizes, term, false))
		return true;
	if (!vanishes(sizes, term, true))
		return false;
	clip(term, sizes);
	return true;
}

/* The condition a >= 0 on sizes alone as min(1, a + 1). */
static struct factor as_factor(isl_aff *a)
{
	struct factor factor = { .count = 2 };

	factor.bounds[0] = isl_aff_val_on_domain_space(isl_aff_get_domain_space(a),
		isl_val_one(isl_aff_get_ctx(a)));
	factor.bounds[1] = isl_aff_add_constant_si(a, 1);
	factor.clipped = factor_is_negative(&factor);
	return factor;
}

/* Multiply by the condition a >= 0, consumed, unless the product is 0 already for those
 * of "without" that fail it. */
static bool add_condition(struct term *term, isl_set *without, isl_aff *a)
{
	isl_set *fails = isl_set_intersect(isl_set_copy(without),
		isl_set_from_basic_set(isl_aff_neg_basic_set(isl_aff_copy(a))));
	bool needed = !vanishes(fails, term, true);
	struct factor factor;

	isl_set_free(fails);
	if (!needed) {
		isl_aff_free(a);
		return false;
	}
	factor = as_factor(a);
	return term_times(term, &factor);
}

/* Multiply by what is 1 where the conditions hold, and else 0, as far as that is needed
 * and their number is small. */
#define MOST_CONDITIONS 2
static bool add_conditions(struct term *term, isl_set *with, isl_set *without)
{
	isl_basic_set *hull = isl_basic_set_remove_unknown_divs(
		isl_set_simple_hull(isl_set_compute_divs(isl_set_copy(with))));
	isl_constraint_list *list = isl_basic_set_get_constraint_list(hull);
	isl_size count = isl_constraint_list_n_constraint(list);
	unsigned added = 0;
	bool good = false;

	for (isl_size i = 0; i < count && !good && added < MOST_CONDITIONS; i++) {
		isl_constraint *constraint = isl_constraint_list_get_constraint(list, i);
		isl_aff *a = isl_constraint_get_aff(constraint);

		if (isl_constraint_is_equality(constraint) == isl_bool_true)
			added += add_condition(term, without,
				isl_aff_neg(isl_aff_copy(a)));
		added += add_condition(term, without, a);
		good = make_zero(term, without);
		isl_constraint_free(constraint);
	}
	isl_constraint_list_free(list);
	isl_basic_set_free(hull);
	return good;
}

bool count_guard(struct counting *counting, isl_basic_set *piece, struct term *term)
{
	isl_set *with = sizes_with(piece);
	isl_set *without = isl_set_subtract(
		bridge_nonnegative(isl_set_get_space(with)), isl_set_copy(with));
	bool good = make_zero(term, without) || add_conditions(term, with, without);

	isl_set_free(with);
	isl_set_free(without);
	return good || count_refuse(counting,
		"whether there are points depends on a condition on the sizes");
}

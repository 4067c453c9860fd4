/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* As many points in fewer dimensions: what the others determine is dropped, and two
 * digits of a number become the number. */
#include "algebra/count/count.h"
#include "isl_bridge/aff.h"

#include <isl/constraint.h>
#include <isl/ilp.h>

/* Dimension "high" takes step*high + low, and "low" goes. */
struct digits {
	unsigned high, low;
	isl_val *step;
};

/* The dimension has no more values than "step", whatever the sizes are. */
static bool fits(isl_basic_set *piece, unsigned dim, isl_val *step)
{
	isl_set *set = isl_set_from_basic_set(isl_basic_set_copy(piece));
	isl_val *least = isl_set_dim_min_val(isl_set_copy(set), (int)dim);
	isl_val *most = isl_set_dim_max_val(set, (int)dim);
	bool bounded = isl_val_is_int(least) == isl_bool_true &&
		isl_val_is_int(most) == isl_bool_true;
	isl_val *width = isl_val_sub(most, least);
	bool good = bounded && isl_val_lt(width, step) == isl_bool_true;

	isl_val_free(width);
	return good;
}

/* The coefficients of "high" and "low" are step and 1, but for a factor, and low has no
 * more values than that. */
static bool are_digits(isl_basic_set *piece, isl_constraint *constraint,
	struct digits *digits)
{
	isl_val *high = isl_constraint_get_coefficient_val(constraint, isl_dim_set,
		(int)digits->high);
	isl_val *low = isl_constraint_get_coefficient_val(constraint, isl_dim_set,
		(int)digits->low);
	bool good = isl_val_is_zero(low) == isl_bool_false;

	digits->step = good ? isl_val_div(high, low) : NULL;
	if (!good) {
		isl_val_free(high);
		isl_val_free(low);
		return false;
	}
	good = isl_val_is_int(digits->step) == isl_bool_true &&
		isl_val_is_pos(digits->step) == isl_bool_true &&
		fits(piece, digits->low, digits->step);
	if (!good)
		digits->step = isl_val_free(digits->step);
	return good;
}

/* Two digits of a condition with the least step, lest one between them is left out;
 * "digits" is what was found so far. */
static void look_at(isl_basic_set *piece, isl_constraint *constraint, unsigned rank,
	struct digits *digits)
{
	for (unsigned i = 0; i < rank * rank; i++) {
		struct digits next = { i / rank, i % rank, NULL };

		if (next.high == next.low || !are_digits(piece, constraint, &next))
			continue;
		if (!digits->step ||
		    isl_val_lt(next.step, digits->step) == isl_bool_true) {
			isl_val_free(digits->step);
			*digits = next;
		} else {
			isl_val_free(next.step);
		}
	}
}

static bool find_digits(isl_basic_set *piece, unsigned rank, struct digits *digits)
{
	isl_constraint_list *list = isl_basic_set_get_constraint_list(piece);
	isl_size count = isl_constraint_list_n_constraint(list);

	*digits = (struct digits){ .step = NULL };
	for (isl_size i = 0; i < count; i++) {
		isl_constraint *constraint = isl_constraint_list_get_constraint(list, i);

		look_at(piece, constraint, rank, digits);
		isl_constraint_free(constraint);
	}
	isl_constraint_list_free(list);
	return digits->step;
}

static isl_set *join_digits(isl_basic_set *piece, struct digits *digits)
{
	isl_space *space = isl_basic_set_get_space(piece);
	isl_multi_aff *function = isl_multi_aff_identity_on_domain_space(
		isl_space_copy(space));
	isl_aff *high = isl_aff_scale_val(aff_coordinate(space, digits->high), digits->step);
	isl_map *map;

	high = isl_aff_add(high, aff_coordinate(space, digits->low));
	isl_space_free(space);
	function = isl_multi_aff_set_aff(function, (int)digits->high, high);
	map = isl_map_from_multi_aff(function);
	map = isl_map_project_out(map, isl_dim_out, digits->low, 1);
	return isl_set_apply(isl_set_from_basic_set(isl_basic_set_copy(piece)), map);
}

/* Has the dimension one value for all of the others'? */
static bool is_determined(isl_basic_set *piece, unsigned dim)
{
	isl_map *map = isl_map_from_domain(isl_set_from_basic_set(
		isl_basic_set_copy(piece)));
	bool one;

	map = isl_map_move_dims(map, isl_dim_out, 0, isl_dim_in, dim, 1);
	one = isl_map_is_single_valued(map) == isl_bool_true;
	isl_map_free(map);
	return one;
}

isl_set *count_reduce(isl_basic_set *piece, const unsigned *group)
{
	unsigned rank = (unsigned)isl_basic_set_dim(piece, isl_dim_set);
	struct digits digits;

	for (unsigned i = 0; i < rank; i++) {
		bool alone = true;

		for (unsigned k = 0; k < rank; k++)
			alone = alone && (k == i || group[k] != group[i]);
		if (!alone && is_determined(piece, i))
			return isl_set_project_out(isl_set_from_basic_set(
				isl_basic_set_copy(piece)), isl_dim_set, i, 1);
	}
	return find_digits(piece, rank, &digits) ?
		join_digits(piece, &digits) : NULL;
}

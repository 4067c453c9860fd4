/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points in bands: i mod 8 < 3 are those with residue 0, 1 and 2. */
#include "algebra/count/count.h"
#include "isl_bridge/aff.h"

#include <isl/constraint.h>

/* More residues, of all splits, make no formula that a person would read. */
#define MOST_RESIDUES 8

/* The first dimension that a floor in the condition has, and what it divides by. */
struct divided {
	unsigned dim;
	isl_val *by;
};

static bool look_at_floor(isl_aff *floor, unsigned rank, struct divided *divided)
{
	for (unsigned i = 0; i < rank; i++)
		if (isl_aff_involves_dims(floor, isl_dim_in, i, 1) == isl_bool_true) {
			divided->dim = i;
			divided->by = isl_aff_get_denominator_val(floor);
			return true;
		}
	return false;
}

static bool look_at(isl_constraint *constraint, unsigned rank, struct divided *divided)
{
	isl_size count = isl_constraint_dim(constraint, isl_dim_div);
	bool found = false;

	if (isl_constraint_is_equality(constraint) == isl_bool_true)
		return false;
	for (isl_size i = 0; i < count && !found; i++) {
		isl_val *factor = isl_constraint_get_coefficient_val(constraint,
			isl_dim_div, (int)i);

		if (isl_val_is_zero(factor) == isl_bool_false) {
			isl_aff *floor = isl_constraint_get_div(constraint, (int)i);

			found = look_at_floor(floor, rank, divided);
			isl_aff_free(floor);
		}
		isl_val_free(factor);
	}
	return found;
}

static bool find_divided(isl_basic_set *piece, struct divided *divided)
{
	isl_constraint_list *list = isl_basic_set_get_constraint_list(piece);
	isl_size count = isl_constraint_list_n_constraint(list);
	unsigned rank = (unsigned)isl_basic_set_dim(piece, isl_dim_set);
	bool found = false;

	for (isl_size i = 0; i < count && !found; i++) {
		isl_constraint *constraint = isl_constraint_list_get_constraint(list, i);

		found = look_at(constraint, rank, divided);
		isl_constraint_free(constraint);
	}
	isl_constraint_list_free(list);
	return found;
}

/* { [..] : dim mod by = residue } */
static isl_basic_set *residue_of(isl_space *space, const struct divided *divided,
	long residue)
{
	isl_aff *aff = isl_aff_mod_val(aff_coordinate(space, divided->dim),
		isl_val_copy(divided->by));

	return isl_aff_zero_basic_set(isl_aff_add_constant_si(aff, (int)-residue));
}

/* Not as part of a union, where isl would put them together again. */
static bool count_residue(struct counting *counting, isl_basic_set *points,
	struct formula *formula)
{
	isl_set *set = isl_set_compute_divs(isl_set_detect_equalities(
		isl_set_from_basic_set(points)));
	isl_basic_set_list *list = isl_set_get_basic_set_list(set);
	isl_size count = isl_basic_set_list_n_basic_set(list);
	bool good = count >= 0;

	isl_set_free(set);
	for (isl_size i = 0; good && i < count; i++)
		good = count_piece(counting, isl_basic_set_list_get_basic_set(list, i),
			formula);
	isl_basic_set_list_free(list);
	return good;
}

bool count_split(struct counting *counting, isl_basic_set *piece, struct formula *formula)
{
	struct divided divided = { 0 };
	isl_space *space = isl_basic_set_get_space(piece);
	bool good = find_divided(piece, &divided) &&
		isl_val_cmp_si(divided.by, (long)(MOST_RESIDUES - counting->splits)) <= 0;
	long by = good ? isl_val_get_num_si(divided.by) : 0;

	counting->splits += (unsigned)by;
	for (long r = 0; good && r < by; r++)
		good = count_residue(counting, isl_basic_set_intersect(
			residue_of(space, &divided, r), isl_basic_set_copy(piece)),
			formula);
	isl_space_free(space);
	isl_val_free(divided.by);
	return good;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A piece of a union: a product of what its dimensions have, where they do not depend on
 * each other. */
#include "algebra/count/count.h"

#include <isl/constraint.h>

/* More dimensions than this have no formula. */
#define MOST_DIMS TERM_FACTORS

static unsigned rank_of(isl_basic_set *piece)
{
	return (unsigned)isl_basic_set_dim(piece, isl_dim_set);
}

/* The dimensions of a condition become one group. */
static void join(isl_constraint *constraint, unsigned *group, unsigned rank)
{
	unsigned first = rank;

	for (unsigned i = 0; i < rank; i++) {
		unsigned old = group[i];

		if (isl_constraint_involves_dims(constraint, isl_dim_set, i, 1) !=
		    isl_bool_true)
			continue;
		if (first == rank)
			first = i;
		for (unsigned k = 0; k < rank; k++)
			if (group[k] == old)
				group[k] = group[first];
	}
}

/* Number each dimension's group by one of its dimensions; false where isl failed. */
static bool find_groups(isl_basic_set *piece, unsigned *group)
{
	isl_constraint_list *list = isl_basic_set_get_constraint_list(piece);
	isl_size count = isl_constraint_list_n_constraint(list);
	unsigned rank = rank_of(piece);

	for (unsigned i = 0; i < rank; i++)
		group[i] = i;
	for (isl_size i = 0; i < count; i++) {
		isl_constraint *constraint = isl_constraint_list_get_constraint(list, i);

		join(constraint, group, rank);
		isl_constraint_free(constraint);
	}
	isl_constraint_list_free(list);
	return count >= 0;
}

/* A dimension of the group of "dim" that is another one; the rank for none. */
static unsigned partner(const unsigned *group, unsigned rank, unsigned dim)
{
	for (unsigned i = 0; i < rank; i++)
		if (i != dim && group[i] == group[dim])
			return i;
	return rank;
}

/* The dimensions of one group alone, with all conditions on the sizes. */
static isl_basic_set *part(isl_basic_set *piece, const unsigned *group, unsigned wanted)
{
	isl_basic_set *part = isl_basic_set_copy(piece);

	for (unsigned i = rank_of(piece); i-- > 0;) {
		if (group[i] == wanted)
			continue;
		part = isl_basic_set_drop_constraints_involving_dims(part,
			isl_dim_set, i, 1);
		part = isl_basic_set_project_out(part, isl_dim_set, i, 1);
	}
	return part;
}

/* Without the conditions on the sizes alone.  isl's own function for that drops those that
 * have the dimensions in floors only. */
static isl_basic_set *own_conditions(isl_basic_set *part)
{
	isl_constraint_list *list = isl_basic_set_get_constraint_list(part);
	isl_basic_set *own = isl_basic_set_universe(isl_basic_set_get_space(part));
	isl_size count = isl_constraint_list_n_constraint(list);

	for (isl_size i = 0; i < count; i++) {
		isl_constraint *constraint = isl_constraint_list_get_constraint(list, i);

		if (isl_constraint_involves_dims(constraint, isl_dim_set, 0,
				rank_of(part)) == isl_bool_false)
			isl_constraint_free(constraint);
		else
			own = isl_basic_set_add_constraint(own, constraint);
	}
	isl_constraint_list_free(list);
	isl_basic_set_free(part);
	return own;
}

/* A group of several dimensions has a number where nothing in it is a size. */
static bool count_group(struct counting *counting, isl_basic_set *piece,
	const unsigned *group, unsigned dim, struct term *term)
{
	unsigned rank = rank_of(piece), other = partner(group, rank, dim);
	isl_set *points = isl_set_from_basic_set(own_conditions(part(piece, group,
		group[dim])));
	unsigned sizes = (unsigned)isl_set_dim(points, isl_dim_param);
	bool constant = isl_set_involves_dims(points, isl_dim_param, 0, sizes) ==
		isl_bool_false;
	bool bounded = isl_set_is_bounded(points) == isl_bool_true;

	if (constant && bounded) {
		points = isl_set_project_out(points, isl_dim_param, 0, sizes);
		term_times_number(term, isl_set_count_val(points));
	}
	isl_set_free(points);
	if (constant && bounded)
		return !bridge_failed(counting->ctx);
	if (!bounded)
		return count_refuse(counting, "dimension %u has no bound", dim);
	if (other == rank)
		return false;
	return count_refuse(counting, "dimension %u depends on dimension %u", other, dim);
}

/* One factor for each dimension, or number for each group. */
static bool count_groups(struct counting *counting, isl_basic_set *piece,
	const unsigned *group, struct term *term)
{
	unsigned rank = rank_of(piece);
	bool good = true;

	for (unsigned i = 0; good && i < rank; i++) {
		struct factor factor = { 0 };
		isl_basic_set *points;

		if (group[i] != i)
			continue;
		points = part(piece, group, i);
		good = partner(group, rank, i) == rank &&
			count_interval(counting, points, i, &factor);
		isl_basic_set_free(points);
		good = good ? term_times(term, &factor) :
			!bridge_failed(counting->ctx) &&
			count_group(counting, piece, group, i, term);
	}
	return good;
}

bool count_piece(struct counting *counting, isl_basic_set *piece,
	struct formula *formula)
{
	unsigned group[MOST_DIMS];
	isl_set *fewer = NULL;
	struct term term;
	bool good;

	if (rank_of(piece) > MOST_DIMS) {
		isl_basic_set_free(piece);
		return count_refuse(counting, "there are more than %u dimensions",
			MOST_DIMS);
	}
	good = find_groups(piece, group);
	for (unsigned i = 0; good && !fewer && i < rank_of(piece); i++)
		if (partner(group, rank_of(piece), i) < rank_of(piece))
			fewer = count_reduce(piece, group);
	if (good && fewer) {
		isl_basic_set_free(piece);
		return count_union(counting, fewer, formula);
	}
	term_start(&term, counting->ctx);
	good = good && count_groups(counting, piece, group, &term) &&
		count_guard(counting, piece, &term);
	if (good)
		formula_add(formula, &term);
	else
		good = !bridge_failed(counting->ctx) &&
			count_split(counting, piece, formula);
	term_free(&term);
	isl_basic_set_free(piece);
	return good;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What affine expressions are where the bounds of their variables are known. */
#include "isl_bridge/affine.h"
#include "isl_bridge/arithmetic.h"

#include <isl/constraint.h>

#include <stdlib.h>

/* Bounds beyond this are of no use beside coefficients up to 2^31. */
#define FARTHEST ((int64_t)1 << 60)

/* A number as large as the coefficients may be. */
#define LARGEST ((int64_t)1 << 31)

/* Between range_of() bounds that are not known. */
static const struct index anything = { .min = INT64_MIN, .max = INT64_MAX };

/* Part "of" into "g" times the result, and the rest, which stays. */
static struct affine_sum part(struct affine_sum *of, int64_t g)
{
	struct affine_sum multiples = { 0 };
	unsigned kept = 0;

	for (unsigned i = 0; i < of->count; i++)
		if (of->terms[i].coefficient % g) {
			of->terms[kept++] = of->terms[i];
		} else {
			multiples.terms[multiples.count] = of->terms[i];
			multiples.terms[multiples.count++].coefficient /= g;
		}
	of->count = kept;
	return multiples;
}

static struct range term_range(const struct affine *affine, unsigned atom)
{
	return atom < affine->variable_count ? affine->bounds[atom] :
		affine->atoms[atom - affine->variable_count].range;
}

/* Infinite again where it is beyond 64 bits. */
static struct range sum_range(const struct affine *affine, const struct affine_sum *sum)
{
	struct range range = range_point(sum->constant);
	struct index sum_of;

	for (unsigned i = 0; i < sum->count; i++)
		range = range_binary(INDEX_ADD, range, range_binary(INDEX_MUL,
			range_point(sum->terms[i].coefficient),
			term_range(affine, sum->terms[i].atom)));
	range_store(range, &sum_of);
	return range_of(&sum_of);
}

struct range affine_atom_range(const struct affine *affine,
	const struct affine_atom *atom)
{
	if (!affine->bounds)
		return range_of(&anything);
	if (atom->kind == AFFINE_MOD)
		return (struct range){ 0, atom->by - 1 };
	return range_binary(INDEX_FDIV, sum_range(affine, &atom->of),
		range_point(atom->by));
}

/* The rest over g is the same number everywhere. */
static bool divide(const struct affine *affine, struct affine_sum *of, int64_t *by,
	int64_t g)
{
	struct affine_sum rest = *of, multiples = part(&rest, g);
	struct range range = range_binary(INDEX_FDIV, sum_range(affine, &rest),
		range_point(g));

	if (range.lo != range.hi || range.lo < -LARGEST || range.lo > LARGEST)
		return false;
	*of = multiples;
	of->constant = (int64_t)range.lo;
	*by /= g;
	return true;
}

bool affine_divide(const struct affine *affine, struct affine_sum *of, int64_t *by)
{
	if (!affine->bounds || *by == 1)
		return false;
	if (divide(affine, of, by, *by))
		return true;
	for (unsigned i = 0; i < of->count; i++) {
		int64_t g = int_gcd(*by, llabs(of->terms[i].coefficient));

		if (g > 1 && divide(affine, of, by, g))
			return true;
	}
	return false;
}

/* The bound that a*x + c >= 0 is, or a*x + c = 0; none where it is beyond FARTHEST. */
static void take_bound(struct range *range, isl_val *a, isl_val *c, bool equality)
{
	bool below = isl_val_is_pos(a) == isl_bool_true, above = !below;
	isl_val *quotient = isl_val_div(isl_val_neg(c), a);
	int64_t value;

	quotient = below ? isl_val_ceil(quotient) : isl_val_floor(quotient);
	if (isl_val_cmp_si(quotient, FARTHEST) <= 0 &&
	    isl_val_cmp_si(quotient, -FARTHEST) >= 0) {
		value = isl_val_get_num_si(quotient);
		if ((below || equality) && value > range->lo)
			range->lo = value;
		if ((above || equality) && value < range->hi)
			range->hi = value;
	}
	isl_val_free(quotient);
}

/* How many of the variables of one kind are in the constraint, and the last of them. */
static unsigned involved(isl_constraint *constraint, enum isl_dim_type type,
	unsigned *last)
{
	isl_size count = isl_constraint_dim(constraint, type);
	unsigned found = 0;

	for (isl_size i = 0; i < count; i++)
		if (isl_constraint_involves_dims(constraint, type, (unsigned)i, 1) ==
				isl_bool_true) {
			*last = (unsigned)i;
			found++;
		}
	return found;
}

struct bounding {
	struct range *bounds;
	unsigned dims;
};

static isl_stat bound(isl_constraint *constraint, void *user)
{
	struct bounding *bounding = user;
	unsigned at = 0, unused = 0,
		dims = involved(constraint, isl_dim_set, &at),
		params = dims ? 0 : involved(constraint, isl_dim_param, &at);

	if (dims)
		params = involved(constraint, isl_dim_param, &unused);
	if (dims + params == 1 && !involved(constraint, isl_dim_div, &unused))
		take_bound(&bounding->bounds[dims ? at : bounding->dims + at],
			isl_constraint_get_coefficient_val(constraint,
				dims ? isl_dim_set : isl_dim_param, (int)at),
			isl_constraint_get_constant_val(constraint),
			isl_constraint_is_equality(constraint) == isl_bool_true);
	isl_constraint_free(constraint);
	return isl_stat_ok;
}

struct hull {
	struct range *bounds, *piece;
	unsigned dims, count;
	bool first;
};

static isl_stat bound_piece(isl_basic_set *piece, void *user)
{
	struct hull *hull = user;
	struct bounding bounding = { hull->piece, hull->dims };
	isl_stat good;

	for (unsigned i = 0; i < hull->count; i++)
		hull->piece[i] = range_of(&anything);
	good = isl_basic_set_foreach_constraint(piece, bound, &bounding);
	for (unsigned i = 0; i < hull->count; i++)
		hull->bounds[i] = hull->first ? hull->piece[i] :
			range_union(hull->bounds[i], hull->piece[i]);
	hull->first = false;
	isl_basic_set_free(piece);
	return good;
}

struct range *affine_bounds(layout_context *ctx, isl_set *set)
{
	isl_size dims = isl_set_dim(set, isl_dim_set),
		params = isl_set_dim(set, isl_dim_param);
	struct hull hull = { .first = true };

	if (dims < 0 || params < 0)
		return NULL;
	hull.dims = (unsigned)dims;
	hull.count = (unsigned)(dims + params);
	hull.bounds = layout_alloc(ctx, 2 * (size_t)hull.count, sizeof(*hull.bounds));
	if (!hull.bounds)
		return NULL;
	hull.piece = hull.bounds + hull.count;
	for (unsigned i = 0; i < hull.count; i++)
		hull.bounds[i] = range_of(&anything);
	if (isl_set_foreach_basic_set(set, bound_piece, &hull) == isl_stat_ok)
		return hull.bounds;
	free(hull.bounds);
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of one dimension: from the least to the most, in steps. */
#include "algebra/count/count.h"
#include "isl_bridge/aff.h"

#include <isl/stride_info.h>

/* { [x] } with a point of "points" before it, or the same, and one after it. */
static isl_set *between(isl_set *points)
{
	isl_space *space = isl_set_get_space(points);
	isl_map *after = isl_map_lex_le(isl_space_copy(space));
	isl_map *before = isl_map_lex_ge(space);

	return isl_set_intersect(
		isl_set_apply(isl_set_copy(points), after),
		isl_set_apply(isl_set_copy(points), before));
}

/* { [x] : x = offset mod stride } */
static isl_set *in_steps(isl_set *points, isl_val *stride)
{
	isl_stride_info *info = isl_set_get_stride_info(points, 0);
	isl_aff *offset = isl_stride_info_get_offset(info);
	isl_space *space = isl_set_get_space(points);
	isl_aff *x = aff_coordinate(space, 0);

	isl_space_free(space);
	isl_stride_info_free(info);
	x = isl_aff_mod_val(isl_aff_sub(x, offset), isl_val_copy(stride));
	return aff_zero_set(x);
}

/* No point is missing between the least and the most. */
static bool is_interval(isl_basic_set *piece, isl_set *points, isl_val *stride)
{
	isl_set *all;
	isl_bool same;

	if (isl_basic_set_dim(piece, isl_dim_div) == 0)
		return true;
	all = isl_set_intersect(between(points), in_steps(points, stride));
	same = isl_set_is_subset(all, points);
	isl_set_free(all);
	return same == isl_bool_true;
}

static isl_stat take_bound(isl_set *domain, isl_aff *aff, void *user)
{
	struct factor *factor = user;
	isl_bool known = isl_bool_false;

	isl_set_free(domain);
	for (unsigned i = 0; i < factor->count && known == isl_bool_false; i++)
		known = isl_aff_plain_is_equal(aff, factor->bounds[i]);
	if (known == isl_bool_false && factor->count < FACTOR_BOUNDS) {
		factor->bounds[factor->count++] = aff;
		return isl_stat_ok;
	}
	isl_aff_free(aff);
	return known == isl_bool_true ? isl_stat_ok : isl_stat_error;
}

/* The function, consumed, as the least of its pieces; false where it is not that. */
static bool as_least(struct factor *factor, isl_pw_aff *function)
{
	bool good = isl_pw_aff_foreach_piece(function, take_bound, factor) ==
		isl_stat_ok && factor->count > 0;

	if (good && factor->count > 1) {
		isl_set *domain = isl_pw_aff_domain(isl_pw_aff_copy(function));
		isl_set *same = isl_pw_aff_eq_set(isl_pw_aff_copy(function),
			factor_least(factor));

		good = isl_set_is_subset(domain, same) == isl_bool_true;
		isl_set_free(domain);
		isl_set_free(same);
	}
	isl_pw_aff_free(function);
	if (!good)
		factor_free(factor);
	return good;
}

bool count_interval(struct counting *counting, isl_basic_set *piece, unsigned dim,
	struct factor *factor)
{
	isl_set *points = isl_set_from_basic_set(isl_basic_set_copy(piece));
	isl_val *stride = NULL;
	isl_pw_aff *extent;
	bool good;

	*factor = (struct factor){ 0 };
	good = isl_set_is_bounded(points) == isl_bool_true ||
		count_refuse(counting, "dimension %u has no bound", dim);
	if (good) {
		stride = isl_set_get_stride(points, 0);
		good = is_interval(piece, points, stride) ||
			count_refuse(counting, "dimension %u has gaps", dim);
	}
	if (good) {
		extent = isl_pw_aff_sub(isl_set_dim_max(isl_set_copy(points), 0),
			isl_set_dim_min(isl_set_copy(points), 0));
		extent = isl_pw_aff_floor(isl_pw_aff_scale_down_val(extent,
			isl_val_copy(stride)));
		good = as_least(factor, isl_pw_aff_add_constant_val(extent,
			isl_val_one(bridge_isl(counting->ctx)))) ||
			count_refuse(counting, "the bounds of dimension %u have cases",
				dim);
	}
	isl_val_free(stride);
	isl_set_free(points);
	return good;
}

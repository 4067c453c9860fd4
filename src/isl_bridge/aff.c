/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/aff.h"

static isl_val *number_like(isl_aff *aff, int64_t number)
{
	return aff ? isl_val_int_from_si(isl_aff_get_ctx(aff), number) : NULL;
}

isl_aff *aff_number(isl_space *space, int64_t number)
{
	return isl_aff_val_on_domain_space(isl_space_copy(space),
		space ? isl_val_int_from_si(isl_space_get_ctx(space), number) : NULL);
}

static isl_aff *variable(isl_space *space, enum isl_dim_type type, unsigned at)
{
	return isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(space)),
		type, at);
}

isl_aff *aff_coordinate(isl_space *space, unsigned dim)
{
	return variable(space, isl_dim_set, dim);
}

isl_aff *aff_parameter(isl_space *space, unsigned param)
{
	return variable(space, isl_dim_param, param);
}

isl_aff *aff_scale(isl_aff *aff, int64_t factor)
{
	return isl_aff_scale_val(aff, number_like(aff, factor));
}

isl_aff *aff_floor(isl_aff *aff, int64_t by)
{
	return isl_aff_floor(isl_aff_scale_down_val(aff, number_like(aff, by)));
}

isl_aff *aff_ceil(isl_aff *aff, int64_t by)
{
	return isl_aff_ceil(isl_aff_scale_down_val(aff, number_like(aff, by)));
}

isl_aff *aff_mod(isl_aff *aff, int64_t by)
{
	return isl_aff_mod_val(aff, number_like(aff, by));
}

isl_aff *aff_add_scaled(isl_aff *sum, isl_aff *aff, int64_t factor)
{
	return isl_aff_add(sum, aff_scale(aff, factor));
}

isl_aff *aff_digit(isl_aff *aff, int64_t step, int64_t radix)
{
	aff = aff_floor(aff, step);
	return radix ? aff_mod(aff, radix) : aff;
}

isl_aff *aff_coordinate_digit(isl_space *space, unsigned dim, int64_t step, int64_t radix)
{
	return aff_digit(aff_coordinate(space, dim), step, radix);
}

/* unit * ((a + times * b) mod radix - a mod radix) for the floors a and b of functions
 * that it keeps: what a rotation, or the XOR of one bit, adds. */
static isl_aff *turned(isl_aff *aff, int64_t unit, isl_aff *by, int64_t step,
	int64_t radix, int64_t times)
{
	isl_aff *a = aff_floor(isl_aff_copy(aff), unit);
	isl_aff *b = aff_floor(isl_aff_copy(by), step);
	isl_aff *both = aff_add_scaled(isl_aff_copy(a), b, times);

	return aff_scale(isl_aff_sub(aff_mod(both, radix), aff_mod(a, radix)), unit);
}

isl_aff *aff_twist(isl_aff *aff, int64_t unit, isl_aff *by, int64_t step, int64_t radix,
	int64_t times)
{
	isl_aff *sum = isl_aff_copy(aff);

	if (times)
		sum = isl_aff_add(sum, turned(aff, unit, by, step, radix, times));
	for (int64_t bit = 1; !times && bit < radix; bit *= 2)
		sum = isl_aff_add(sum, turned(aff, unit * bit, by, step * bit, 2, 1));
	isl_aff_free(aff);
	return sum;
}

isl_aff *aff_of_parameters(isl_aff *aff, isl_space *space)
{
	isl_size params = isl_aff_dim(aff, isl_dim_param);
	isl_aff *part = isl_aff_zero_on_domain_space(space);

	part = isl_aff_set_constant_val(part, isl_aff_get_constant_val(aff));
	for (isl_size i = 0; i < params; i++)
		part = isl_aff_set_coefficient_val(part, isl_dim_param, i,
			isl_aff_get_coefficient_val(aff, isl_dim_param, i));
	return part;
}

isl_aff *aff_dividend(isl_aff *aff, int div, isl_val **by)
{
	isl_aff *dividend = isl_aff_get_div(aff, div);

	*by = isl_aff_get_denominator_val(dividend);
	return isl_aff_scale_val(dividend, isl_val_copy(*by));
}

isl_set *aff_zero_set(isl_aff *aff)
{
	return isl_set_from_basic_set(isl_aff_zero_basic_set(aff));
}

isl_multi_aff *aff_function(isl_space *space, isl_space *range, isl_aff_list *list)
{
	return isl_multi_aff_from_aff_list(
		isl_space_map_from_domain_and_range(space, range), list);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/digits/box.h"

struct digit_box digit_box_new(layout_context *ctx, unsigned count)
{
	isl_space *space = isl_space_set_alloc(bridge_isl(ctx), 0, count);

	return (struct digit_box){ ctx, isl_set_universe(space) };
}

void digit_box_bound(struct digit_box *digits, unsigned digit, int64_t extent)
{
	isl_val *last = isl_val_int_from_si(bridge_isl(digits->ctx), extent - 1);

	digits->box = isl_set_lower_bound_si(digits->box, isl_dim_set, digit, 0);
	digits->box = isl_set_upper_bound_val(digits->box, isl_dim_set, digit, last);
}

isl_aff *digit_box_zero(struct digit_box *digits)
{
	return isl_aff_zero_on_domain_space(isl_set_get_space(digits->box));
}

isl_aff *digit_box_add(struct digit_box *digits, isl_aff *sum, unsigned digit,
	int64_t factor)
{
	isl_val *coefficient = isl_aff_get_coefficient_val(sum, isl_dim_in, (int)digit);

	coefficient = isl_val_add(coefficient,
		isl_val_int_from_si(bridge_isl(digits->ctx), factor));
	return isl_aff_set_coefficient_val(sum, isl_dim_in, (int)digit, coefficient);
}

isl_aff *digit_box_digit(struct digit_box *digits, unsigned digit, int64_t step,
	int64_t radix)
{
	isl_space *space = isl_set_get_space(digits->box);
	isl_aff *aff = aff_coordinate_digit(space, digit, step, radix);

	isl_space_free(space);
	return aff;
}

/* digits[..] -> [list], on the box. */
static isl_map *image(struct digit_box *digits, isl_aff_list *list)
{
	isl_size rank = isl_aff_list_n_aff(list);
	isl_space *space = isl_space_from_domain(isl_set_get_space(digits->box));

	space = isl_space_add_dims(space, isl_dim_out, rank < 0 ? 0 : (unsigned)rank);
	return isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_from_aff_list(space, list)),
		isl_set_copy(digits->box));
}

layout_relation *digit_box_relation(struct digit_box *digits, const char *doing,
	isl_aff_list *from, isl_aff_list *to)
{
	isl_map *in = image(digits, from), *out = image(digits, to);

	isl_set_free(digits->box);
	return bridge_give_relation(digits->ctx, doing,
		isl_map_apply_range(isl_map_reverse(in), out), NULL, NULL);
}

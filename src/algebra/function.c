/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/function.h"

bool find_function(layout_relation *relation)
{
	isl_multi_aff *function = NULL;

	if (relation->forward || !bridge_need_map(relation))
		return relation->forward;
	bridge_begin_attempt(relation->ctx, BUDGET_GLANCE);
	if (isl_map_plain_is_single_valued(relation->map) == isl_bool_true)
		function = bridge_one_piece(isl_pw_multi_aff_from_map(
			isl_map_copy(relation->map)));
	if (!bridge_end_attempt(relation->ctx))
		function = isl_multi_aff_free(function);
	relation->forward = function;
	return function;
}

int find_copied(isl_multi_aff *function, unsigned k)
{
	isl_aff *result = isl_multi_aff_get_at(function, (int)k);
	isl_size inputs = isl_multi_aff_dim(function, isl_dim_in);
	int input = -1;

	for (isl_size d = 0; input < 0 && d < inputs; d++) {
		isl_aff *copy = isl_aff_var_on_domain(isl_local_space_from_space(
			isl_multi_aff_get_domain_space(function)), isl_dim_set,
			(unsigned)d);

		if (isl_aff_plain_is_equal(result, copy) == isl_bool_true)
			input = d;
		isl_aff_free(copy);
	}
	isl_aff_free(result);
	return input;
}

int layout_relation_copied_input(layout_relation *function, unsigned k)
{
	int input = -1;

	bridge_enter(function->ctx);
	if (find_function(function))
		input = find_copied(function->forward, k);
	return bridge_leave(function->ctx, "find a dimension") ? input : -1;
}

/* Does the floor, of an affine expression or of other floors, read several inputs? */
static bool reads_several(isl_aff *floor)
{
	isl_size inputs = isl_aff_dim(floor, isl_dim_in), count = 0;

	for (isl_size i = 0; i < inputs; i++)
		count += isl_aff_involves_dims(floor, isl_dim_in, (unsigned)i, 1) ==
			isl_bool_true;
	return count > 1;
}

int64_t find_carry(isl_multi_aff *function)
{
	isl_size results = function ? isl_multi_aff_dim(function, isl_dim_out) : 0;
	int64_t by = 0;

	for (isl_size k = 0; !by && k < results; k++) {
		isl_aff *result = isl_multi_aff_get_at(function, k);
		isl_size floors = isl_aff_dim(result, isl_dim_div);

		for (isl_size i = 0; !by && i < floors; i++) {
			isl_aff *floor = isl_aff_get_div(result, i);
			isl_val *divisor = isl_aff_get_denominator_val(floor);

			if (reads_several(floor))
				by = isl_val_get_num_si(divisor);
			isl_val_free(divisor);
			isl_aff_free(floor);
		}
		isl_aff_free(result);
	}
	return by;
}

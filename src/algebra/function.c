/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/function.h"

/* What looking may cost. */
#define LOOK_OPERATIONS 2000ul

/* The last function of the pieces. */
static isl_stat take(isl_set *domain, isl_multi_aff *function, void *user)
{
	isl_multi_aff **found = user;

	isl_set_free(domain);
	isl_multi_aff_free(*found);
	*found = function;
	return isl_stat_ok;
}

bool find_function(layout_relation *relation)
{
	isl_multi_aff *function = NULL;
	isl_pw_multi_aff *pieces = NULL;

	if (relation->forward || !bridge_need_map(relation))
		return relation->forward;
	bridge_begin_attempt(relation->ctx, LOOK_OPERATIONS);
	if (isl_map_plain_is_single_valued(relation->map) == isl_bool_true)
		pieces = isl_pw_multi_aff_from_map(isl_map_copy(relation->map));
	if (pieces && isl_pw_multi_aff_n_piece(pieces) == 1)
		isl_pw_multi_aff_foreach_piece(pieces, take, &function);
	isl_pw_multi_aff_free(pieces);
	if (!bridge_end_attempt(relation->ctx))
		function = isl_multi_aff_free(function);
	relation->forward = function;
	return function;
}

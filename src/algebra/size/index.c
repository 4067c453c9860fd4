/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/size/index.h"
#include "algebra/size/affine.h"
#include "isl_bridge/ast.h"

struct index *size_index(layout_context *ctx, const struct size *size, unsigned count,
	const char *const *names, struct index *const *values)
{
	const struct ast_scope scope = { ctx, count, names, values };
	struct index *index;
	isl_aff *aff;
	isl_set *all;

	bridge_enter(ctx);
	aff = size_of_names(size);
	all = isl_set_universe(isl_aff_get_domain_space(aff));
	for (isl_size i = 0; i < isl_set_dim(all, isl_dim_param); i++)
		all = isl_set_lower_bound_si(all, isl_dim_param, (unsigned)i, 0);
	index = ast_index_from_aff(&scope, all, aff);
	isl_set_free(all);
	if (bridge_leave(ctx, "read an index") && layout_is_made(ctx, index))
		return index;
	index_free(index);
	return NULL;
}

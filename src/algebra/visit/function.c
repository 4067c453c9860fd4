/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/visit/function.h"
#include "algebra/visit/step.h"
#include "isl_bridge/objects.h"

#include <stdlib.h>
#include <string.h>

bool visit_function(layout_relation *relation, unsigned size_count, const char *const *names,
	struct index *const *sizes, struct index *const *inputs, struct index **out)
{
	unsigned rank = layout_relation_in_rank(relation);
	unsigned images = layout_relation_out_rank(relation);
	const struct ast_scope scope = { relation->ctx, size_count, names, sizes };
	char **own = step_names(relation->ctx, 's', rank);
	struct step step = { .names = (const char *const *)own, .values = inputs,
		.rank = rank };
	isl_set *contract;
	bool ok;

	memset(out, 0, images * sizeof(*out));
	if (!own)
		return false;
	bridge_enter(relation->ctx);
	step.domain = isl_map_domain(isl_map_copy(relation->map));
	step.pieces = isl_pw_multi_aff_from_map(isl_map_copy(relation->map));
	contract = isl_set_params(isl_set_copy(step.domain));
	ok = step.pieces && step_take(&step, &scope, contract, out, NULL);
	isl_set_free(step.domain);
	isl_set_free(contract);
	isl_pw_multi_aff_free(step.pieces);
	ok = bridge_leave(relation->ctx, "compute the images") && ok;
	step_names_free(own, rank);
	for (unsigned k = 0; !ok && k < images; k++) {
		index_free(out[k]);
		out[k] = NULL;
	}
	return ok;
}

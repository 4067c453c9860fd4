/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Transposes: result dimension j is dimension permutation[j]. */
#include "algebra/chain/chain.h"

#include <stdlib.h>

/*	load	source[permutation[j]] = result[j]
 *	store	result[j] = source[permutation[j]] */
static bool fold(layout_chain *chain)
{
	isl_space *to = chain_space(chain), *from = chain_before_space(chain);
	isl_ctx *isl = bridge_isl(chain->ctx);
	isl_aff_list *load = isl_aff_list_alloc(isl, (int)chain->rank);
	isl_aff_list *store = isl_aff_list_alloc(isl, (int)chain->rank);
	isl_multi_aff *function;

	for (unsigned j = 0; j < chain->rank; j++) {
		unsigned at = 0;

		while (chain->dims[at] != j)
			at++;
		load = isl_aff_list_add(load, aff_coordinate(to, at));
		store = isl_aff_list_add(store, aff_coordinate(from, chain->dims[j]));
	}
	function = aff_function(isl_space_copy(to), isl_space_copy(from), load);
	return chain_fold(chain, function, aff_function(from, to, store), NULL);
}

layout_chain *chain_transposed(layout_chain *chain, const unsigned *permutation)
{
	layout_chain *next = chain ? chain_begin(chain, CHAIN_TRANSPOSE, chain->rank) :
		NULL;
	bool good = false;

	if (!next)
		return NULL;
	next->dims = layout_alloc(next->ctx, next->rank, sizeof(*next->dims));
	good = next->dims;
	for (unsigned j = 0; good && j < next->rank; j++) {
		next->dims[j] = permutation[j];
		good = chain_keep_size(next, j, permutation[j]);
	}
	return chain_end(next, good && fold(next));
}

layout_chain *layout_chain_transpose(layout_chain *chain, unsigned rank,
	const int64_t *permutation)
{
	const struct chain_list list = { .numbers = permutation, .count = rank };
	unsigned dims[CHAIN_RANK];

	if (!chain)
		return NULL;
	if (!chain_check_rank(chain, rank, "a permutation") ||
	    !chain_check_dims(chain->ctx, rank, permutation, rank, "the permutation",
			dims)) {
		layout_chain_free(chain);
		return NULL;
	}
	return chain_written(chain_transposed(chain, dims), "transpose", &list, 1, NULL,
		NULL);
}

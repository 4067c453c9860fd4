/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks of the lists that operations of a chain are given. */
#include "algebra/chain/chain.h"

#include <inttypes.h>

bool chain_check_rank(layout_chain *chain, unsigned rank, const char *what)
{
	if (rank == chain->rank)
		return true;
	layout_fail(chain->ctx, LAYOUT_ERROR_SPACE, -1,
		"%s of rank %u, where the tensor has rank %u", what, rank, chain->rank);
	return false;
}

bool chain_check_dims(layout_context *ctx, unsigned count, const int64_t *dims,
	unsigned rank, const char *what, unsigned *checked)
{
	if (!layout_given(ctx, dims || !count, what))
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (dims[i] < 0 || dims[i] >= (int64_t)rank) {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
				"%s is %" PRId64 ", where there are dimensions below %u",
				what, dims[i], rank);
			return false;
		}
		for (unsigned k = 0; k < i; k++)
			if (dims[k] == dims[i]) {
				layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
					"%s is %" PRId64 " twice", what, dims[i]);
				return false;
			}
		checked[i] = (unsigned)dims[i];
	}
	return true;
}

bool chain_check_groups(layout_context *ctx, unsigned groups,
	const unsigned *group_sizes, unsigned rank)
{
	unsigned sum = 0;

	if (!layout_given(ctx, group_sizes || !groups, "reassociation group"))
		return false;
	if (rank > CHAIN_RANK) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a step of %u dimensions is beyond %d", rank, CHAIN_RANK);
		return false;
	}
	for (unsigned g = 0; g < groups; g++) {
		if (!group_sizes[g] || group_sizes[g] > rank - sum) {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
				"the reassociation's group %u has %u dimensions, where %u "
				"are left", g, group_sizes[g], rank - sum);
			return false;
		}
		sum += group_sizes[g];
	}
	if (groups && sum != rank)
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"the reassociation's groups have %u dimensions of %u", sum, rank);
	return !groups || sum == rank;
}

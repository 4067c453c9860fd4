/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/select.h"

#include <stdlib.h>

/* Which of "rank" coordinates "dims" names, each at most once. */
static bool *mark(layout_context *ctx, const unsigned *dims, unsigned count,
	unsigned rank)
{
	bool *named = layout_alloc(ctx, rank, sizeof(*named));

	for (unsigned i = 0; named && i < count; i++) {
		if (dims[i] < rank && !named[dims[i]]) {
			named[dims[i]] = true;
			continue;
		}
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, dims[i] < rank ?
			"coordinate %u is named twice" :
			"there is no coordinate %u in a tuple of %u", dims[i], rank);
		free(named);
		return NULL;
	}
	return named;
}

isl_multi_aff *select_coordinates(layout_context *ctx, isl_space *space,
	const unsigned *dims, unsigned count, select_kind kind)
{
	unsigned rank = space ? (unsigned)isl_space_dim(space, isl_dim_set) : 0, kept = 0;
	bool *named = space && layout_given(ctx, dims || !count, "list of coordinates") ?
		mark(ctx, dims, count, rank) : NULL;
	isl_multi_aff *identity, *result = NULL;
	isl_aff_list *list;

	if (named && kind == SELECT_PERMUTE && count != rank) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"a permutation of %u coordinates cannot have %u entries",
			rank, count);
		free(named);
		named = NULL;
	}
	if (!named) {
		isl_space_free(space);
		return NULL;
	}
	identity = isl_multi_aff_identity(isl_space_map_from_set(isl_space_copy(space)));
	list = isl_aff_list_alloc(bridge_isl(ctx), (int)rank);
	for (unsigned i = 0; i < rank; i++) {
		unsigned from = kind == SELECT_PERMUTE ? dims[i] : i;

		if (kind == SELECT_DROP && named[i])
			continue;
		list = isl_aff_list_add(list, isl_multi_aff_get_aff(identity, (int)from));
		kept++;
	}
	space = isl_space_add_dims(isl_space_from_domain(space), isl_dim_out, kept);
	result = isl_multi_aff_from_aff_list(space, list);
	isl_multi_aff_free(identity);
	free(named);
	return result;
}

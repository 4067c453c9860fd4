/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From one layout of a vector to another. */
#include "algebra/nested/nested.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>

static bool same_vector(layout_nested *a, layout_nested *b)
{
	if (a->rank != b->rank) {
		layout_fail(a->ctx, LAYOUT_ERROR_SPACE, -1,
			"layouts of rank %u and %u are of different vectors", a->rank,
			b->rank);
		return false;
	}
	for (unsigned d = 0; d < a->rank; d++) {
		int64_t x = layout_nested_size(a, d), y = layout_nested_size(b, d);

		if (x == y)
			continue;
		layout_fail(a->ctx, LAYOUT_ERROR_SPACE, -1,
			"the layouts are of different vectors: dimension %u is %" PRId64
			" and %" PRId64, d, x, y);
		return false;
	}
	return true;
}

/* All but the tiles of batch and outer. */
static bool same_threads(layout_nested *a, layout_nested *b)
{
	if (a->subgroup_size != b->subgroup_size ||
	    a->subgroup_count != b->subgroup_count)
		return false;
	for (unsigned list = 0; list < NESTED_LISTS; list++)
		for (unsigned d = 0; d < a->rank; d++)
			if (list != NESTED_BATCH && list != NESTED_OUTER &&
			    nested_list(a, list)[d] != nested_list(b, list)[d])
				return false;
	return true;
}

layout_answer layout_nested_needs_shared_memory(layout_nested *from, layout_nested *to)
{
	if (!from || !to || !bridge_contexts_meet(from->ctx, to->ctx) ||
	    !same_vector(from, to))
		return LAYOUT_UNKNOWN;
	return same_threads(from, to) ? LAYOUT_NO : LAYOUT_YES;
}

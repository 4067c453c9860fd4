/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A nested layout under an affine map: dimensions are copied, all else is a unit. */
#include "algebra/function.h"
#include "algebra/nested/nested.h"
#include "isl_bridge/objects.h"

#include <stdlib.h>

/* The dimensions that the map's results copy; NULL with the error on the context. */
static int *copied_dims(layout_context *ctx, layout_relation *map, unsigned results)
{
	int *dims = layout_alloc(ctx, results, sizeof(*dims));
	bool known;

	bridge_enter(ctx);
	known = bridge_need_map(map) && map->forward;
	for (unsigned k = 0; dims && known && k < results; k++)
		dims[k] = find_copied(map->forward, k);
	if (!bridge_leave(ctx, "apply an affine map")) {
		free(dims);
		return NULL;
	}
	if (known)
		return dims;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "not an affine map");
	free(dims);
	return NULL;
}

static bool ranks_meet(const layout_nested *nested, layout_relation *map)
{
	unsigned inputs = layout_relation_in_rank(map);

	if (inputs == nested->rank)
		return true;
	layout_fail(nested->ctx, LAYOUT_ERROR_SPACE, -1,
		"an affine map of %u dimensions for a layout of rank %u", inputs,
		nested->rank);
	return false;
}

layout_nested *layout_nested_apply_map(layout_nested *nested, layout_relation *map)
{
	int *dims = NULL;

	if (nested && map && bridge_contexts_meet(nested->ctx, map->ctx) &&
	    ranks_meet(nested, map))
		dims = copied_dims(nested->ctx, map, layout_relation_out_rank(map));
	if (dims) {
		nested = layout_nested_apply(nested, dims, layout_relation_out_rank(map));
	} else {
		layout_nested_free(nested);
		nested = NULL;
	}
	free(dims);
	layout_relation_free(map);
	return nested;
}

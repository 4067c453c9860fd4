/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The shapes under which a distributed vector is seen. */
#include "algebra/nested/nested.h"

static const unsigned all_levels[NESTED_LEVELS] = {
	NESTED_SUBGROUP, NESTED_BATCH, NESTED_OUTER, NESTED_THREAD, NESTED_ELEMENT,
};
static const unsigned held_levels[] = { NESTED_BATCH, NESTED_OUTER, NESTED_ELEMENT };

/* Which levels a shape has, and whether each stands by itself or all are multiplied
 * into one extent a dimension. */
static const struct {
	const unsigned *levels;
	unsigned count;
	bool packed;
} shapes[] = {
	[LAYOUT_NESTED_UNDISTRIBUTED] = { all_levels, NESTED_LEVELS, false },
	[LAYOUT_NESTED_UNDISTRIBUTED_PACKED] = { all_levels, NESTED_LEVELS, true },
	[LAYOUT_NESTED_DISTRIBUTED] = { held_levels, 3, true },
	[LAYOUT_NESTED_DISTRIBUTED_UNPACKED] = { held_levels, 3, false },
};

static int64_t extent(const layout_nested *nested, unsigned kind, unsigned i)
{
	int64_t product = 1;

	if (shapes[kind].packed)
		return nested->tile[shapes[kind].levels[i / nested->rank]]
			[i % nested->rank];
	for (unsigned k = 0; k < shapes[kind].count; k++)
		product *= nested->tile[shapes[kind].levels[k]][i];
	return product;
}

unsigned layout_nested_shape(layout_nested *nested, layout_nested_shape_kind kind,
	int64_t *shape, unsigned capacity)
{
	unsigned count;

	if (!nested)
		return 0;
	if ((unsigned)kind >= sizeof(shapes) / sizeof(*shapes)) {
		layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no shape %u of a nested layout", (unsigned)kind);
		return 0;
	}
	if (!layout_given(nested->ctx, shape || !capacity, "list for a shape"))
		return 0;
	count = nested->rank * (shapes[kind].packed ? shapes[kind].count : 1);
	for (unsigned i = 0; i < count && i < capacity; i++)
		shape[i] = extent(nested, (unsigned)kind, i);
	return count;
}

bool layout_nested_packed_dim(layout_nested *nested, unsigned dim, int64_t shape[5])
{
	if (!nested || !layout_given(nested->ctx, shape, "list for a shape"))
		return false;
	if (dim >= nested->rank) {
		layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1,
			"a layout of rank %u has no dimension %u", nested->rank, dim);
		return false;
	}
	for (unsigned level = 0; level < NESTED_LEVELS; level++)
		shape[level] = nested->tile[level][dim];
	return true;
}

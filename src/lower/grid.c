/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/grid.h"

int64_t grid_cap(unsigned axis, unsigned lanes)
{
	return axis ? PLAN_GROUPS : (INT64_C(1) << 31) / lanes;
}

int grid_axis(enum visit_level level)
{
	switch (level) {
	case VISIT_GRID_X:
		return 0;
	case VISIT_GRID_Y:
		return 1;
	case VISIT_GRID_Z:
		return 2;
	default:
		return -1;
	}
}

struct index *grid_extent(const struct plan *plan, unsigned axis)
{
	struct index *extent = index_int(1);

	for (unsigned i = 0; i < plan->visit.dim_count; i++)
		if (grid_axis(plan->visit.dims[i].level) == (int)axis)
			extent = index_binary(INDEX_MUL, extent,
				index_copy(plan->visit.dims[i].extent));
	return extent;
}

struct index *grid_size(const struct plan *plan, unsigned axis, unsigned lanes)
{
	return index_binary(INDEX_MIN, grid_extent(plan, axis),
		index_int(grid_cap(axis, lanes)));
}

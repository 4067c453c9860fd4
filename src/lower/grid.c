/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/grid.h"

/* The workgroups that are launched at most on axis y or z: what the runtimes of all families say,
 * of which some have chips with 16 bits for these numbers. */
enum { GROUPS = 65535 };

int64_t grid_cap(unsigned axis, unsigned lanes)
{
	return axis ? GROUPS : (INT64_C(1) << 31) / lanes;
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

/* Does an axis have more than is launched there?  A number where none ever has. */
static struct index *exceeds(const struct plan *plan, unsigned lanes)
{
	struct index *any = index_int(0);

	for (unsigned axis = 0; axis < 3; axis++)
		any = index_binary(INDEX_OR, any, index_binary(INDEX_GT,
			grid_extent(plan, axis), index_int(grid_cap(axis, lanes))));
	return any;
}

struct index *grid_folds(const struct plan *plan, unsigned lanes)
{
	return plan->tile ? exceeds(plan, lanes) : index_int(0);
}

/* The same, but not more than "most" and one where a product with the other could overflow. */
static struct index *some(struct index *count, const struct index *other, int64_t most)
{
	int64_t product;

	if (!count || !other || !__builtin_mul_overflow(count->max, other->max, &product))
		return count;
	return index_binary(INDEX_MIN, count, index_int(most + 1));
}

/* All tiles, or some number that is more than are launched on axis x. */
static struct index *grid_tiles(const struct plan *plan, unsigned lanes)
{
	int64_t most = grid_cap(0, lanes);
	struct index *tiles = index_int(1), *extent;

	for (unsigned i = 0; i < plan->visit.dim_count; i++) {
		if (grid_axis(plan->visit.dims[i].level) < 0)
			continue;
		extent = index_copy(plan->visit.dims[i].extent);
		tiles = some(tiles, extent, most);
		extent = some(extent, tiles, most);
		tiles = index_binary(INDEX_MUL, tiles, extent);
	}
	return tiles;
}

/* For the sizes that the tile is for. */
static struct index *size_of(const struct plan *plan, unsigned axis, unsigned lanes)
{
	if (!plan->tile || plan->tile->dim_count == 1)
		return index_binary(INDEX_MIN, grid_extent(plan, axis),
			index_int(grid_cap(axis, lanes)));
	return index_select(grid_folds(plan, lanes), axis ? index_int(1) : index_binary(
		INDEX_MIN, grid_tiles(plan, lanes), index_int(grid_cap(0, lanes))),
		grid_extent(plan, axis));
}

struct plan grid_points(const struct plan *plan)
{
	struct plan points = *plan;

	points.visit = plan->points;
	points.tile = NULL;
	points.whole = NULL;
	return points;
}

struct index *grid_size(const struct plan *plan, unsigned axis, unsigned lanes)
{
	struct plan points;

	if (!plan->whole)
		return size_of(plan, axis, lanes);
	points = grid_points(plan);
	return index_select(index_copy(plan->whole), size_of(plan, axis, lanes),
		size_of(&points, axis, lanes));
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/launch.h"

bool launch_grid(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes, int64_t grid[3])
{
	for (unsigned axis = 0; axis < 3; axis++)
		if (!sizes_eval(ctx, sizes, kernel->grid[axis], "the grid", &grid[axis]))
			return false;
	return true;
}

unsigned launch_lanes(const layout_kernel *kernel)
{
	return kernel->hooks->lanes ? kernel->hooks->lanes : 1;
}

bool layout_kernel_grid(layout_context *ctx, const layout_kernel *kernel,
	const layout_size *list, unsigned count, int64_t grid[3])
{
	struct sizes sizes;
	bool ok;

	if (!kernel || !sizes_take(ctx, kernel, list, count, &sizes))
		return false;
	ok = sizes_complete(ctx, kernel, &sizes) &&
		launch_grid(ctx, kernel, &sizes, grid);
	sizes_free(&sizes);
	return ok;
}

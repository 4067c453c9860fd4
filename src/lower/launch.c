/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/launch.h"

bool launch_bytes(layout_context *ctx, const struct sizes *sizes,
	const struct visit_access *access, const char *name, int64_t *bytes)
{
	int64_t elements, part;

	if (!sizes_eval(ctx, sizes, access->elements, name, &elements))
		return false;
	part = (elements % 8 * access->bits + 7) / 8;
	if (!__builtin_mul_overflow(elements / 8, (int64_t)access->bits, bytes) &&
	    !__builtin_add_overflow(*bytes, part, bytes))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "%s overflows 64 bits", name);
	return false;
}

bool launch_grid(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes, int64_t grid[3])
{
	int64_t bytes;

	if (!launch_bytes(ctx, sizes, &kernel->plan->visit.load, "the source", &bytes) ||
	    !launch_bytes(ctx, sizes, &kernel->plan->visit.store, "the destination", &bytes))
		return false;
	for (unsigned axis = 0; axis < 3; axis++)
		if (!sizes_eval(ctx, sizes, kernel->grid[axis], "the grid", &grid[axis]))
			return false;
	return true;
}

bool layout_kernel_grid(layout_context *ctx, const layout_kernel *kernel,
	const layout_size *list, unsigned count, int64_t grid[3])
{
	struct sizes sizes;
	bool ok;

	if (!kernel || !layout_given(ctx, grid, "place for the grid") ||
	    !sizes_take(ctx, kernel, list, count, &sizes))
		return false;
	ok = sizes_complete(ctx, kernel, &sizes) &&
		launch_grid(ctx, kernel, &sizes, grid);
	sizes_free(&sizes);
	return ok;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/launch.h"

#include <stdio.h>

bool launch_bytes(layout_context *ctx, const struct sizes *sizes,
	const struct plan_operand *operand, int64_t *bytes)
{
	int64_t elements, part;
	char what[64];

	snprintf(what, sizeof(what), "the %s", operand->name);
	if (!sizes_eval(ctx, sizes, operand->elements, what, &elements))
		return false;
	part = (elements % 8 * operand->bits + 7) / 8;
	if (!__builtin_mul_overflow(elements / 8, (int64_t)operand->bits, bytes) &&
	    !__builtin_add_overflow(*bytes, part, bytes))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "%s overflows 64 bits", what);
	return false;
}

bool launch_grid(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes, int64_t grid[3])
{
	const struct plan *plan = kernel->plan;
	int64_t bytes;

	for (unsigned i = 0; i < plan->operand_count; i++)
		if (!launch_bytes(ctx, sizes, &plan->operands[i], &bytes))
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

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/launch.h"

#include <stdio.h>
#include <string.h>

bool launch_operand_bytes(const int64_t *sizes, const struct plan_operand *operand,
	int64_t *bytes)
{
	int64_t elements, part;

	if (!index_eval(operand->elements, sizes, &elements))
		return false;
	part = (elements % 8 * operand->bits + 7) / 8;
	return !__builtin_mul_overflow(elements / 8, (int64_t)operand->bits, bytes) &&
		!__builtin_add_overflow(*bytes, part, bytes);
}

bool launch_bytes(layout_context *ctx, const struct sizes *sizes,
	const struct plan_operand *operand, int64_t *bytes)
{
	if (launch_operand_bytes(sizes->values, operand, bytes))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "the %s overflows 64 bits",
		operand->name);
	return false;
}

bool launch_is_apart(const struct kernel_buffer *a, int64_t a_bytes,
	const struct kernel_buffer *b, int64_t b_bytes)
{
	uintptr_t first = (uintptr_t)a->base, second = (uintptr_t)b->base;

	return first <= second ? second - first >= (uint64_t)a_bytes || !b_bytes :
		first - second >= (uint64_t)b_bytes || !a_bytes;
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

/* Beyond all others where it overflows. */
static int64_t cost_of(const layout_kernel *shape, const struct sizes *sizes)
{
	int64_t cost;

	return index_eval(shape->plan->cost, sizes->values, &cost) ? cost : INT64_MAX;
}

static bool costs_are_determined(const layout_kernel *kernel, const struct sizes *sizes)
{
	for (unsigned i = 0; i < kernel->shape_count; i++)
		if (!sizes_determine(sizes, kernel->shapes[i]->plan->cost))
			return false;
	return true;
}

const layout_kernel *launch_shape(const layout_kernel *kernel, const struct sizes *sizes)
{
	const layout_kernel *best = kernel;
	int64_t least;

	if (kernel->shape_count == 1 || !costs_are_determined(kernel, sizes))
		return kernel;
	least = cost_of(kernel, sizes);
	for (unsigned i = 1; i < kernel->shape_count; i++) {
		int64_t cost = cost_of(kernel->shapes[i], sizes);

		if (cost < least) {
			least = cost;
			best = kernel->shapes[i];
		}
	}
	return best;
}

/* What a launch takes, for all sizes. */
static bool find_launch(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes, layout_launch *launch)
{
	const layout_kernel *shape = launch_shape(kernel, sizes);

	launch->kernel = shape->name;
	for (unsigned axis = 0; axis < 3; axis++)
		launch->workgroup_size[axis] = axis ? 1 : shape->lanes;
	return launch_grid(ctx, shape, sizes, launch->grid);
}

bool layout_kernel_launch(layout_context *ctx, const layout_kernel *kernel,
	const layout_size *list, unsigned count, layout_launch *given)
{
	layout_launch launch = LAYOUT_LAUNCH_INIT;
	struct sizes sizes;
	bool ok;

	if (!kernel || !layout_given(ctx, given, "place for the launch") ||
	    !layout_given(ctx, given->size >= sizeof(launch), "size in the launch") ||
	    !sizes_take(ctx, kernel, list, count, &sizes))
		return false;
	ok = sizes_complete(ctx, kernel, &sizes) &&
		find_launch(ctx, kernel, &sizes, &launch);
	sizes_free(&sizes);
	if (!ok)
		return false;
	*given = launch;
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

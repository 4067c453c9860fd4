/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/launch.h"

#include <inttypes.h>
#include <string.h>

/* A buffer holds its storage whole.  It may be NULL only where that is 0 bytes. */
static bool check_buffer(layout_context *ctx, const struct sizes *sizes,
	const struct plan_operand *operand, const struct kernel_buffer *buffer)
{
	int64_t need;

	if (!launch_bytes(ctx, sizes, operand, &need))
		return false;
	if ((uint64_t)need > buffer->bytes) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the %s needs %" PRId64
			" bytes, its buffer has %zu", operand->name, need, buffer->bytes);
		return false;
	}
	if (need && !buffer->base) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the %s has no buffer",
			operand->name);
		return false;
	}
	return true;
}

static bool run_sizes(layout_context *ctx, const layout_kernel *kernel,
	struct kernel_run *run, const struct sizes *sizes)
{
	const struct plan *plan = kernel->plan;

	if (!sizes_complete(ctx, kernel, sizes))
		return false;
	for (unsigned i = 0; i < plan->operand_count; i++)
		if (!check_buffer(ctx, sizes, &plan->operands[i], &run->buffers[i]))
			return false;
	run->sizes = sizes->values;
	return launch_grid(ctx, kernel, sizes, run->grid) &&
		kernel->hooks->run(ctx, kernel, run);
}

/* What the caller has for a relayout's operands. */
static bool run_relayout(layout_context *ctx, const layout_kernel *kernel,
	const layout_run *given, const struct sizes *sizes)
{
	const struct kernel_buffer buffers[PLAN_OPERANDS] = {
		[PLAN_SOURCE] = { (void *)(uintptr_t)given->source, given->source_bytes },
		[PLAN_DESTINATION] = { given->destination, given->destination_bytes },
	};
	struct kernel_run run = { .buffers = buffers,
		.first_workgroup = given->first_workgroup,
		.workgroup_count = given->workgroup_count, .stats = given->stats };

	return run_sizes(ctx, kernel, &run, sizes);
}

bool layout_kernel_run(layout_context *ctx, layout_kernel *kernel,
	const layout_run *given)
{
	layout_run run = LAYOUT_RUN_INIT;
	struct sizes sizes;
	bool ok;

	if (!kernel || !layout_given(ctx, given, "memory for a run"))
		return false;
	memcpy(&run, given, given->size < sizeof(run) ? given->size : sizeof(run));
	if (!sizes_take(ctx, kernel, run.sizes, run.size_count, &sizes))
		return false;
	ok = run_relayout(ctx, kernel, &run, &sizes);
	sizes_free(&sizes);
	return ok;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/launch.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
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

/* What is written overlaps with nothing. */
static bool check_apart(layout_context *ctx, const struct sizes *sizes,
	const struct plan *plan, const struct kernel_run *run, unsigned written)
{
	const struct plan_operand *operands = plan->operands;
	int64_t mine, other;

	if (!launch_bytes(ctx, sizes, &operands[written], &mine))
		return false;
	for (unsigned i = 0; i < plan->operand_count; i++) {
		if (i == written)
			continue;
		if (!launch_bytes(ctx, sizes, &operands[i], &other))
			return false;
		if (!launch_is_apart(&run->buffers[written], mine, &run->buffers[i], other)) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"the buffers of %s and %s overlap",
				operands[written].name, operands[i].name);
			return false;
		}
	}
	return true;
}

/* The shape of that name, or the one that is best for the sizes.  NULL with the error on the
 * context. */
static const layout_kernel *find_shape(layout_context *ctx, const layout_kernel *kernel,
	const char *name, const struct sizes *sizes)
{
	if (!name)
		return launch_shape(kernel, sizes);
	for (unsigned i = 0; i < kernel->shape_count; i++)
		if (!strcmp(kernel->shapes[i]->name, name))
			return kernel->shapes[i];
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the kernel %s has no shape '%s'",
		kernel->name, name);
	return NULL;
}

static bool run_sizes(layout_context *ctx, const layout_kernel *kernel,
	struct kernel_run *run, const struct sizes *sizes)
{
	const struct plan *plan = kernel->plan;

	for (unsigned i = 0; i < plan->operand_count; i++)
		if (!check_buffer(ctx, sizes, &plan->operands[i], &run->buffers[i]))
			return false;
	for (unsigned i = 0; i < plan->operand_count; i++)
		if (plan->operands[i].written &&
		    !check_apart(ctx, sizes, plan, run, i))
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
		.workgroup_count = given->workgroup_count, .stats = given->stats,
		.progress = given->progress, .progress_user = given->progress_user };

	return run_sizes(ctx, kernel, &run, sizes);
}

/* The buffer of that name; none has one is an empty one. */
static struct kernel_buffer find_buffer(const layout_run *given, const char *name)
{
	for (unsigned i = 0; i < given->buffer_count; i++)
		if (given->buffers[i].name && !strcmp(given->buffers[i].name, name))
			return (struct kernel_buffer){ given->buffers[i].base,
				given->buffers[i].bytes };
	return (struct kernel_buffer){ NULL, 0 };
}

/* What the caller has for a program's arguments. */
static bool run_program(layout_context *ctx, const layout_kernel *kernel,
	const layout_run *given, const struct sizes *sizes)
{
	unsigned count = kernel->plan->operand_count;
	struct kernel_buffer *buffers = layout_alloc(ctx, count, sizeof(*buffers));
	struct kernel_run run = { .buffers = buffers,
		.first_workgroup = given->first_workgroup,
		.workgroup_count = given->workgroup_count, .stats = given->stats };
	bool ok;

	for (unsigned i = 0; buffers && i < count; i++)
		buffers[i] = find_buffer(given, kernel->plan->operands[i].name);
	ok = buffers && run_sizes(ctx, kernel, &run, sizes);
	free(buffers);
	return ok;
}

bool layout_kernel_run(layout_context *ctx, layout_kernel *kernel,
	const layout_run *given)
{
	layout_run run = LAYOUT_RUN_INIT;
	const layout_kernel *shape;
	struct sizes sizes;
	bool ok;

	if (!kernel || !layout_given(ctx, given, "memory for a run"))
		return false;
	memcpy(&run, given, given->size < sizeof(run) ? given->size : sizeof(run));
	if (!layout_given(ctx, run.buffers || !run.buffer_count, "list of buffers") ||
	    !sizes_take(ctx, kernel, run.sizes, run.size_count, &sizes))
		return false;
	shape = sizes_complete(ctx, kernel, &sizes) ?
		find_shape(ctx, kernel, run.kernel, &sizes) : NULL;
	ok = shape && (kernel->plan->program ? run_program : run_relayout)(ctx, shape, &run,
		&sizes);
	sizes_free(&sizes);
	return ok;
}

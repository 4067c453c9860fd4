/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a kernel: its optimised IR in the simulator. */
#include "lower/kernel.h"
#include "sim/sim.h"

#include <stdlib.h>

static void free_program(void *program)
{
	sim_free(program);
}

/* The kernel's simulator, made if this is its first run. */
static struct sim *find_simulator(layout_context *ctx, const layout_kernel *kernel,
	const struct sim_isa *isa)
{
	struct kernel_code *code = kernel->code;
	struct sim *sim;

	if (!kernel_lock(ctx, kernel))
		return NULL;
	if (!code->programs[kernel->shape]) {
		code->programs[kernel->shape] = sim_new(ctx, code->module, kernel->name,
			isa);
		code->program_free = free_program;
	}
	sim = code->programs[kernel->shape];
	kernel_unlock(kernel);
	return sim;
}

bool sim_run_kernel(layout_context *ctx, const layout_kernel *kernel,
	const struct sim_isa *isa, const struct kernel_run *run)
{
	struct sim *sim = find_simulator(ctx, kernel, isa);
	const struct plan *plan = kernel->plan;
	struct sim_buffer *buffers = layout_alloc(ctx, plan->operand_count,
		sizeof(*buffers));
	const struct sim_launch launch = {
		.grid = { run->grid[0], run->grid[1], run->grid[2] },
		.workgroup_size = { kernel->lanes, 1, 1 },
		.buffer_count = plan->operand_count,
		.buffers = buffers,
		.arg_count = plan->size_count,
		.args = run->sizes,
		.first = run->first_workgroup,
		.count = run->workgroup_count,
		.target = kernel->target,
	};

	bool ok;

	for (unsigned i = 0; buffers && i < plan->operand_count; i++)
		buffers[i] = (struct sim_buffer){ plan->operands[i].name,
			run->buffers[i].base, run->buffers[i].bytes,
			plan->operands[i].written, kernel->base_align,
			plan->operands[i].read,
			plan->tile && plan_tile_overlaps(plan->tile) };
	ok = sim && buffers && sim_run(ctx, sim, &launch, run->stats);
	free(buffers);
	return ok;
}

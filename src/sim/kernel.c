/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a kernel: its optimised IR in the simulator. */
#include "lower/kernel.h"
#include "sim/sim.h"

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
	if (!code->program) {
		code->program = sim_new(ctx, code->module, kernel->name, isa);
		code->program_free = free_program;
	}
	sim = code->program;
	kernel_unlock(kernel);
	return sim;
}

bool sim_run_kernel(layout_context *ctx, const layout_kernel *kernel,
	const struct sim_isa *isa, const layout_run *run, const int64_t *sizes,
	const int64_t grid[3])
{
	struct sim *sim = find_simulator(ctx, kernel, isa);
	const struct sim_buffer buffers[] = {
		{ "source", (void *)(uintptr_t)run->source, run->source_bytes, false,
			kernel->base_align },
		{ "destination", run->destination, run->destination_bytes, true,
			kernel->base_align },
	};
	const struct sim_launch launch = {
		.grid = { grid[0], grid[1], grid[2] },
		.workgroup_size = { kernel->lanes, 1, 1 },
		.buffer_count = 2,
		.buffers = buffers,
		.arg_count = kernel->plan->size_count,
		.args = sizes,
		.first = run->first_workgroup,
		.count = run->workgroup_count,
		.target = kernel->target,
	};

	return sim && sim_run(ctx, sim, &launch, run->stats);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Making a simulator: rewrite a copy of the kernel, optimise it, compile it. */
#include "lower/jit.h"
#include "lower/optimize.h"
#include "sim/program.h"

#include <stdlib.h>

struct source {
	const char *kernel;
	const struct sim_isa *isa;
	struct sim_program *program;
};

/* From the copy of the kernel's module to that of a lane.  It mostly waits for what it
 * calls, and many a kernel runs once: LLVM's optimisers would take longer than the run. */
static bool prepare(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine, void *user)
{
	const struct source *source = user;
	LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
	char *triple = LLVMGetTargetMachineTriple(machine);
	bool ok = sim_rewrite(ctx, module, data, triple, source->kernel, source->isa,
		source->program) && optimize_lane(ctx, module, machine);

	LLVMDisposeMessage(triple);
	LLVMDisposeTargetData(data);
	return ok;
}

void sim_free(struct sim *sim)
{
	if (!sim)
		return;
	jit_free(sim->jit);
	free(sim->program.kernel);
	free(sim->program.sites);
	free(sim);
}

struct sim *sim_new(layout_context *ctx, LLVMModuleRef module, const char *kernel,
	const struct sim_isa *isa)
{
	static const struct jit_symbol symbols[] = {
		{ SIM_ACCESS_SYMBOL, (void (*)(void))sim_access },
		{ SIM_OPERATE_SYMBOL, (void (*)(void))sim_operate },
		{ 0 },
	};
	struct sim *sim = layout_alloc(ctx, 1, sizeof(*sim));
	struct source source = { kernel, isa, sim ? &sim->program : NULL };
	LLVMMemoryBufferRef object = NULL;

	if (sim)
		object = jit_compile(ctx, lower_host_machine(ctx, LLVMCodeGenLevelNone),
			module, prepare, &source);
	if (object) {
		sim->jit = jit_new(ctx, object, symbols);
		LLVMDisposeMemoryBuffer(object);
	}
	if (sim && sim->jit)
		sim->lane = (sim_lane)jit_lookup(ctx, sim->jit, SIM_LANE_SYMBOL);
	if (sim && sim->lane)
		return sim;
	sim_free(sim);
	return NULL;
}

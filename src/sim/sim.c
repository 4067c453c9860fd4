/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Making a simulator: rewrite a copy of the kernel, optimise it, compile it. */
#include "lower/jit.h"
#include "lower/optimize.h"
#include "sim/program.h"

#include <stdlib.h>

/* From the copy of the kernel's module to "sim->lane".  A lane mostly waits for what it
 * calls, and many a kernel runs once: LLVM's optimisers would take longer than the run. */
static bool compile(layout_context *ctx, struct sim *sim, LLVMModuleRef module,
	const char *kernel, const struct sim_isa *isa)
{
	static const struct jit_symbol symbols[] = {
		{ SIM_ACCESS_SYMBOL, (void (*)(void))sim_access },
		{ SIM_OPERATE_SYMBOL, (void (*)(void))sim_operate },
		{ 0 },
	};
	LLVMTargetMachineRef machine = lower_host_machine(ctx, LLVMCodeGenLevelNone);
	LLVMTargetDataRef data;
	char *triple;
	bool ok;

	if (!machine)
		return false;
	data = LLVMCreateTargetDataLayout(machine);
	triple = LLVMGetTargetMachineTriple(machine);
	ok = sim_rewrite(ctx, module, data, triple, kernel, isa, &sim->program) &&
		optimize_lane(ctx, module, machine);
	LLVMDisposeMessage(triple);
	LLVMDisposeTargetData(data);
	if (ok)
		sim->jit = jit_new(ctx, machine, module, symbols);
	else
		LLVMDisposeTargetMachine(machine);
	if (sim->jit)
		sim->lane = (sim_lane)jit_lookup(ctx, sim->jit, SIM_LANE_SYMBOL);
	return sim->lane;
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
	struct sim *sim = layout_alloc(ctx, 1, sizeof(*sim));
	struct lower_diagnostic diagnostic = { 0 };
	LLVMContextRef own = lower_context_new(&diagnostic);
	LLVMModuleRef copy = sim ? lower_copy_module(ctx, module, own) : NULL;
	bool ok = copy && compile(ctx, sim, copy, kernel, isa);

	if (copy)
		LLVMDisposeModule(copy);
	LLVMContextDispose(own);
	free(diagnostic.message);
	if (ok)
		return sim;
	sim_free(sim);
	return NULL;
}

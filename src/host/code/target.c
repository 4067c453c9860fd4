/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host as a target: serial loops for the CPU we run on. */
#include "host/code/host.h"

static LLVMTargetMachineRef host_machine(layout_context *ctx, const layout_target *row)
{
	(void)row;
	return lower_host_machine(ctx, LLVMCodeGenLevelDefault);
}

/* A C function that does not unwind needs no more than lowering says; the processor
 * and its features let LLVM's passes see them too. */
static void host_prologue(const layout_kernel *kernel, LLVMValueRef function)
{
	char *cpu = LLVMGetTargetMachineCPU(kernel->code->machine);
	char *features = LLVMGetTargetMachineFeatureString(kernel->code->machine);

	LLVMAddTargetDependentFunctionAttr(function, "target-cpu", cpu);
	LLVMAddTargetDependentFunctionAttr(function, "target-features", features);
	LLVMDisposeMessage(features);
	LLVMDisposeMessage(cpu);
}

const struct target_hooks host_target = {
	.family = "host",
	.machine = host_machine,
	.prologue = host_prologue,
	.run = host_run,
};

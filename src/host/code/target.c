/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host as a target: serial loops for the CPU we run on. */
#include "host/code/host.h"

#include <unistd.h>

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

/* Wider ones only where they also hold bytes. */
static unsigned host_vector_bytes(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx512bw"))
		return 64;
	if (__builtin_cpu_supports("avx2"))
		return 32;
#endif
	return 16;
}

static int64_t host_cache_bytes(void)
{
	long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);

	if (bytes <= 0)
		bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
	return bytes > 0 ? bytes : 8 << 20;
}

const struct target_hooks host_target = {
	.family = "host",
	.machine = host_machine,
	.prologue = host_prologue,
	.vector_bytes = host_vector_bytes,
	.cache_bytes = host_cache_bytes,
	.run = host_run,
};

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host as a target: serial loops for the CPU we run on. */
#include "host/code/cpu.h"
#include "host/code/host.h"
#include "lower/number.h"

#include <string.h>
#include <unistd.h>

static LLVMTargetMachineRef host_machine(layout_context *ctx, const layout_target *row,
	const struct plan *plan, LLVMCodeGenOptLevel level)
{
	(void)row, (void)plan;
	return lower_host_machine(ctx, level);
}

/* A C function that does not unwind needs no more than lowering says; the processor
 * and its features let LLVM's passes see them too. */
static void host_prologue(const layout_kernel *kernel, LLVMValueRef function)
{
	char *cpu = LLVMGetTargetMachineCPU(kernel->code->machine);
	char *features = LLVMGetTargetMachineFeatureString(kernel->code->machine);

	LLVMAddTargetDependentFunctionAttr(function, "target-cpu", cpu);
	LLVMAddTargetDependentFunctionAttr(function, "target-features", features);
	if (cpu_scales(kernel->cpu))
		LLVMAddTargetDependentFunctionAttr(function, NUMBER_SCALES, "");
	LLVMDisposeMessage(features);
	LLVMDisposeMessage(cpu);
}

/* Of a core whose system does not say. */
enum { ASSUMED_FIRST = 32 << 10, ASSUMED_SECOND = 512 << 10 };

/* The last cache is shared, and virtual machines are told that of all processors: what one
 * can count on is taken as a multiple of the cache that is its own. */
static int64_t host_cache_bytes(unsigned level)
{
	long first = sysconf(_SC_LEVEL1_DCACHE_SIZE), own = sysconf(_SC_LEVEL2_CACHE_SIZE);
	long last = sysconf(_SC_LEVEL3_CACHE_SIZE);
	long share = own > 0 ? 16 * own : 8 << 20;

	if (level == 1)
		return first > 0 ? first : ASSUMED_FIRST;
	if (level == 2)
		return own > 0 ? own : ASSUMED_SECOND;
	return last > 0 && last < share ? last : share;
}

/* A register, of which LLVM does not know where it is from; what no register holds is as it
 * was. */
static LLVMValueRef host_pin(LLVMBuilderRef builder, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value), function = LLVMFunctionType(type, &type, 1, false);
	LLVMValueRef assembly;

	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
	    LLVMGetIntTypeWidth(type) > 8 * sizeof(void *))
		return value;
	assembly = LLVMGetInlineAsm(function, "", 0, "=r,0", strlen("=r,0"), false, false,
		LLVMInlineAsmDialectATT, false);
	return LLVMBuildCall2(builder, function, assembly, &value, 1, "");
}

const struct target_hooks host_target = {
	.family = "host",
	.machine = host_machine,
	.prologue = host_prologue,
	.pin = host_pin,
	.cpu_machine = lower_cpu_machine,
	.check_cpu = cpu_check,
	.vector_bytes = cpu_vector_bytes,
	.vector_count = cpu_vector_count,
	.cache_bytes = host_cache_bytes,
	.run = host_run,
};

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How kernels for the chip are lowered, and what its instructions do: to LLVM it is this
 * CPU, with intrinsics that no such CPU has. */
#include "family/toy.h"
#include "lower/kernel.h"
#include "sim/sim.h"

#include <string.h>

#define GLOBAL_SPACE 11
#define LOCAL_SPACE 12

static LLVMTargetMachineRef machine(layout_context *ctx, const layout_target *row,
	const struct plan *plan, LLVMCodeGenOptLevel level)
{
	(void)row, (void)plan;
	return lower_host_machine(ctx, level);
}

static void prologue(const layout_kernel *kernel, LLVMValueRef function)
{
	(void)kernel;
	LLVMSetVisibility(function, LLVMProtectedVisibility);
}

static LLVMValueRef call(LLVMBuilderRef builder, const char *intrinsic,
	LLVMValueRef *args, unsigned count)
{
	LLVMBasicBlockRef block = LLVMGetInsertBlock(builder);
	LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
	LLVMValueRef function = LLVMGetIntrinsicDeclaration(module,
		LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic)), NULL, 0);

	return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, args,
		count, "");
}

static LLVMValueRef group_id(LLVMBuilderRef builder, unsigned axis)
{
	static const char *const ids[] = { "llvm.nvvm.read.ptx.sreg.ctaid.x",
		"llvm.nvvm.read.ptx.sreg.ctaid.y", "llvm.nvvm.read.ptx.sreg.ctaid.z" };

	return call(builder, ids[axis], NULL, 0);
}

static LLVMValueRef lane_id(LLVMBuilderRef builder)
{
	return call(builder, "llvm.nvvm.read.ptx.sreg.tid.x", NULL, 0);
}

static void exchange(LLVMBuilderRef builder, LLVMValueRef pair[2])
{
	LLVMValueRef kept = pair[0];

	(void)builder;
	pair[0] = pair[1];
	pair[1] = kept;
}

/* Shifts and masks do for it. */
static LLVMValueRef permute_bytes(LLVMBuilderRef builder, LLVMValueRef high,
	LLVMValueRef low, const unsigned bytes[4])
{
	LLVMTypeRef i32 = LLVMTypeOf(low);
	LLVMValueRef all = LLVMConstInt(i32, 0, false), byte;

	for (unsigned b = 0; b < 4; b++) {
		if (bytes[b] == TARGET_NO_BYTE)
			continue;
		byte = LLVMBuildLShr(builder, bytes[b] < 4 ? low : high,
			LLVMConstInt(i32, bytes[b] % 4 * 8, false), "");
		byte = LLVMBuildAnd(builder, byte, LLVMConstInt(i32, 0xff, false), "");
		all = LLVMBuildOr(builder, all, LLVMBuildShl(builder, byte,
			LLVMConstInt(i32, 8 * b, false), ""), "");
	}
	return all;
}

static LLVMValueRef leave(LLVMBuilderRef builder, LLVMValueRef value)
{
	(void)builder;
	return value;
}

static void fence(LLVMBuilderRef builder)
{
	call(builder, "llvm.nvvm.membar.cta", NULL, 0);
}

static void barrier(LLVMBuilderRef builder)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef zero = LLVMConstInt(i32, 0, false);

	call(builder, "llvm.nvvm.barrier.cta.sync.aligned.all", &zero, 1);
}

static const struct sim_intrinsic intrinsics[] = {
	{ "llvm.nvvm.read.ptx.sreg.tid.x", SIM_WORKITEM_ID_X },
	{ "llvm.nvvm.read.ptx.sreg.ctaid.x", SIM_WORKGROUP_ID_X },
	{ "llvm.nvvm.read.ptx.sreg.ctaid.y", SIM_WORKGROUP_ID_Y },
	{ "llvm.nvvm.read.ptx.sreg.ctaid.z", SIM_WORKGROUP_ID_Z },
	{ "llvm.nvvm.membar.cta", SIM_NOTHING },
	{ "llvm.nvvm.barrier.cta.sync.aligned.all", SIM_BARRIER },
	{ 0 },
};
static const struct sim_isa isa = { "llvm.nvvm.", intrinsics, 1 << GLOBAL_SPACE,
	LOCAL_SPACE };

static bool run(layout_context *ctx, const layout_kernel *kernel,
	const struct kernel_run *on)
{
	return sim_run_kernel(ctx, kernel, &isa, on);
}

const struct target_hooks toy_target = {
	.family = "toy",
	.address_space = GLOBAL_SPACE,
	.machine = machine,
	.prologue = prologue,
	.group_id = group_id,
	.lane_id = lane_id,
	.exchange = exchange,
	.permute_bytes = permute_bytes,
	.pin = leave,
	.await = leave,
	.fence = fence,
	.barrier = barrier,
	.local_space = LOCAL_SPACE,
	.run = run,
};

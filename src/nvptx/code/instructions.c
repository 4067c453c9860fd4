/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The instructions that kernels contain, as intrinsics and inline assembly. */
#include "nvptx/code/nvptx.h"

#include <string.h>

#define GLOBAL_ADDRESS_SPACE 1
#define ALL_LANES UINT32_MAX
#define WHOLE_WAVE 31		/* of a shuffle: among all of its lanes */

static LLVMValueRef constant(LLVMBuilderRef builder, uint64_t value)
{
	return LLVMConstInt(lower_int_type(builder, 32), value, false);
}

static LLVMValueRef call(LLVMBuilderRef builder, const char *intrinsic,
	LLVMValueRef *args, unsigned count, const char *name)
{
	LLVMValueRef value = lower_intrinsic(builder, intrinsic, NULL, 0, args, count);

	LLVMSetValueName2(value, name, strlen(name));
	return value;
}

static LLVMValueRef nvptx_group_id(LLVMBuilderRef builder, unsigned axis)
{
	static const char *const ids[] = { "llvm.nvvm.read.ptx.sreg.ctaid.x",
		"llvm.nvvm.read.ptx.sreg.ctaid.y", "llvm.nvvm.read.ptx.sreg.ctaid.z" };

	return call(builder, ids[axis], NULL, 0, "workgroup");
}

static LLVMValueRef nvptx_lane_id(LLVMBuilderRef builder)
{
	return call(builder, "llvm.nvvm.read.ptx.sreg.tid.x", NULL, 0, "lane");
}

/* Registers have no place that a value would have to leave. */
static void nvptx_exchange(LLVMBuilderRef builder, LLVMValueRef pair[2])
{
	LLVMValueRef first = pair[0];

	(void)builder;
	pair[0] = pair[1];
	pair[1] = first;
}

/* No selector gives a byte of 0: such bytes are masked. */
static LLVMValueRef nvptx_permute_bytes(LLVMBuilderRef builder, LLVMValueRef high,
	LLVMValueRef low, const unsigned bytes[4])
{
	LLVMValueRef args[] = { low, high, NULL }, value;
	uint32_t selector = 0, mask = 0;

	for (unsigned b = 0; b < 4; b++) {
		if (bytes[b] == TARGET_NO_BYTE)
			continue;
		selector |= bytes[b] << 4 * b;
		mask |= UINT32_C(0xff) << 8 * b;
	}
	args[2] = constant(builder, selector);
	value = call(builder, "llvm.nvvm.prmt", args, 3, "bytes");
	return mask == UINT32_MAX ? value :
		LLVMBuildAnd(builder, value, constant(builder, mask), "bytes");
}

static LLVMValueRef nvptx_dot2(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef a, LLVMValueRef b, LLVMValueRef sum)
{
	(void)builder, (void)row, (void)a, (void)b, (void)sum;
	return NULL;
}

/* The same value, of which LLVM does not know where it is from. */
static LLVMValueRef hide(LLVMBuilderRef builder, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value), function;
	bool wide = LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
		LLVMGetIntTypeWidth(type) > 32;
	const char *constraints = wide ? "=l,0" : "=r,0";
	LLVMValueRef assembly;

	function = LLVMFunctionType(type, &type, 1, false);
	assembly = LLVMGetInlineAsm(function, "", 0, constraints, strlen(constraints), false,
		false, LLVMInlineAsmDialectATT, false);
	return LLVMBuildCall2(builder, function, assembly, &value, 1, "");
}

/* Registers are of lanes alone. */
static LLVMValueRef nvptx_uniform(LLVMBuilderRef builder, LLVMValueRef value)
{
	(void)builder;
	return value;
}

/* Scoreboards wait for what is used. */
static LLVMValueRef nvptx_await(LLVMBuilderRef builder, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
		LLVMGetIntTypeWidth(type) == 32 ? hide(builder, value) : value;
}

/* The order of instructions is the assembler's. */
static void nvptx_fence(LLVMBuilderRef builder)
{
	(void)builder;
}

static LLVMValueRef shuffle(LLVMBuilderRef builder, const char *intrinsic,
	LLVMValueRef value, LLVMValueRef which)
{
	LLVMValueRef args[] = { constant(builder, ALL_LANES), value, which,
		constant(builder, WHOLE_WAVE) };

	return call(builder, intrinsic, args, 4, "moved");
}

static LLVMValueRef nvptx_lane_xor(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef value, LLVMValueRef lane, unsigned x)
{
	(void)row, (void)lane;
	return shuffle(builder, "llvm.nvvm.shfl.sync.bfly.i32", value,
		constant(builder, x));
}

static LLVMValueRef nvptx_lane_read(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef value, LLVMValueRef lane, LLVMValueRef from)
{
	(void)row, (void)lane;
	return shuffle(builder, "llvm.nvvm.shfl.sync.idx.i32", value, from);
}

static void nvptx_barrier(LLVMBuilderRef builder)
{
	LLVMValueRef number = constant(builder, 0);

	call(builder, "llvm.nvvm.barrier.cta.sync.aligned.all", &number, 1, "");
}

static void nvptx_wave_barrier(LLVMBuilderRef builder)
{
	LLVMValueRef lanes = constant(builder, ALL_LANES);

	call(builder, "llvm.nvvm.bar.warp.sync", &lanes, 1, "");
}

/* Each copy is a group of its own: so many of them are under way as copies.  A lane whose offset
 * is out of range loads nothing, and zeros are stored. */
static LLVMValueRef nvptx_copy(LLVMBuilderRef builder, LLVMValueRef buffer, LLVMValueRef to,
	unsigned bytes, LLVMValueRef lane, LLVMValueRef wave)
{
	const char *name = bytes == 16 ? "llvm.nvvm.cp.async.cg.shared.global.16.s" :
		bytes == 8 ? "llvm.nvvm.cp.async.ca.shared.global.8.s" :
		"llvm.nvvm.cp.async.ca.shared.global.4.s";
	LLVMValueRef none = constant(builder, 0), number, out, args[3], copy;

	out = LLVMBuildICmp(builder, LLVMIntUGE, lane, constant(builder, TARGET_WINDOW), "out");
	lane = LLVMBuildSelect(builder, out, none, LLVMBuildAdd(builder, lane, wave, ""), "lane");
	lane = LLVMBuildZExt(builder, lane, lower_int_type(builder, 64), "lane");
	number = LLVMBuildAnd(builder, nvptx_lane_id(builder), constant(builder, WHOLE_WAVE),
		"number");
	number = LLVMBuildMul(builder, number, constant(builder, bytes), "place");
	args[0] = LLVMBuildGEP2(builder, lower_int_type(builder, 8), to, &number, 1, "place");
	args[1] = LLVMBuildGEP2(builder, lower_int_type(builder, 8), buffer, &lane, 1, "piece");
	args[2] = LLVMBuildSelect(builder, out, none, constant(builder, bytes), "bytes");
	copy = call(builder, name, args, 3, "");
	call(builder, "llvm.nvvm.cp.async.commit.group", NULL, 0, "");
	return copy;
}

/* What lanes load and store themselves is done where they meet. */
static void nvptx_land(LLVMBuilderRef builder, int copies, bool accesses)
{
	LLVMValueRef left = constant(builder, (uint64_t)(copies < 0 ? 0 : copies));

	(void)accesses;
	if (copies >= 0)
		call(builder, "llvm.nvvm.cp.async.wait.group", &left, 1, "");
}

static void nvptx_meet(LLVMBuilderRef builder, bool workgroup)
{
	(workgroup ? nvptx_barrier : nvptx_wave_barrier)(builder);
}

static bool nvptx_run(layout_context *ctx, const layout_kernel *kernel,
	const struct kernel_run *run)
{
	return sim_run_kernel(ctx, kernel, &nvptx_isa, run);
}

const struct target_hooks nvptx_target = {
	.family = "nvptx",
	.initialize = nvptx_initialize,
	.entry = { ".visible .entry ", "(" },
	.address_space = GLOBAL_ADDRESS_SPACE,
	.machine = nvptx_machine,
	.prologue = nvptx_prologue,
	.group_id = nvptx_group_id,
	.lane_id = nvptx_lane_id,
	.exchange = nvptx_exchange,
	.permute_bytes = nvptx_permute_bytes,
	.dot2 = nvptx_dot2,
	.multiply = nvptx_multiply,
	.pin = hide,
	.uniform = nvptx_uniform,
	.await = nvptx_await,
	.fence = nvptx_fence,
	.math = nvptx_math,
	.lane_xor = nvptx_lane_xor,
	.lane_read = nvptx_lane_read,
	.barrier = nvptx_barrier,
	.wave_barrier = nvptx_wave_barrier,
	.local_space = NVPTX_SHARED_SPACE,
	.copy = nvptx_copy,
	.land = nvptx_land,
	.meet = nvptx_meet,
	.annotate = nvptx_annotate,
	.run = nvptx_run,
};

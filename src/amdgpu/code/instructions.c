/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The instructions that kernels contain, as intrinsics and inline assembly. */
#include "amdgpu/code/amdgpu.h"

#include <string.h>

#define GLOBAL_ADDRESS_SPACE 1
#define LOCAL_ADDRESS_SPACE 3
#define BUFFER_ADDRESS_SPACE 8
#define ZERO_BYTE 12	/* the selector of a byte that is 0 */

/* What s_waitcnt of gfx9 waits for: all but so many loads, in two parts; exports and accesses
 * to the LDS, of which these are any. */
#define GFX9_MOST_LOADS 63
#define GFX9_NO_EXPORTS (7 << 4)
#define GFX9_ANY_LDS (15 << 8)

LLVMValueRef amdgpu_constant(LLVMBuilderRef builder, unsigned bits, uint64_t value)
{
	return LLVMConstInt(lower_int_type(builder, bits), value, false);
}

LLVMValueRef amdgpu_call(LLVMBuilderRef builder, const char *intrinsic,
	LLVMTypeRef *types, unsigned type_count, LLVMValueRef *args, unsigned arg_count,
	const char *name)
{
	LLVMValueRef call = lower_intrinsic(builder, intrinsic, types, type_count, args,
		arg_count);

	LLVMSetValueName2(call, name, strlen(name));
	return call;
}

static LLVMValueRef amdgpu_group_id(LLVMBuilderRef builder, unsigned axis)
{
	static const char *const ids[] = { "llvm.amdgcn.workgroup.id.x",
		"llvm.amdgcn.workgroup.id.y", "llvm.amdgcn.workgroup.id.z" };

	return amdgpu_call(builder, ids[axis], NULL, 0, NULL, 0, "workgroup");
}

static LLVMValueRef amdgpu_lane_id(LLVMBuilderRef builder)
{
	return amdgpu_call(builder, "llvm.amdgcn.workitem.id.x", NULL, 0, NULL, 0, "lane");
}

static LLVMValueRef amdgpu_buffer(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef pointer)
{
	LLVMTypeRef types[] = { LLVMPointerTypeInContext(LLVMGetBuilderContext(builder),
		BUFFER_ADDRESS_SPACE), LLVMTypeOf(pointer) };
	LLVMValueRef args[] = { pointer, amdgpu_constant(builder, 16, 0),
		amdgpu_constant(builder, 64, TARGET_WINDOW),
		amdgpu_constant(builder, 32, amdgpu_chip_of(row)->raw_buffer) };

	return amdgpu_call(builder, "llvm.amdgcn.make.buffer.rsrc", types, 2, args, 4, "buffer");
}

static LLVMValueRef amdgpu_buffer_load(LLVMBuilderRef builder, LLVMTypeRef type,
	LLVMValueRef buffer, LLVMValueRef lane, LLVMValueRef wave)
{
	LLVMValueRef args[] = { buffer, lane, wave, amdgpu_constant(builder, 32, 0) };

	return amdgpu_call(builder, "llvm.amdgcn.raw.ptr.buffer.load", &type, 1, args, 4,
		"loaded");
}

static void amdgpu_buffer_store(LLVMBuilderRef builder, LLVMValueRef value,
	LLVMValueRef buffer, LLVMValueRef lane, LLVMValueRef wave)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef args[] = { value, buffer, lane, wave, amdgpu_constant(builder, 32, 0) };

	amdgpu_call(builder, "llvm.amdgcn.raw.ptr.buffer.store", &type, 1, args, 5, "");
}

static LLVMValueRef call_assembly(LLVMBuilderRef builder, LLVMTypeRef type,
	const char *code, const char *constraints, LLVMValueRef *args, unsigned count)
{
	LLVMValueRef function = LLVMGetInlineAsm(type, code, strlen(code), constraints,
		strlen(constraints), false, false, LLVMInlineAsmDialectATT, false);

	return LLVMBuildCall2(builder, type, function, args, count, "");
}

static void amdgpu_exchange(LLVMBuilderRef builder, LLVMValueRef pair[2])
{
	LLVMTypeRef i32 = lower_int_type(builder, 32), types[] = { i32, i32 };
	LLVMTypeRef both = LLVMStructTypeInContext(LLVMGetBuilderContext(builder), types,
		2, false);
	LLVMValueRef result = call_assembly(builder, LLVMFunctionType(both, types, 2,
		false), "v_swap_b32 $0, $1", "=v,=v,0,1", pair, 2);

	pair[0] = LLVMBuildExtractValue(builder, result, 0, "exchanged");
	pair[1] = LLVMBuildExtractValue(builder, result, 1, "exchanged");
}

static LLVMValueRef amdgpu_permute_bytes(LLVMBuilderRef builder, LLVMValueRef high,
	LLVMValueRef low, const unsigned bytes[4])
{
	LLVMValueRef args[] = { high, low, NULL };
	unsigned selector = 0;

	for (unsigned b = 0; b < 4; b++)
		selector |= (bytes[b] == TARGET_NO_BYTE ? ZERO_BYTE : bytes[b]) << 8 * b;
	args[2] = amdgpu_constant(builder, 32, selector);
	return amdgpu_call(builder, "llvm.amdgcn.perm", NULL, 0, args, 3, "bytes");
}

static LLVMValueRef amdgpu_dot2(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef a, LLVMValueRef b, LLVMValueRef sum)
{
	LLVMValueRef args[] = { a, b, sum, amdgpu_constant(builder, 1, 0) };

	return amdgpu_chip_of(row)->dot2 ? amdgpu_call(builder, "llvm.amdgcn.fdot2", NULL, 0,
		args, 4, "dot") : NULL;
}

static LLVMValueRef amdgpu_uniform(LLVMBuilderRef builder, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return amdgpu_call(builder, "llvm.amdgcn.readfirstlane", &type, 1, &value, 1,
		"uniform");
}

/* LLVM may have a uniform value in a vector register, where branches meet for one, and then
 * makes no copy of it for assembly. */
static LLVMValueRef amdgpu_pin(LLVMBuilderRef builder, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	value = amdgpu_uniform(builder, value);
	return call_assembly(builder, LLVMFunctionType(type, &type, 1, false), "", "=s,0",
		&value, 1);
}

/* Its use by the assembly is what is waited for. */
LLVMValueRef amdgpu_await(LLVMBuilderRef builder, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return call_assembly(builder, LLVMFunctionType(type, &type, 1, false), "", "=v,0",
		&value, 1);
}

/* An assembly that stays where it is. */
static LLVMValueRef amdgpu_here(LLVMBuilderRef builder, LLVMValueRef words)
{
	LLVMTypeRef type = LLVMTypeOf(words), use = LLVMFunctionType(type, &type, 1, false);
	static const char constraints[] = "=v,0";

	return LLVMBuildCall2(builder, use, LLVMGetInlineAsm(use, "", 0, constraints,
		strlen(constraints), true, false, LLVMInlineAsmDialectATT, false), &words, 1, "");
}

static void amdgpu_fence(LLVMBuilderRef builder)
{
	LLVMValueRef none = amdgpu_constant(builder, 32, 0);

	amdgpu_call(builder, "llvm.amdgcn.sched.barrier", NULL, 0, &none, 1, "");
}

/* Where waves of a workgroup share no cache, the fence waits.  It is of another ordering than those
 * of barriers: LLVM takes one of two alike in a row, whatever space they are for. */
static void amdgpu_loaded(LLVMBuilderRef builder)
{
	static const char scope[] = "workgroup";

	LLVMBuildFenceSyncScope(builder, LLVMAtomicOrderingAcquireRelease, LLVMGetSyncScopeID(
		LLVMGetBuilderContext(builder), scope, strlen(scope)), "");
}

/* A fence for the LDS only: what goes to the memory is nobody's to wait for. */
static void synchronize(LLVMBuilderRef builder, const char *scope,
	LLVMAtomicOrdering ordering)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	const char *key = "amdgpu-synchronize-as", *space = "local";
	LLVMMetadataRef tag[] = { LLVMMDStringInContext2(llvm, key, strlen(key)),
		LLVMMDStringInContext2(llvm, space, strlen(space)) };
	LLVMValueRef instruction = LLVMBuildFenceSyncScope(builder, ordering,
		LLVMGetSyncScopeID(llvm, scope, strlen(scope)), "");

	LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(llvm, "mmra",
		(unsigned)strlen("mmra")),
		LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, tag, 2)));
}

static void amdgpu_barrier(LLVMBuilderRef builder)
{
	synchronize(builder, "workgroup", LLVMAtomicOrderingRelease);
	amdgpu_call(builder, "llvm.amdgcn.s.barrier", NULL, 0, NULL, 0, "");
	synchronize(builder, "workgroup", LLVMAtomicOrderingAcquire);
}

static void amdgpu_wave_barrier(LLVMBuilderRef builder)
{
	synchronize(builder, "wavefront", LLVMAtomicOrderingRelease);
	amdgpu_call(builder, "llvm.amdgcn.wave.barrier", NULL, 0, NULL, 0, "");
	synchronize(builder, "wavefront", LLVMAtomicOrderingAcquire);
}

static LLVMValueRef amdgpu_copy(LLVMBuilderRef builder, LLVMValueRef buffer, LLVMValueRef to,
	unsigned bytes, LLVMValueRef lane, LLVMValueRef wave)
{
	LLVMValueRef none = amdgpu_constant(builder, 32, 0);
	LLVMValueRef args[] = { buffer, to, amdgpu_constant(builder, 32, bytes), lane, wave, none,
		none };

	return amdgpu_call(builder, "llvm.amdgcn.raw.ptr.buffer.load.lds", NULL, 0, args, 7, "");
}

/* The counters of gfx9, where a copy counts as a load from memory; fences of a wave order what
 * the compiler does, and are nothing in the code. */
static void amdgpu_land(LLVMBuilderRef builder, int copies, bool accesses)
{
	unsigned loads = copies < 0 || copies > GFX9_MOST_LOADS ? GFX9_MOST_LOADS :
		(unsigned)copies;
	LLVMValueRef counts = amdgpu_constant(builder, 32, (loads & 15) | loads >> 4 << 14 |
		GFX9_NO_EXPORTS | (accesses ? 0 : GFX9_ANY_LDS));

	amdgpu_fence(builder);
	amdgpu_call(builder, "llvm.amdgcn.s.waitcnt", NULL, 0, &counts, 1, "");
}

static void amdgpu_meet(LLVMBuilderRef builder, bool workgroup)
{
	synchronize(builder, "wavefront", LLVMAtomicOrderingRelease);
	amdgpu_call(builder, workgroup ? "llvm.amdgcn.s.barrier" : "llvm.amdgcn.wave.barrier",
		NULL, 0, NULL, 0, "");
	synchronize(builder, "wavefront", LLVMAtomicOrderingAcquire);
	amdgpu_fence(builder);
}

static bool amdgpu_run(layout_context *ctx, const layout_kernel *kernel,
	const struct kernel_run *run)
{
	return sim_run_kernel(ctx, kernel, &amdgpu_isa, run);
}

const struct target_hooks amdgpu_target = {
	.family = "amdgpu",
	.initialize = amdgpu_initialize,
	.address_space = GLOBAL_ADDRESS_SPACE,
	.machine = amdgpu_machine,
	.prologue = amdgpu_prologue,
	.group_id = amdgpu_group_id,
	.lane_id = amdgpu_lane_id,
	.buffer = amdgpu_buffer,
	.buffer_load = amdgpu_buffer_load,
	.buffer_store = amdgpu_buffer_store,
	.exchange = amdgpu_exchange,
	.permute_bytes = amdgpu_permute_bytes,
	.dot2 = amdgpu_dot2,
	.multiply = amdgpu_multiply,
	.pin = amdgpu_pin,
	.uniform = amdgpu_uniform,
	.await = amdgpu_await,
	.here = amdgpu_here,
	.fence = amdgpu_fence,
	.math = amdgpu_math,
	.lane_xor = amdgpu_lane_xor,
	.lane_read = amdgpu_lane_read,
	.lane_swap = amdgpu_lane_swap,
	.load_turned = amdgpu_load_turned,
	.barrier = amdgpu_barrier,
	.loaded = amdgpu_loaded,
	.wave_barrier = amdgpu_wave_barrier,
	.copy = amdgpu_copy,
	.land = amdgpu_land,
	.meet = amdgpu_meet,
	.local_space = LOCAL_ADDRESS_SPACE,
	.annotate = amdgpu_annotate,
	.missing = amdgpu_missing,
	.spare_registers = amdgpu_spare_registers,
	.link_open = amdgpu_link_open,
	.link_close = amdgpu_link_close,
	.run = amdgpu_run,
};

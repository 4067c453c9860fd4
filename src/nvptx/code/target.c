/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/plan.h"
#include "kernel/tile/tile.h"
#include "nvptx/code/nvptx.h"
#include "program/program.h"

#include <llvm-c/Target.h>
#include <stdio.h>

#define TRIPLE "nvptx64-nvidia-cuda"
#define REGISTERS 65536		/* of a multiprocessor */
#define MANY_WORDS 64		/* of a lane's 255 */
#define KERNEL_CALLING_CONVENTION 71	/* llvm::CallingConv::PTX_Kernel */

void nvptx_initialize(void)
{
	LLVMInitializeNVPTXTargetInfo();
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
	LLVMInitializeNVPTXAsmPrinter();
}

static bool is_f8(const layout_tile *tile)
{
	return tile->type->bits == 8 && tile->type->kind == 'f';
}

static bool multiplies_f8(const struct program_plan *plan)
{
	for (unsigned i = 0; plan && i < plan->tile_count; i++) {
		const layout_tile *tile = plan->program->tiles[i];

		if (tile->op == TILE_CONTRACT && is_f8(tile->operands[1]))
			return true;
	}
	return false;
}

/* Any driver of a later version reads the PTX. */
LLVMTargetMachineRef nvptx_machine(layout_context *ctx, const layout_target *row,
	const struct plan *plan, LLVMCodeGenOptLevel level)
{
	const struct nvptx_chip *chip = nvptx_chip_of(row);
	bool f8 = chip->ptx_f8 && plan && multiplies_f8(plan->program);

	return lower_machine(ctx, row, TRIPLE, f8 ? chip->ptx_f8 : chip->ptx, level);
}

/* Registers of a lane that a tile takes; 0: there is none. */
static int64_t words_of(const struct plan *plan)
{
	const struct plan_operand *operands;

	if (!plan || !plan->tile)
		return 0;
	operands = plan->operands;
	return plan->tile->moves[0].registers * (operands[PLAN_SOURCE].bits >
		operands[PLAN_DESTINATION].bits ? operands[PLAN_SOURCE].bits :
		operands[PLAN_DESTINATION].bits) / 32;
}

/* How many workgroups a multiprocessor has at least: as many as leave a large tile five
 * registers for two of its own; 0: the assembler says, which would keep some of such a tile in
 * memory to have more. */
static unsigned least_groups(const layout_kernel *kernel)
{
	int64_t words = words_of(kernel->plan);

	return words < MANY_WORDS ? 0 :
		(unsigned)(REGISTERS / (words * 5 / 2) / kernel->lanes);
}

/* Every workgroup is whole. */
void nvptx_prologue(const layout_kernel *kernel, LLVMValueRef function)
{
	unsigned least = least_groups(kernel);
	char lanes[32], groups[32];

	snprintf(lanes, sizeof(lanes), "%u,1,1", kernel->lanes);
	LLVMSetFunctionCallConv(function, KERNEL_CALLING_CONVENTION);
	LLVMAddTargetDependentFunctionAttr(function, "nvvm.reqntid", lanes);
	if (!least)
		return;
	snprintf(groups, sizeof(groups), "%u", least);
	LLVMAddTargetDependentFunctionAttr(function, "nvvm.minctasm", groups);
}

/* -x as ~x + 1, of which LLVM does not see that it is the same. */
static void rewrite_negation(LLVMBuilderRef builder, LLVMValueRef negation)
{
	static const char code[] = "not.b32 $0, $1;", constraints[] = "=r,r";
	LLVMTypeRef i32 = LLVMTypeOf(negation), type = LLVMFunctionType(i32, &i32, 1, false);
	LLVMValueRef arg = LLVMGetOperand(negation, 1), value = LLVMGetInlineAsm(type, code,
		sizeof(code) - 1, constraints, sizeof(constraints) - 1, false, false,
		LLVMInlineAsmDialectATT, false);

	LLVMPositionBuilderBefore(builder, negation);
	value = LLVMBuildAdd(builder, LLVMBuildCall2(builder, type, value, &arg, 1, "others"),
		LLVMConstInt(i32, 1, false), "negated");
	LLVMReplaceAllUsesWith(negation, value);
	LLVMInstructionEraseFromParent(negation);
}

static bool is_negation(LLVMValueRef value)
{
	return LLVMGetInstructionOpcode(value) == LLVMSub &&
		LLVMTypeOf(value) == LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value))) &&
		LLVMIsNull(LLVMGetOperand(value, 0));
}

/* The assembler of CUDA 13.0 makes one instruction of the least of three values on sm_90 and
 * sm_100, and where one of them is the negation of a value that is the same for all lanes, it
 * leaves the sign out.  So there are no negations. */
static void avoid_negation(LLVMBuilderRef builder, LLVMValueRef value)
{
	if (is_negation(value))
		rewrite_negation(builder, value);
}

/* Shared memory beyond what may be declared has the size that a launch gives it. */
static void give_memory(const layout_kernel *kernel, LLVMModuleRef module)
{
	LLVMTypeRef none = LLVMArrayType2(LLVMInt8TypeInContext(LLVMGetModuleContext(module)), 0);
	LLVMValueRef global = LLVMGetFirstGlobal(module), next, given;

	for (; global; global = next) {
		LLVMTypeRef type = LLVMGlobalGetValueType(global);

		next = LLVMGetNextGlobal(global);
		if (LLVMGetPointerAddressSpace(LLVMTypeOf(global)) != NVPTX_SHARED_SPACE ||
		    LLVMGetTypeKind(type) != LLVMArrayTypeKind ||
		    LLVMGetArrayLength2(type) <= kernel->target->lds_bytes)
			continue;
		given = LLVMAddGlobalInAddressSpace(module, none, "given", NVPTX_SHARED_SPACE);
		LLVMSetAlignment(given, LLVMGetAlignment(global));
		LLVMReplaceAllUsesWith(global, given);
		LLVMDeleteGlobal(global);
	}
}

bool nvptx_annotate(layout_context *ctx, const layout_kernel *kernel, LLVMModuleRef module)
{
	(void)ctx;
	give_memory(kernel, module);
	lower_walk(module, avoid_negation);
	return true;
}

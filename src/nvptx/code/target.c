/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program_plan.h"
#include "nvptx/code/nvptx.h"
#include "program/program.h"

#include <llvm-c/Target.h>
#include <stdio.h>

#define TRIPLE "nvptx64-nvidia-cuda"
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

/* Every workgroup is whole. */
void nvptx_prologue(const layout_kernel *kernel, LLVMValueRef function)
{
	char lanes[32];

	snprintf(lanes, sizeof(lanes), "%u,1,1", kernel->lanes);
	LLVMSetFunctionCallConv(function, KERNEL_CALLING_CONVENTION);
	LLVMAddTargetDependentFunctionAttr(function, "nvvm.reqntid", lanes);
}

/* Shared memory beyond what may be declared has the size that a launch gives it. */
bool nvptx_annotate(layout_context *ctx, const layout_kernel *kernel, LLVMModuleRef module)
{
	LLVMTypeRef none = LLVMArrayType2(LLVMInt8TypeInContext(LLVMGetModuleContext(module)), 0);
	LLVMValueRef global = LLVMGetFirstGlobal(module), next, given;

	(void)ctx;
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
	return true;
}

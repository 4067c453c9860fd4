/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nvptx/code/nvptx.h"

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

/* Any driver of a later version reads the PTX. */
LLVMTargetMachineRef nvptx_machine(layout_context *ctx, const layout_target *row,
	LLVMCodeGenOptLevel level)
{
	return lower_machine(ctx, row, TRIPLE, nvptx_chip_of(row)->ptx, level);
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

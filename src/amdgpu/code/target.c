/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "amdgpu/code/amdgpu.h"
#include "lower/grid.h"

#include <inttypes.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <string.h>

#define TRIPLE "amdgcn-amd-amdhsa"
#define KERNEL_CALLING_CONVENTION 91	/* llvm::CallingConv::AMDGPU_KERNEL */

static const char *wave_feature(const layout_target *row)
{
	if (amdgpu_chip_of(row)->one_wave_size)
		return "";
	return row->wave_size == 32 ? "+wavefrontsize32" : "+wavefrontsize64";
}

void amdgpu_initialize(void)
{
	LLVMInitializeAMDGPUTargetInfo();
	LLVMInitializeAMDGPUTarget();
	LLVMInitializeAMDGPUTargetMC();
	LLVMInitializeAMDGPUAsmPrinter();
	LLVMInitializeAMDGPUAsmParser();
}

LLVMTargetMachineRef amdgpu_machine(layout_context *ctx, const layout_target *row,
	const struct plan *plan, LLVMCodeGenOptLevel level)
{
	(void)plan;
	return lower_machine(ctx, row, TRIPLE, wave_feature(row), level);
}

static void add_attribute(LLVMValueRef function, const char *name, const char *value)
{
	LLVMAddTargetDependentFunctionAttr(function, name, value);
}

/* Every workgroup is whole; there are no arguments besides the declared ones. */
static void describe_launch(const layout_kernel *kernel, LLVMValueRef function)
{
	static const char *const absent[] = { "amdgpu-no-implicitarg-ptr",
		"amdgpu-no-dispatch-ptr", "amdgpu-no-dispatch-id", "amdgpu-no-queue-ptr",
		"amdgpu-no-workitem-id-y", "amdgpu-no-workitem-id-z",
		"amdgpu-no-lds-kernel-id", "amdgpu-no-flat-scratch-init" };
	char lanes[32], groups[64];

	snprintf(lanes, sizeof(lanes), "%u,%u", kernel->lanes, kernel->lanes);
	snprintf(groups, sizeof(groups), "%" PRId64 ",%" PRId64 ",%" PRId64,
		grid_cap(0, kernel->lanes), grid_cap(1, kernel->lanes),
		grid_cap(2, kernel->lanes));
	add_attribute(function, "amdgpu-flat-work-group-size", lanes);
	add_attribute(function, "amdgpu-max-num-workgroups", groups);
	add_attribute(function, "uniform-work-group-size", "true");
	for (unsigned i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		add_attribute(function, absent[i], "");
}

/* !reqd_work_group_size !{i32 LANES, i32 1, i32 1} */
static void require_workgroup(const layout_kernel *kernel, LLVMValueRef function)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
	LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm);
	LLVMMetadataRef lanes[3];
	const char *name = "reqd_work_group_size";

	for (unsigned i = 0; i < 3; i++)
		lanes[i] = LLVMValueAsMetadata(
			LLVMConstInt(i32, i ? 1 : kernel->lanes, false));
	LLVMGlobalSetMetadata(function,
		LLVMGetMDKindIDInContext(llvm, name, (unsigned)strlen(name)),
		LLVMMDNodeInContext2(llvm, lanes, 3));
}

static void set_code_object(LLVMModuleRef module, unsigned version)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
	const char *flag = "amdhsa_code_object_version";

	if (LLVMGetModuleFlag(module, flag, strlen(flag)))
		return;
	LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorError, flag, strlen(flag),
		LLVMValueAsMetadata(LLVMConstInt(i32, 100 * version, false)));
}

bool amdgpu_annotate(layout_context *ctx, const layout_kernel *kernel, LLVMModuleRef module)
{
	amdgpu_keep_signs(module);
	return amdgpu_add_note(ctx, kernel, module);
}

void amdgpu_prologue(const layout_kernel *kernel, LLVMValueRef function)
{
	LLVMSetFunctionCallConv(function, KERNEL_CALLING_CONVENTION);
	LLVMSetVisibility(function, LLVMProtectedVisibility);
	describe_launch(kernel, function);
	require_workgroup(kernel, function);
	set_code_object(LLVMGetGlobalParent(function), kernel->code_object);
}

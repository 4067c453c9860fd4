/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The AMDGPU target from the inside. */
#ifndef LAYOUT_AMDGPU_CODE_H
#define LAYOUT_AMDGPU_CODE_H

#include "amdgpu/facts/chips.h"
#include "lower/kernel.h"
#include "sim/sim.h"

/* The hooks of the same names. */
void amdgpu_initialize(void);
LLVMTargetMachineRef amdgpu_machine(layout_context *ctx, const layout_target *row,
	const struct plan *plan, LLVMCodeGenOptLevel level);
LLVMValueRef amdgpu_math(layout_context *ctx, LLVMBuilderRef builder, const char *name,
	LLVMValueRef arg);
void amdgpu_prologue(const layout_kernel *kernel, LLVMValueRef function);

LLVMValueRef amdgpu_lane_xor(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef value, LLVMValueRef lane, unsigned x);
LLVMValueRef amdgpu_lane_read(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef value, LLVMValueRef lane, LLVMValueRef from);
void amdgpu_lane_swap(LLVMBuilderRef builder, LLVMValueRef pair[2], unsigned x);
LLVMValueRef amdgpu_load_turned(LLVMBuilderRef builder, LLVMTypeRef type,
	LLVMValueRef pointer);

LLVMValueRef amdgpu_await(LLVMBuilderRef builder, LLVMValueRef value);
LLVMValueRef amdgpu_multiply(LLVMBuilderRef builder, const layout_target *row,
	const struct target_product *product);

/* Call an intrinsic that is overloaded on "types"; an integer of so many bits. */
LLVMValueRef amdgpu_call(LLVMBuilderRef builder, const char *intrinsic,
	LLVMTypeRef *types, unsigned type_count, LLVMValueRef *args, unsigned arg_count,
	const char *name);
LLVMValueRef amdgpu_constant(LLVMBuilderRef builder, unsigned bits, uint64_t value);

/* What the simulator asks of kernels. */
extern const struct sim_isa amdgpu_isa;

/* What code generation is to know of a module, and its note. */
bool amdgpu_annotate(layout_context *ctx, const layout_kernel *kernel, LLVMModuleRef module);

/* Products that are rounded keep their signs, see rounding.c. */
void amdgpu_keep_signs(LLVMModuleRef module);

/* Add the launch JSON to a module, as a note in section .note.liblayout. */
bool amdgpu_add_note(layout_context *ctx, const layout_kernel *kernel,
	LLVMModuleRef module);

/* What lanes keep in memory for want of registers, and how to need fewer, see scratch.c. */
uint32_t amdgpu_missing(const layout_kernel *kernel, LLVMCodeGenFileType type,
	LLVMMemoryBufferRef code);
void amdgpu_spare_registers(LLVMModuleRef module);

/* Link an object into a code object that HIP and HSA load. */
void *amdgpu_link_open(layout_context *ctx, const layout_kernel *kernel);
char *amdgpu_link_close(layout_context *ctx, void *opened, const char *object, size_t size,
	size_t *length);

extern const struct target_hooks amdgpu_target;

#endif

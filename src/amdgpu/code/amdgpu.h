/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The AMDGPU target from the inside: the hooks, one a file. */
#ifndef LAYOUT_AMDGPU_CODE_H
#define LAYOUT_AMDGPU_CODE_H

#include "amdgpu/facts/chips.h"
#include "lower/kernel.h"
#include "sim/sim.h"

/* The hooks of the same names. */
LLVMValueRef amdgpu_group_id(LLVMBuilderRef builder, unsigned axis);
LLVMValueRef amdgpu_lane_id(LLVMBuilderRef builder);
LLVMValueRef amdgpu_buffer(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef pointer);
LLVMValueRef amdgpu_buffer_load(LLVMBuilderRef builder, LLVMTypeRef type,
	LLVMValueRef buffer, LLVMValueRef lane, LLVMValueRef wave);
void amdgpu_buffer_store(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef buffer,
	LLVMValueRef lane, LLVMValueRef wave);
void amdgpu_exchange(LLVMBuilderRef builder, LLVMValueRef pair[2]);
LLVMValueRef amdgpu_permute_bytes(LLVMBuilderRef builder, LLVMValueRef high,
	LLVMValueRef low, const unsigned bytes[4]);
LLVMValueRef amdgpu_pin(LLVMBuilderRef builder, LLVMValueRef value);
LLVMValueRef amdgpu_await(LLVMBuilderRef builder, LLVMValueRef value);
void amdgpu_fence(LLVMBuilderRef builder);
void amdgpu_barrier(LLVMBuilderRef builder);

/* What the simulator asks of kernels. */
extern const struct sim_isa amdgpu_isa;

/* Add the launch JSON to a module, as a note in section .note.liblayout. */
bool amdgpu_add_note(layout_context *ctx, const layout_kernel *kernel,
	LLVMModuleRef module);

/* Link an object into a code object that HIP and HSA load. */
char *amdgpu_link(layout_context *ctx, const layout_kernel *kernel,
	const char *object, size_t size, size_t *length);

extern const struct target_hooks amdgpu_target;

#endif

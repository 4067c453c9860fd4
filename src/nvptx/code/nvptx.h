/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The NVPTX target from the inside. */
#ifndef LAYOUT_NVPTX_CODE_H
#define LAYOUT_NVPTX_CODE_H

#include "lower/kernel.h"
#include "nvptx/facts/chips.h"
#include "sim/sim.h"

/* LLVM's address space of shared memory. */
enum { NVPTX_SHARED_SPACE = 3 };

/* The hooks of the same names. */
void nvptx_initialize(void);
LLVMTargetMachineRef nvptx_machine(layout_context *ctx, const layout_target *row,
	const struct plan *plan, LLVMCodeGenOptLevel level);
LLVMValueRef nvptx_math(layout_context *ctx, LLVMBuilderRef builder, const char *name,
	LLVMValueRef arg);
LLVMValueRef nvptx_multiply(LLVMBuilderRef builder, const layout_target *row,
	const struct target_product *product);
bool nvptx_annotate(layout_context *ctx, const layout_kernel *kernel, LLVMModuleRef module);
void nvptx_prologue(const layout_kernel *kernel, LLVMValueRef function);

/* What the simulator asks of kernels. */
extern const struct sim_isa nvptx_isa;

extern const struct target_hooks nvptx_target;

#endif

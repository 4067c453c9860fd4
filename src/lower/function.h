/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The LLVM function of a kernel. */
#ifndef LAYOUT_LOWER_FUNCTION_H
#define LAYOUT_LOWER_FUNCTION_H

#include "lower/kernel.h"

/* A module of "llvm" with a function for each shape of the kernel, as built: not yet
 * verified.
 * NULL with the error on the context. */
LLVMModuleRef function_build(layout_context *ctx, const layout_kernel *kernel,
	LLVMContextRef llvm, LLVMTargetMachineRef machine);

#endif

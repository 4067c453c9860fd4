/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Assembly and objects. */
#ifndef LAYOUT_LOWER_MACHINE_CODE_H
#define LAYOUT_LOWER_MACHINE_CODE_H

#include "lower/kernel.h"

/* The kernel's code as text or as an object, which is checked to contain it.  Like
 * the results of layout_kernel_emit(). */
char *machine_code(layout_context *ctx, const layout_kernel *kernel,
	LLVMCodeGenFileType type, size_t *length);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of a library of bitcode. */
#ifndef LAYOUT_LOWER_LIBRARY_H
#define LAYOUT_LOWER_LIBRARY_H

#include "isl_bridge/context.h"

#include <llvm-c/Core.h>

/* Link to a module what it calls of the library in the file "path".  False with an error. */
bool library_link(layout_context *ctx, LLVMModuleRef module, const char *path);

/* The library's function of a number; "link" links what the module calls, once it calls it.
 * NULL with an error. */
LLVMValueRef library_call(layout_context *ctx, LLVMBuilderRef builder, const char *symbol,
	LLVMValueRef arg, bool (*link)(layout_context *ctx, LLVMModuleRef module));

#endif

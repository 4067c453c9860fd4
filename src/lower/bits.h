/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors of elements of less than a byte as the bits that they are. */
#ifndef LAYOUT_LOWER_BITS_H
#define LAYOUT_LOWER_BITS_H

#include "lower/llvm.h"

/* As LLVMBuildBitCast().  LLVM goes through memory on the stack where elements are parts of
 * bytes: these are shifted to their places, and back. */
LLVMValueRef bits_cast(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef type,
	const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions as LLVM values. */
#ifndef LAYOUT_LOWER_CONVERT_H
#define LAYOUT_LOWER_CONVERT_H

#include "algebra/storage/conversion.h"

#include <llvm-c/Core.h>

/* The bits of a converted element.  "bits" is an integer as wide as the type converted
 * from, or a vector of such integers; the result is the same of the type converted to.
 * It needs no flag of the kernel, no call and no memory. */
LLVMValueRef convert_value(LLVMBuilderRef builder, const struct conversion *conversion,
	LLVMValueRef bits);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an access to memory is one of, and not one of. */
#ifndef LAYOUT_LOWER_SCOPES_H
#define LAYOUT_LOWER_SCOPES_H

#include "lower/llvm.h"

/* Lists of scopes of aliasing; NULL: nothing is known. */
struct scopes {
	LLVMValueRef own, others;
};

void scopes_tell(LLVMValueRef access, struct scopes scopes);

#endif

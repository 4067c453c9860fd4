/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/scopes.h"

#include <string.h>

static void tell(LLVMValueRef access, const char *kind, LLVMValueRef list)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(access));

	LLVMSetMetadata(access, LLVMGetMDKindIDInContext(llvm, kind, (unsigned)strlen(kind)),
		list);
}

void scopes_tell(LLVMValueRef access, struct scopes scopes)
{
	if (!scopes.own)
		return;
	tell(access, "alias.scope", scopes.own);
	tell(access, "noalias", scopes.others);
}

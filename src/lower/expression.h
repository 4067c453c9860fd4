/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions as LLVM values. */
#ifndef LAYOUT_LOWER_EXPRESSION_H
#define LAYOUT_LOWER_EXPRESSION_H

#include "isl_bridge/index.h"
#include <llvm-c/Core.h>

/* Where expressions are lowered, and what their variables are.  A variable is an
 * integer of 32 or 64 bits that lies within the bounds of its index_var nodes. */
struct expression_scope {
	LLVMBuilderRef builder;
	LLVMValueRef *vars;
};

/* The value as an i64; as an i1, "not 0". */
LLVMValueRef expression_lower(const struct expression_scope *scope,
	const struct index *index);
LLVMValueRef expression_lower_condition(const struct expression_scope *scope,
	const struct index *index);

/* Do these bounds fit an i32? */
bool expression_is_narrow(const struct index *index);

#endif

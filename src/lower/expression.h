/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions as LLVM values. */
#ifndef LAYOUT_LOWER_EXPRESSION_H
#define LAYOUT_LOWER_EXPRESSION_H

#include "isl_bridge/index.h"
#include "lower/llvm.h"

enum { EXPRESSION_ASSUMED = 16 };

/* Where expressions are lowered, and what their variables are.  A variable is an
 * integer of 32 or 64 bits that lies within the bounds of its index_var nodes.
 * Expressions whose bounds do not say so may be assumed to be between 0 and INT32_MAX;
 * "most" bounds variables further, where it is not NULL. */
struct expression_scope {
	LLVMBuilderRef builder;
	LLVMValueRef *vars;
	int64_t *most;
	unsigned assumed_count;
	const struct index *assumed[EXPRESSION_ASSUMED];
};

/* The value as an i64; as an i1, "not 0". */
LLVMValueRef expression_lower(const struct expression_scope *scope,
	const struct index *index);
LLVMValueRef expression_lower_condition(const struct expression_scope *scope,
	const struct index *index);

/* The value in an integer type that it fits, by its bounds or by what the caller
 * knows. */
LLVMValueRef expression_lower_as(const struct expression_scope *scope,
	const struct index *index, LLVMTypeRef type);

/* A bound of an expression that is not negative. */
int64_t expression_most(const struct expression_scope *scope, const struct index *index);

/* Do these bounds fit an i32? */
bool expression_is_narrow(const struct index *index);

#endif

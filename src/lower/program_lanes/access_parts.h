/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of an access's addresses and conditions. */
#ifndef LAYOUT_LOWER_PROGRAM_ACCESS_PARTS_H
#define LAYOUT_LOWER_PROGRAM_ACCESS_PARTS_H

#include "lower/program_lanes/access.h"

/* Conditions, i1: both, where the first may be NULL for none; NULL is yes. */
static inline LLVMValueRef both(const program_scope *body, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildAnd(body->b, a, b, "") : b;
}

static inline LLVMValueRef yes(const program_scope *body, LLVMValueRef condition)
{
	return condition ? condition : program_int(LLVMInt1TypeInContext(
		LLVMGetBuilderContext(body->b)), 1);
}

static inline LLVMValueRef compare(const program_scope *body, LLVMIntPredicate predicate,
	LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildICmp(body->b, predicate, a, b, "");
}

static inline unsigned element_bytes(const struct program_access *access)
{
	return access->type->bits / 8;
}

/* How far a step of the loop moves the position in this dimension; 0: not at all, -1: not
 * by a constant, or not upwards.  The position at its first step. */
int64_t program_access_step(const struct program_access *access, unsigned d);
LLVMValueRef program_access_first(const struct program_access *access, unsigned d);

/* Is the tile inside of the memory for all sizes? */
bool program_access_always_inside(const struct program_access *access, unsigned d);

#endif

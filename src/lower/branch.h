/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code entered on a condition. */
#ifndef LAYOUT_LOWER_BRANCH_H
#define LAYOUT_LOWER_BRANCH_H

#include "lower/iteration.h"

struct branch {
	LLVMBasicBlockRef from, join;
};

/* What the builder makes from here on, until the branch is closed, is done only where
 * the condition holds. */
struct branch branch_open(const struct iteration *iteration, LLVMValueRef condition,
	const char *name);

/* The same where it seldom holds: that code is out of the way. */
struct branch branch_open_seldom(const struct iteration *iteration, LLVMValueRef condition,
	const char *name);
void branch_close(const struct iteration *iteration, const struct branch *branch);

/* What comes from here on is done where the condition does not hold.  To branch_values(),
 * that is what was taken, and "otherwise" what came before. */
void branch_otherwise(const struct iteration *iteration, struct branch *branch);

/* Close it: each of "values", where it was not taken, is what "otherwise" has. */
void branch_values(const struct iteration *iteration, const struct branch *branch,
	LLVMValueRef *values, const LLVMValueRef *otherwise, unsigned count);

/* Close it: "value" where it was taken, else "otherwise". */
LLVMValueRef branch_value(const struct iteration *iteration, const struct branch *branch,
	LLVMValueRef value, LLVMValueRef otherwise);

#endif

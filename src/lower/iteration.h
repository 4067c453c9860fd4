/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points that a kernel visits: loops, workgroups and lanes. */
#ifndef LAYOUT_LOWER_ITERATION_H
#define LAYOUT_LOWER_ITERATION_H

#include "lower/expression.h"
#include "lower/kernel.h"

/* "again": where it is turns, the extent that is tested behind each one; else NULL. */
struct iteration_loop {
	LLVMBasicBlockRef before, header, exit;
	LLVMValueRef counter, step;
	const struct index *again;
};

/* "scope" has the sizes; opening adds the dimensions.  "loops" has room for one
 * loop a dimension.  "turns" are where those of the two outermost loops begin and
 * stop, each an i64; NULL: they do all. */
struct iteration {
	const layout_kernel *kernel;
	LLVMValueRef function;
	struct expression_scope scope;
	struct iteration_loop *loops;
	unsigned depth;
	LLVMValueRef turns[2];
};

/* Of what counts points: 32 bits where all are that few. */
LLVMTypeRef iteration_counter_type(const struct iteration *iteration, bool narrow);

/* A new block at the end of the function. */
LLVMBasicBlockRef iteration_block(const struct iteration *iteration, const char *name);

/* The function's part of the LDS, of so many bytes: the same whenever it is asked for. */
LLVMValueRef iteration_local(const struct iteration *iteration, int64_t bytes);

/* Set the dimensions to the workgroup's first point, without loops. */
void iteration_enter(struct iteration *iteration);

/* Leave the builder where the code of one point goes; and after the last point. */
void iteration_open(struct iteration *iteration);
void iteration_close(struct iteration *iteration);

#endif

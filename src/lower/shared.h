/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Work of a processor without lanes that threads may share. */
#ifndef LAYOUT_LOWER_SHARED_H
#define LAYOUT_LOWER_SHARED_H

#include "lower/expression.h"
#include "lower/kernel.h"

/* The suffix of the function that does part of a kernel's work, with two more arguments:
 * the first of the outermost loops' turns that it does, and where it stops. */
#define SHARED_PART ".part"

/* As many loops are shared at most: the outermost ones. */
enum { SHARED_LOOPS = 2 };

/* Has the kernel such a function?  Of a program where no two workgroups store to one byte, and
 * none reads what another one stores. */
bool shared_is(const layout_kernel *kernel);

/* The counts of the loops that are shared, from the outside; how many there are. */
unsigned shared_counts(const layout_kernel *kernel,
	const struct index *counts[SHARED_LOOPS]);

/* Their turns for these sizes; false where that overflows. */
bool shared_turns(const layout_kernel *kernel, const int64_t *sizes, int64_t *turns);

/* A function like the kernel's, "whole", with the two arguments besides.  "params" has room
 * for all of them. */
LLVMValueRef shared_declare(const layout_kernel *kernel, LLVMValueRef whole,
	LLVMTypeRef *params);

/* All turns, by a call of that function at the end of the builder's block; "args" have room for
 * its arguments, and "vars" of the scope are the sizes. */
void shared_call(const layout_kernel *kernel, const struct expression_scope *scope,
	LLVMValueRef whole, LLVMValueRef part, LLVMValueRef *args);

#endif

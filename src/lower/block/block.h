/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The code of a plan with a block. */
#ifndef LAYOUT_LOWER_BLOCK_H
#define LAYOUT_LOWER_BLOCK_H

#include "lower/iteration.h"

/* The suffix of the function that does part of a kernel's work, with two more arguments:
 * the first of the outermost loops' turns that it does, and where it stops. */
#define BLOCK_PART ".part"

/* Turns of the outermost loops for these sizes; false where that overflows. */
bool block_turns(const layout_kernel *kernel, const int64_t *sizes, int64_t *turns);

/* Fill in the kernel's function; the builder is at its beginning.  False with the error on
 * the context. */
bool block_lower(layout_context *ctx, struct iteration *iteration);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The code of a plan with a block. */
#ifndef LAYOUT_LOWER_BLOCK_H
#define LAYOUT_LOWER_BLOCK_H

#include "lower/iteration.h"

/* Fill in the kernel's function; the builder is at its beginning.  False with the error on
 * the context. */
bool block_lower(layout_context *ctx, struct iteration *iteration);

#endif

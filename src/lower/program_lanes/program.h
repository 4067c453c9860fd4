/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The body of a program's kernel for targets with lanes.
 *
 * A tile is a list of values, one a register of its owner: integers as wide as its
 * element type. */
#ifndef LAYOUT_LOWER_PROGRAM_H
#define LAYOUT_LOWER_PROGRAM_H

#include "lower/iteration.h"

/* All of the function, from where the builder is; false with the error on the context. */
bool program_lower(layout_context *ctx, struct iteration *iteration);

#endif

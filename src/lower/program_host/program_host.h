/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The body of a program's kernel for targets without lanes: loops over boxes.
 *
 * A tile is an expression of its coordinates, computed where it is used, or an array of its
 * box, row-major, which is filled where its statement stands.  Owners do not matter. */
#ifndef LAYOUT_LOWER_PROGRAM_HOST_H
#define LAYOUT_LOWER_PROGRAM_HOST_H

#include "lower/iteration.h"

/* All of the function, from where the builder is; false with the error on the context. */
bool program_host_lower(layout_context *ctx, struct iteration *iteration);

#endif

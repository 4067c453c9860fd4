/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The code of a plan with a tile. */
#ifndef LAYOUT_LOWER_TILE_H
#define LAYOUT_LOWER_TILE_H

#include "lower/iteration.h"

/* The whole body of the function, from its entry on.  False with the error on the
 * context. */
bool tile_lower(layout_context *ctx, struct iteration *iteration);

/* Bytes of the LDS that a workgroup of the plan has. */
int64_t tile_local_bytes(const struct plan *plan);

#endif

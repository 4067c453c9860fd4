/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a lane does with a tile, as C would write it. */
#ifndef LAYOUT_LOWER_TEXT_TILE_H
#define LAYOUT_LOWER_TEXT_TILE_H

#include "lower/kernel.h"

/* Append it, indented by "depth" tabs; "names" are those of the plan's variables.  False
 * with the error on the context. */
bool text_tile(layout_context *ctx, struct layout_buffer *out,
	const layout_kernel *kernel, const char *const *names, unsigned depth);

#endif

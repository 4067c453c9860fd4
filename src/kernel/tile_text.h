/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A tile for people to read. */
#ifndef LAYOUT_KERNEL_TILE_TEXT_H
#define LAYOUT_KERNEL_TILE_TEXT_H

#include "kernel/stage.h"
#include "kernel/tile_build.h"

/* The owner, hw[tile coordinates.., lane, register] -> logical[..], as isl text; for
 * joined dimensions of sizes that are not constant, -> joined[..].  "dims" are the
 * choice's dimension of each dimension of the plan. */
char *tile_owner_text(const struct plan *plan, const struct choice *choice,
	const struct tile_request *request, const unsigned *dims);

/* "conversion: f32 -> f16, ..", a line, where elements do not stay as they are. */
void tile_explain_conversion(struct layout_buffer *out, const struct plan *plan);

/* How the tile was found: facts, one a line.  "stage" is NULL where it goes in one
 * move; else "choice" is that of the second. */
char *tile_explanation(const struct plan *plan, const struct choice *choice,
	const struct stage *stage, const struct tile_request *request,
	const unsigned *dims);

#endif

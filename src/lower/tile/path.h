/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The ways to move a tile.
 *
 *	full	a whole tile: vectors, all loads before all stores, no masks
 *	edge	a tile that sticks out: loads and stores as wide as masks allow, through
 *		bounds-checked buffers or behind branches, in a loop over a few registers at
 *		a time
 *	shifted	the same where rows begin inside of vectors: aligned ones, of which lanes
 *		take and give parts
 *	far	offsets that may not fit 32 bits: element by element, masks branch */
#ifndef LAYOUT_LOWER_TILE_PATH_H
#define LAYOUT_LOWER_TILE_PATH_H

#include "lower/iteration.h"
#include "lower/tile/address.h"

enum path_kind { PATH_FULL, PATH_EDGE, PATH_SHIFTED, PATH_FAR };

/* One side of a move.  "base" is the address of the tile. */
struct path_side {
	struct address_plan plan;
	bool local;		/* the LDS, which is never masked */
	LLVMValueRef base;
};

struct path {
	const struct iteration *iteration;
	const struct tile_form *form;
	const struct path_side *load, *store;
	struct lane_number lane;
};

/* May the edge way be taken, on a target whose accesses must be aligned?  NULL with the error
 * on the context. */
LLVMValueRef path_is_aligned(layout_context *ctx, const struct path *path);

/* Else, is there a shifted way, and may it be taken?  NULL as above. */
bool path_can_shift(const struct path *path);
LLVMValueRef path_is_shifted(layout_context *ctx, const struct path *path);

/* Code for one way, from where the builder is.  False with the error on the context. */
bool path_lower(layout_context *ctx, const struct path *path, enum path_kind kind);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The swizzle of a tile: the dimensions of an operand's tile split into parts, and the
 * order of all parts in memory: a `layout_encoding` in the making, while loops that the
 * tensor does not have are dropped, and elements are bitcast. */
#ifndef LAYOUT_ALGEBRA_TILING_SWIZZLE_H
#define LAYOUT_ALGEBRA_TILING_SWIZZLE_H

#include "algebra/mma/mma.h"
#include "algebra/tiling/operand.h"

#define SWIZZLE_GROUPS 3	/* M or N, K, KB */
#define SWIZZLE_PARTS 16	/* elements, threads, outer ones; 4 of repetitions */

struct swizzle_part {
	unsigned group;
	layout_encoding_dim dim;
};

/* A group is the loop that it splits.  "parts" are those of all groups, in each the inner
 * ones before the outer ones; "order" has their numbers, outermost in memory first. */
struct tile_swizzle {
	unsigned group_count;
	layout_loop loops[SWIZZLE_GROUPS];
	unsigned count;
	struct swizzle_part parts[SWIZZLE_PARTS];
	unsigned order[SWIZZLE_PARTS];
};

/* A tile of operand number "index", which has that role, as a workgroup's lanes hold it.
 * False with LAYOUT_ERROR_UNSUPPORTED where the instruction's register layout is none
 * of parts. */
bool swizzle_of_mma(layout_context *ctx, const struct mma_row *row,
	layout_mma_operand role, unsigned index, const layout_tiled_mma *mma,
	struct tile_swizzle *swizzle);

/* Remove the group of a loop that the tensor does not have. */
void swizzle_drop(struct tile_swizzle *swizzle, layout_loop loop);

/* The tile's size along a group. */
int64_t swizzle_tile(const struct tile_swizzle *swizzle, unsigned group);

/* Where "stored" elements of memory are "original" ones of the tile, let group "last"
 * count the stored ones, that of the tensor's last dimension.  False where those do not
 * lie together, with the reason in "why", a sentence without a full stop. */
bool swizzle_bitcast(struct tile_swizzle *swizzle, unsigned last, int64_t stored,
	int64_t original, const char **why);

/* The description of an encoding whose inner tiles are the groups; its lists are in
 * "lists". */
struct swizzle_lists {
	int64_t tiles[SWIZZLE_GROUPS];
	unsigned group_sizes[SWIZZLE_GROUPS];
	layout_encoding_dim dims[SWIZZLE_PARTS];
	int64_t permutation[SWIZZLE_PARTS];
};
void swizzle_describe(const struct tile_swizzle *swizzle, struct swizzle_lists *lists,
	layout_encoding_desc *desc);

#endif

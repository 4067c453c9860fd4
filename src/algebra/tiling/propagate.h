/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_TILING_PROPAGATE_H
#define LAYOUT_ALGEBRA_TILING_PROPAGATE_H

#include "algebra/storage/encoding.h"
#include "algebra/tiling/operand.h"
#include "isl_bridge/objects.h"

#include <layout/propagate.h>

/* The description, and its maps as they were read. */
struct user {
	layout_context *ctx;
	const layout_user_desc *desc;
	const layout_encoding *encoding;
	layout_relation *const *maps;
};

/* Loops of the packed operation.
 *
 *	tile	the inner tile of the encoding that splits the loop; -1: it is not split
 *	outer	the packed loop that counts the tiles, or is the loop
 *	parts	of all inner tiles; part p is digit p of the split, and packed loop at[p];
 *		order[j] is the part that packed inner dimension j is
 *	index	{ packed loops -> loops } */
struct packed_loops {
	unsigned loop_count, count;
	int tile[LAYOUT_LOOPS];
	unsigned outer[LAYOUT_LOOPS];
	unsigned part_count;
	unsigned *part_tile, *at, *order;
	int64_t *part_size;
	isl_multi_aff *index;
};

struct layout_propagation {
	layout_context *ctx;
	unsigned operand_count, loop_count;
	layout_encoding **encodings;
	layout_relation **maps, *index;
};

/* The loops that the encoding of "user" packs; false with an error.  To be cleared in
 * either case, within the bridge. */
bool packed_loops_init(struct packed_loops *loops, const struct user *user);
void packed_loops_clear(struct packed_loops *loops);

/* May operand i be packed?  Else the reason is on the context. */
bool packed_operand_check(const struct packed_loops *loops, const struct user *user,
	unsigned i);

/* Its encoding, and its map. */
layout_encoding *packed_operand_encoding(const struct packed_loops *loops,
	const struct user *user, unsigned i);
layout_relation *packed_operand_map(const struct packed_loops *loops,
	const struct user *user, unsigned i);

/* layout_encoding_propagate() with the maps in the place of their texts, kept. */
layout_propagation *propagate_maps(layout_encoding *encoding,
	const layout_user_desc *desc, layout_relation *const *maps);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Modes put together and taken apart: by-mode operations, tiles and their rests. */
#ifndef LAYOUT_ALGEBRA_CUTE_GROUP_H
#define LAYOUT_ALGEBRA_CUTE_GROUP_H

#include "algebra/cute/build.h"

/* Append the modes of the node at node and leaf, without the node itself; a leaf is its
 * own only mode.  Both move behind it. */
void cute_splice(struct cute_builder *builder, const layout_cute *cute,
	unsigned *node, unsigned *leaf);

/* A pair (T, R) in another form: as it is, ((T..), R..) or (T.., R..); BLOCKED and RAKED
 * are LAYOUT_ERROR_INVALID.  Consumes "pair"; NULL passes through. */
layout_cute *cute_regroup(layout_cute *pair, layout_cute_form form);

/* The two modes of a pair exchanged; consumes it, NULL passes through. */
layout_cute *cute_exchange(layout_cute *pair);

/* An operation on a mode and a tile, which consumes both. */
typedef layout_cute *cute_mode_operation(layout_cute *mode, layout_cute *tile);

/* Each of the first "count" modes of "cute" with its tile, as a tuple with the modes
 * behind them.  Consumes "cute" and the tiles' layouts; NULL passes through. */
layout_cute *cute_by_mode(layout_cute *cute, const layout_cute_tile *tiles,
	unsigned count, cute_mode_operation *operation);

/* The same for an operation whose results are pairs (T, R), in a form of them all. */
layout_cute *cute_pair_by_mode(layout_cute *cute, const layout_cute_tile *tiles,
	unsigned count, cute_mode_operation *operation, layout_cute_form form);

#endif

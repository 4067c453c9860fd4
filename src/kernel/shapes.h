/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles for the sizes that there can be.
 *
 * What of a tile lies outside the tensor is issued for nothing, so that a tile that is
 * best for long dimensions is not for short ones.  Where only a launch tells how long
 * they are, a kernel has several. */
#ifndef LAYOUT_KERNEL_SHAPES_H
#define LAYOUT_KERNEL_SHAPES_H

#include "kernel/shape.h"

/* In all, with points; found by extents, the first one included; those for rows that begin inside
 * of vectors; and for short ones of these. */
enum { SHAPES_MOST = 12, SHAPES_EXTENTS = 4, SHAPES_UNALIGNED = 3, SHAPES_SHORT = 4 };

/* No tile reaches far beyond what a dimension can have. */
void shapes_bound(struct shape_rules *rules);

/* Tiles for short rows. */
void shapes_keep_short(struct shape_rules *rules);

/* The rules of other shapes than "first", which is chosen by "rules"; each is clearly better
 * for some sizes or, where all are known, at these, the best first.  "points", NULL for none, is what
 * there is beside them, as its cost over the lengths of dimensions.  How many there are; -1 where
 * memory ran out. */
int shapes_find(layout_context *ctx, const struct shape_rules *rules,
	const struct tile_shape *first, const struct index *points,
	struct shape_rules others[SHAPES_EXTENTS - 1]);

/* The same of accesses by element, for short rows that begin anywhere, where sizes are open. */
int shapes_find_short(layout_context *ctx, const struct shape_rules *rules,
	const struct tile_shape *first, const struct index *points,
	struct shape_rules others[SHAPES_SHORT]);

/* Are there sizes that only a launch tells? */
bool shapes_are_open(const struct factors *factors);

#endif

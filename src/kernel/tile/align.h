/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles of targets whose accesses must be aligned to their bytes. */
#ifndef LAYOUT_KERNEL_TILE_ALIGN_H
#define LAYOUT_KERNEL_TILE_ALIGN_H

#include "kernel/tile/tile.h"

struct chip;
struct plan;

/* Tiles on a chip with waves. */
struct tile_align {
	const struct plan_tile *tile;
	unsigned size_count;	/* variables beyond are the tile's place */
	unsigned wave_size;
	bool exchanges;		/* lanes read each other's words */
	unsigned bits[2];	/* of an element of the source and the destination */
};

/* Of a plan's tile on a chip, in waves of so many lanes. */
LAYOUT_INTERNAL struct tile_align tile_align_of(const struct plan *plan,
	const struct chip *chip, unsigned wave_size) LAYOUT_SYMBOL(tile_align_of);

/* How many times longer a tile takes for sizes whose rows begin inside its vectors, which
 * are then shifted, or are several accesses each: over the sizes.  NULL: no memory. */
struct index *tile_align_cost(const struct tile_align *of);

/* Are there no such sizes? */
bool tile_always_aligned(const struct tile_align *of);

/* 1 for sizes with rows of the destination that begin inside of a sector of so many elements,
 * else 0.  NULL: no memory. */
struct index *tile_parts_sectors(const struct tile_align *of, unsigned elements);

/* Are there no such sizes? */
bool tile_fills_sectors(const struct tile_align *of, unsigned elements);

/* Where tiles share sectors: are rows stored by lanes that follow each other, all of a tile's
 * row by such as can shift? */
bool tile_can_share(const struct tile_align *of);

/* Are vectors shifted then, on every side that has such rows?  Such as are more than a word, of
 * elements that are less on one side at least: others are words elsewhere. */
LAYOUT_INTERNAL bool tile_is_shifted(const struct tile_align *of)
	LAYOUT_SYMBOL(tile_is_shifted);

/* Is this side one of them, 1 for the destination? */
LAYOUT_INTERNAL bool tile_side_shifts(const struct tile_align *of, unsigned which)
	LAYOUT_SYMBOL(tile_side_shifts);

/* Lanes, a power of two of them that divides the wave, whose vectors follow each other where
 * the tile is stored: so that what one has in excess of an aligned vector, the next one
 * stores.  1: only those of a single lane do, or not all lanes are there.  "line": those alone
 * that follow each other in one dimension, as the elements of their vectors do. */
LAYOUT_INTERNAL unsigned tile_lane_run(const struct plan_tile *tile, unsigned vector,
	unsigned wave_size, bool line) LAYOUT_SYMBOL(tile_lane_run);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles of targets whose accesses must be aligned to their bytes. */
#ifndef LAYOUT_KERNEL_TILE_ALIGN_H
#define LAYOUT_KERNEL_TILE_ALIGN_H

#include "kernel/tile.h"

/* How many times longer a tile takes for sizes whose rows begin inside its vectors, which
 * are then several accesses each: over the sizes, for which "valid" holds.  NULL: no
 * memory. */
struct index *tile_align_cost(const struct plan_tile *tile, const struct index *valid);

/* Are there no such sizes? */
bool tile_always_aligned(const struct plan_tile *tile, const struct index *valid);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The launch grid of a plan.
 *
 * Where it has tiles, and an axis has more of them than workgroups are launched on it, they are
 * folded: all are on axis x, in the order of the dims. */
#ifndef LAYOUT_LOWER_GRID_H
#define LAYOUT_LOWER_GRID_H

#include "kernel/plan.h"

/* The most workgroups of so many lanes that are launched on axis x, y, z.  Those of a kernel
 * with more to do take turns.  Lanes on x are at most 2^31. */
int64_t grid_cap(unsigned axis, unsigned lanes);

/* The grid axis of a level; -1 for a level that has none. */
int grid_axis(enum visit_level level);

/* What there is to do on an axis: the product of its dimensions' extents, 1 where
 * it has none.  And how many workgroups that launches.  NULL: no memory. */
struct index *grid_extent(const struct plan *plan, unsigned axis);
struct index *grid_size(const struct plan *plan, unsigned axis, unsigned lanes);

/* The plan of the points of one whose tile is not for all sizes, which it borrows all of. */
struct plan grid_points(const struct plan *plan);

/* Are the tiles folded, over the sizes?  A number where they never are.  NULL: no memory. */
struct index *grid_folds(const struct plan *plan, unsigned lanes);

#endif

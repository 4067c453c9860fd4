/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps whose map only moves digits, as remaps without one.
 *
 * Where the destination, seen from the source's index, or the source, seen from the
 * destination's, is a storage as any other, the map is no more than a shift, which is
 * padding before the elements; and all that is known about plain remaps applies. */
#ifndef LAYOUT_ALGEBRA_STORAGE_REMAP_PLAIN_H
#define LAYOUT_ALGEBRA_STORAGE_REMAP_PLAIN_H

#include "algebra/storage/remap.h"
#include "isl_bridge/objects.h"

/* "remap" does what the given one does.  "merge" gives the destination's slot of a slot
 * of the destination's view, both in memory; NULL where the destination is its own. */
struct remap_plain {
	layout_remap *remap;
	isl_multi_aff *merge;
};

/* For a remap that has a map and sizes in "sizes", between bridge_enter() and
 * bridge_leave().  False where there is no such remap, with an error only if memory ran
 * out. */
bool remap_plain_find(struct remap_plain *plain, layout_remap *remap, isl_set *sizes);
void remap_plain_free(struct remap_plain *plain);

/* x -> slot of the destination of what was found, as x -> cell of the given destination.
 * Consumes the relation. */
layout_relation *remap_plain_cells(const struct remap_plain *plain, layout_relation *slots);

/* The cells of the given remap's destination that no element reaches.  "plain" is what was
 * found of it, empty where there was none. */
layout_set *remap_plain_padding(const struct remap_plain *plain, layout_remap *given);

#endif

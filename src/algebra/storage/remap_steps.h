/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps that walk through the source in steps: every second column, rows backwards, the same row
 * again, windows that overlap.
 *
 * A coordinate of the source is a number and a sum of steps of the destination's coordinates.  Or in
 * every dimension, element x of the destination with low <= x < low + count is element
 * first + step * (x - low) of one dimension of the source, another one each; steps are 1 or -1. */
#ifndef LAYOUT_ALGEBRA_STORAGE_REMAP_STEPS_H
#define LAYOUT_ALGEBRA_STORAGE_REMAP_STEPS_H

#include "algebra/storage/index.h"
#include "algebra/storage/remap.h"

/* "index" is the source's as the destination's dimensions walk through it: its sizes, and what
 * follows, are by dimension of the destination, and slot k is all of dimension dims[k], worth a step
 * without its sign, 0 where the source has it once.  "start" is where element first of all dimensions
 * lies. */
struct remap_steps {
	struct storage_index index;
	struct index **low, *start;
	unsigned *dims;
	uint64_t backward;		/* the dimensions of negative steps, as bits */
};

/* For a remap that has a map, with the indices of its source and destination over the names
 * of "scope" and sizes in "sizes", between bridge_enter() and bridge_leave().  False where
 * there are no such steps, with an error only if memory ran out; free in both cases. */
bool remap_steps_find(struct remap_steps *steps, layout_remap *remap,
	const struct storage_index *source, const struct storage_index *destination,
	const struct ast_scope *scope, isl_set *sizes);
void remap_steps_free(struct remap_steps *steps);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Iterations that the source owns: its elements are stored where the map says, and what
 * no element reaches is swept box by box. */
#ifndef LAYOUT_ALGEBRA_VISIT_SWEEP_H
#define LAYOUT_ALGEBRA_VISIT_SWEEP_H

#include "algebra/visit/owner.h"
#include "algebra/storage/remap_map.h"

/* The two ways from the elements of one storage to those of the other.
 *
 *	back	logical of the destination -> logical of the source, in pieces
 *	forth	the reverse, on the elements that go somewhere
 *	boxes	logical indices of the destination, or its slots if "slots", that no
 *		element reaches: disjoint boxes
 *	store	forth is cheaper; then "back" may be NULL, else "forth" and "boxes" */
struct sweep_ways {
	isl_pw_multi_aff *back, *forth;
	isl_set *boxes;
	bool slots, store;
};

/* For a remap with a map and sizes in "sizes".  False with the error on the context, as
 * LAYOUT_ERROR_UNSUPPORTED where no way is short enough for a kernel.  Free in both
 * cases. */
bool sweep_find(struct sweep_ways *ways, layout_remap *remap, isl_set *sizes);
void sweep_ways_free(struct sweep_ways *ways);

/* What a sweep is built with, all borrowed. */
struct sweep_request {
	layout_remap *remap;
	const struct sweep_ways *ways;
	const struct ast_scope *sizes;
	isl_set *contract;
	const struct storage_index *source, *destination;
	unsigned lanes;		/* 0: a loop */
};

/* Counts, extents and boxes, and the dimensions that visit them in "owner", which gets no
 * relations.  False with the error on the context. */
bool sweep_build(struct visit_sweep *sweep, struct visit_owner *owner,
	const struct sweep_request *request);

/* The rest, where "dims" are the variables of the owner's dimensions: the sweep's
 * number, slots and mask. */
bool sweep_accesses(struct visit *visit, const struct visit_owner *owner,
	struct index *const *dims, const struct sweep_request *request);

/* The owner with these dimensions as text. */
char *sweep_owner(layout_context *ctx, const struct visit_dim *dims, unsigned dim_count);

void sweep_free(struct visit_sweep *sweep);

#endif

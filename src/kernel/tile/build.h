/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a remap to the tile of its plan. */
#ifndef LAYOUT_KERNEL_TILE_BUILD_H
#define LAYOUT_KERNEL_TILE_BUILD_H

#include "kernel/choose/choose.h"
#include "kernel/plan.h"

struct tile_request {
	layout_remap *remap;
	const struct storage_index *source, *destination;
	struct index *const *low;	/* i of the source is i + low[d] */
	uint64_t backward;		/* dimensions that it has the other way round, as bits, */
	const unsigned *dims;		/* the plan's dimensions of its own; NULL: the same; */
	struct index *start;		/* and where its first element lies; NULL: at 0 */
	const struct plan_target *target;
	unsigned bits[FACTOR_SIDES];
};

/* Find the tile of "plan", which has its sizes: give it dims, tile, owner and the account
 * of how it was found.  Where no tile is worth it, the plan gets none of these but the
 * account.  False with the error on the context. */
bool tile_build(struct plan *plan, const struct tile_request *request);

/* Find other tiles for a plan that has one and all else: its shapes, beside "points" for what tiles
 * are not good for, which may be NULL.  False with the error on the context. */
bool tile_build_shapes(struct plan *plan, const struct tile_request *request,
	const struct plan *points);
void tile_account_free(struct tile_account *account);

#endif

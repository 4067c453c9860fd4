/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An owner and a memory: what the registers of a lane add to an element's slots.
 *
 * Where position, hardware and registers go their own ways, an element's slot is
 *
 *	slot(position) + slot(t of the lane and subgroup) + slot(t of the register)
 *
 * and each is a digit of its own coordinate. */
#ifndef LAYOUT_PROGRAM_ACCESS_H
#define LAYOUT_PROGRAM_ACCESS_H

#include "algebra/owner/owner.h"
#include "algebra/storage/address.h"

/*	apart		they do, at positions that are multiples of align[d]
 *	part		slots of register r: part[r * slot_count + k]
 *	order		registers by their parts, the innermost slot's last */
struct access_split {
	unsigned slot_count, count;
	bool apart;
	int64_t align[OWNER_RANK];
	int64_t *part;
	unsigned *order;
};

/* False without memory; free in both cases. */
LAYOUT_INTERNAL bool access_split_build(layout_context *ctx, struct access_split *split,
	const struct storage_access *access, const struct owner *owner)
	LAYOUT_SYMBOL(access_split_build);
LAYOUT_INTERNAL void access_split_free(struct access_split *split)
	LAYOUT_SYMBOL(access_split_free);

/* As many registers from order[i] on, at most "most", follow each other in memory: a
 * power of two. */
LAYOUT_INTERNAL unsigned access_split_run(const struct access_split *split,
	const struct storage_access *access, unsigned i, unsigned most)
	LAYOUT_SYMBOL(access_split_run);

/* The least of all runs. */
LAYOUT_INTERNAL unsigned access_split_vector(const struct access_split *split,
	const struct storage_access *access, unsigned most)
	LAYOUT_SYMBOL(access_split_vector);

/* Do lanes and subgroups move by multiples of "by" in a dimension? */
bool access_steps(const struct owner *owner, unsigned dim, int64_t by);

/* The least of all runs of one slot where they and the lanes begin at multiples of it: where the memory
 * ends at such, and the tile begins, each run is inside or outside.  Else 1. */
LAYOUT_INTERNAL unsigned access_split_even(const struct access_split *split,
	const struct storage_access *access, const struct owner *owner, unsigned most)
	LAYOUT_SYMBOL(access_split_even);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memories that are seen through an affine map: where a tile lies in what is seen, and who
 * holds it, as the same of the memory. */
#ifndef LAYOUT_PROGRAM_SIGHT_H
#define LAYOUT_PROGRAM_SIGHT_H

#include "algebra/owner/owner.h"
#include "program/program.h"

struct program_sight *sight_copy(layout_context *ctx, const struct program_sight *sight);
void sight_free(struct program_sight *sight);

/* The dimensions that a memory's tiles have. */
LAYOUT_INTERNAL unsigned program_memory_rank(const layout_memory *memory)
	LAYOUT_SYMBOL(program_memory_rank);

/* The memory's coordinates of a point. */
void sight_point(const struct program_sight *sight, const int64_t *x, int64_t *y);

/* The same from the least coordinates on that a tile of the box reaches. */
void sight_near(const struct program_sight *sight, const int64_t *box, const int64_t *x,
	int64_t *y);

/* Is what an owner holds, seen in the memory, an owner still?  Factors and sums may leave no XORs. */
LAYOUT_INTERNAL bool sight_is_owned(const struct program_sight *sight,
	const struct owner *owner) LAYOUT_SYMBOL(sight_is_owned);

/* hardware -> tile as hardware -> the memory, from the least coordinates that the tile
 * reaches, where that is owned; false with the error on the context. */
LAYOUT_INTERNAL bool sight_owner(layout_context *ctx, const struct program_sight *sight,
	struct owner *owner) LAYOUT_SYMBOL(sight_owner);

/* Those least coordinates, of a box that is not gathered; to be freed.  False with the error
 * on the context. */
LAYOUT_INTERNAL bool sight_place(layout_context *ctx, const struct program_sight *sight,
	const struct program_place *place, const int64_t *box, struct program_place *to)
	LAYOUT_SYMBOL(sight_place);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies that go to the LDS directly: each instruction has a wave put one piece a lane, one
 * behind the other, from one address on; and every lane says where its piece comes from.  All
 * lanes of a wave take part, if any does: no branch is there that they do not share. */
#ifndef LAYOUT_PROGRAM_DIRECT_H
#define LAYOUT_PROGRAM_DIRECT_H

#include "algebra/owner/owner.h"
#include "algebra/storage/address.h"
#include "program/program.h"

/* A copy of all of an object whose elements have these offsets, from a memory; "at" is in the
 * memory's coordinates, also where it is seen through a map. */
struct direct_copy {
	const layout_memory *local, *from;
	const struct program_place *at;
	const struct storage_access *access;	/* of the memory */
	const int64_t *offsets;
	unsigned piece;				/* bytes of a lane */
	unsigned wave_size, waves;
};

/* Which lane has which piece: the inverse of the place on the segment that the wave writes.
 *
 *	hw[subgroup, lane, register] -> tile	a piece's elements are registers that follow
 *						each other, and so are those of an instruction
 *
 * NULL where a piece would go where the place does not want it, or is no piece of the memory:
 * "why" is then a sentence's end, or it is NULL with an error on the context. */
LAYOUT_INTERNAL LAYOUT_GIVE struct owner *direct_owner(layout_context *ctx,
	const struct direct_copy *copy, char **why) LAYOUT_SYMBOL(direct_owner);

/* Does what a lane adds to an offset in memory follow from its coordinates in the tile?  Else each
 * lane finds where its piece is from the beginning of the memory. */
LAYOUT_INTERNAL bool direct_goes_apart(const struct storage_access *access,
	const struct program_place *at) LAYOUT_SYMBOL(direct_goes_apart);

/* Find how many steps direct copies are ahead of what they are for: one less than there are
 * copies of the object, where nothing but the copy writes it and what it reads stays. */
void direct_find_ahead(layout_program *program);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tiles that a workgroup has, by their places among all of them, the dims.
 *
 *	dims = the workgroup's places on x, y and z
 *	if (tiles are folded)
 *		dims = the digits of its place on x
 *	..
 *	do
 *		..
 *	while (tiles are folded, and there is one as many further on as are launched)
 *
 * A place on x has 32 bits, so that little code divides it.  A place further on may not: the digits
 * of what is launched are added to those of the last one. */
#ifndef LAYOUT_LOWER_TILE_TURNS_H
#define LAYOUT_LOWER_TILE_TURNS_H

#include "lower/iteration.h"

struct turns {
	struct iteration *iteration;
	unsigned count;			/* of the dims */
	LLVMValueRef room;		/* an i32 */
	LLVMBasicBlockRef turn;
	LLVMValueRef *digits;		/* the next dims */
};

/* Set the dims to the workgroup's first tile.  There are no others where the room is at least
 * "limit", else it is negative; NULL: there never are.  False where memory ran out.  Free the turns
 * in both cases. */
bool turns_enter(layout_context *ctx, struct turns *turns, struct iteration *iteration,
	int64_t limit);
void turns_free(struct turns *turns);

/* Leave the builder where the code of one tile goes, and after the last one. */
void turns_open(struct turns *turns);
void turns_close(struct turns *turns);

#endif

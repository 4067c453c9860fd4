/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors of a whole tile that begin anywhere, where accesses must be aligned to their bytes:
 * what is loaded is cut out of two aligned vectors; what is stored is put together of the own
 * vector and that of the lane before, and the first and the last of some lanes store what is
 * left in parts. */
#ifndef LAYOUT_LOWER_TILE_SHIFT_H
#define LAYOUT_LOWER_TILE_SHIFT_H

#include "lower/tile/access.h"

/* Of "run" lanes, a power of two of them that divides the wave, the vectors follow each
 * other.  "first", "last": is the lane that of its run?  All lanes must be there. */
struct shift_lanes {
	LLVMValueRef own, before;	/* of the wave */
	LLVMValueRef first, last;
};
struct shift_lanes shift_lanes_of(const struct access *access,
	const struct lane_number *lane, unsigned run);

/* Do all aligned vectors exist that the tile's are in?  Its memory ends at "end", a pointer. */
LLVMValueRef shift_exists(const struct access *access, unsigned bytes, LLVMValueRef end);

LLVMValueRef shift_load(const struct access *access, const struct address_digits *digits,
	unsigned bytes);
void shift_store(const struct access *access, const struct shift_lanes *lanes,
	const struct address_digits *digits, unsigned bytes, LLVMValueRef value);

#endif

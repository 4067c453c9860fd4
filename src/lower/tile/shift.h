/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors that begin anywhere, where accesses must be aligned to their bytes:
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
	LLVMValueRef place;		/* in the run */
};
struct shift_lanes shift_lanes_of(const struct tile_access *access,
	const struct lane_number *lane, unsigned run);

/* Do all aligned vectors exist that the tile's are in?  Its memory ends at "end", a pointer. */
LLVMValueRef shift_exists(const struct tile_access *access, unsigned bytes, LLVMValueRef end);

LLVMValueRef shift_load(const struct tile_access *access, const struct address_digits *digits,
	unsigned bytes);

/* What a run stores of a row in which tiles share sectors: "bytes" from the first sector on that
 * begins in it, behind "skipped" bytes, an i32; what is before belongs to it where it has the
 * row's first element, what is behind where it has the last. */
struct shift_share {
	unsigned sector, bytes;
	LLVMValueRef skipped, first, last;
};

/* "limit": so many bytes from where the vector begins are inside, an i32: less than 0 where
 * those of the lane before end earlier, more than a vector where those behind begin later.
 * NULL: all are.  "share", where there is no limit, or NULL: the run has all that it stores. */
void shift_store(const struct tile_access *access, const struct shift_lanes *lanes,
	const struct shift_share *share, const struct address_digits *digits, unsigned bytes,
	LLVMValueRef value, LLVMValueRef limit);

/* Memory from "start" on, an aligned pointer: "whole" bytes of aligned vectors, an i64, one
 * vector at least; and what is left behind these, in one. */
struct shift_memory {
	LLVMValueRef start, whole, rest;
};
struct shift_memory shift_memory_of(const struct tile_access *access, LLVMValueRef start,
	LLVMValueRef size, unsigned bytes);

/* What the memory has of a vector, which may begin before it and end behind it, where
 * "reached" holds; else 0. */
LLVMValueRef shift_load_inside(const struct tile_access *access, const struct shift_memory *memory,
	const struct address_digits *digits, unsigned bytes, LLVMValueRef reached);

#endif

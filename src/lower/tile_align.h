/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Alignment as it turns out: a target whose accesses must be aligned to their bytes has
 * code for vectors that are, and for such as are not, behind scalar branches. */
#ifndef LAYOUT_LOWER_TILE_ALIGN_H
#define LAYOUT_LOWER_TILE_ALIGN_H

#include "lower/tile_access.h"

enum { ALIGNMENTS = 3 };

/* The alignments that a side's vectors may have, the highest first; the last one they have
 * anyway.  "phase" has a bit set below (bytes << shift) where some part of an address is
 * no multiple of so many bytes: an i32, NULL where nobody asks. */
struct alignments {
	unsigned count, shift;
	unsigned bytes[ALIGNMENTS];
	LLVMValueRef phase;
};

/* Of an open side with vectors of so many bytes. */
struct alignments alignments_of(const struct access *access, unsigned bytes);

/* Are all vectors aligned to bytes[n]? */
LLVMValueRef alignments_hold(const struct alignments *alignments, LLVMBuilderRef builder,
	unsigned n);

#endif

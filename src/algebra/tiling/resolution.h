/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_TILING_RESOLUTION_H
#define LAYOUT_ALGEBRA_TILING_RESOLUTION_H

#include "algebra/tiling/operand.h"

struct layout_resolution {
	layout_context *ctx;
	layout_mma_operand role;
	unsigned wave_size;
	char *instructions_of;		/* the target of the instruction's name */
	char *instruction;		/* NULL: the identity, or padding only */
	layout_tiled_mma mma;		/* "instruction" is the text above */
	layout_encoding *encoding;
	layout_loop inner[TILING_LOOPS];	/* the loop of each inner tile */
	int64_t bitcast, bitcast_of;	/* so many stored elements are so many of the
					 * instruction's, in lowest terms */
	char *note;			/* why it is the identity; NULL: it is not */
	char *explanation;
};

#endif

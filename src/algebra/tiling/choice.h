/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_TILING_CHOICE_H
#define LAYOUT_ALGEBRA_TILING_CHOICE_H

#include "algebra/mma/mma.h"
#include "algebra/tiling/operand.h"

/* A matrix instruction and how often a workgroup repeats it. */
struct tiling_choice {
	const struct mma_row *row;	/* NULL: none takes the operands' types */
	layout_tiled_mma mma;
};

/* The instruction and the repetitions by the published heuristic, with what was weighed
 * in "why", as lines.  The target has passed tiling_target_check().  False with
 * LAYOUT_ERROR_UNSUPPORTED where not even one instruction fits the target, or its row
 * names one that there is not. */
bool tiling_choose(const layout_operand *operand, const struct tiling_contraction *contraction,
	const layout_tiling_target *target, struct layout_buffer *why,
	struct tiling_choice *choice);

#endif

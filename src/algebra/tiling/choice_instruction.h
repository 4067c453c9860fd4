/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_TILING_CHOICE_INSTRUCTION_H
#define LAYOUT_ALGEBRA_TILING_CHOICE_INSTRUCTION_H

#include "algebra/tiling/choice.h"

/* The instruction of the target's list that takes the operands' types; "row" is NULL
 * where none does.  False on an error. */
bool tiling_instruction(const layout_operand *operand,
	const layout_tiling_target *target, struct layout_buffer *why,
	const struct mma_row **row);

/* The row of a name on the target's list; NULL with LAYOUT_ERROR_UNSUPPORTED. */
const struct mma_row *tiling_find_instruction(layout_context *ctx,
	const layout_tiling_target *target, const char *name);

/* The element types that the scaled instructions take, for both inputs; NULL past the last. */
const char *tiling_scaled_type(unsigned i);

/* What the operands of one instruction take of a lane, in bits: lhs and rhs with their
 * scales, and acc.  False with the error on the context for an unknown type. */
struct lane_bits {
	int64_t lhs, rhs, acc;
};
bool tiling_lane_bits(const layout_operand *operand, const struct mma_row *row,
	struct lane_bits *bits);

#endif

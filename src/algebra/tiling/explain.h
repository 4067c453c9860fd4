/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_TILING_EXPLAIN_H
#define LAYOUT_ALGEBRA_TILING_EXPLAIN_H

#include "algebra/tiling/operand.h"
#include "algebra/tiling/swizzle.h"

/* "lhs, operand 0 of a matmul with M = 255, N = 513, K = ? on CHIP"; "contraction" is
 * NULL where there is none. */
void explain_question(struct layout_buffer *why, const layout_operand *operand,
	const struct tiling_contraction *contraction, const layout_tiling_target *target);

/* The tensor stays as it is, and the reason. */
void explain_identity(struct layout_buffer *why, const char *reason);

/* The tile of the operand by its loops, and which of them the tensor lacks. */
void explain_tile(struct layout_buffer *why, const struct tile_swizzle *swizzle,
	const struct tiling_contraction *contraction, layout_missing missing);

/* What a kernel that takes an operand of a scaled product as it is would change. */
void explain_unswizzled(struct layout_buffer *why, const layout_operand *operand);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A register layout by the dimensions of its operand, in the numbers that parts of an
 * encoding are made of; not all instructions' bits have this form:
 *
 *	coordinate = (outer*threads + (lane / stride) mod threads)*elements + element */
#ifndef LAYOUT_ALGEBRA_TILING_REGISTER_LAYOUT_H
#define LAYOUT_ALGEBRA_TILING_REGISTER_LAYOUT_H

#include "algebra/mma/mma.h"
#include "algebra/tiling/operand.h"

#define REGISTER_DIMS 3

/* "share" consecutive values of lane / (stride / share) hold the same; a dimension with
 * one thread may be shared, too. */
struct register_dim {
	layout_loop loop;
	unsigned outer, threads, stride, elements, share;
};

/* In the order M or N, K, KB for inputs and scales, M, N for the accumulator. */
struct register_layout {
	unsigned count;
	struct register_dim dims[REGISTER_DIMS];
};

/* The loop of a letter's bit, which becomes the bit of that loop: a scale has one K for all
 * of KB, and so has the K that it scales. */
layout_loop register_bit_loop(const struct mma_row *row, layout_mma_operand role, char letter,
	unsigned *bit);

/* False where the operand's layout has not this form. */
bool register_layout_of(const struct mma_row *row, layout_mma_operand role,
	struct register_layout *layout);

#endif

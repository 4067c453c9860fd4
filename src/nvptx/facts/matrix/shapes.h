/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The register layouts of mma.sync and ldmatrix, each once, as the manual of PTX has them
 * ("Matrix Fragments for mma").  A name says M, N and K, and the bits of an input. */
#ifndef LAYOUT_NVPTX_SHAPES_H
#define LAYOUT_NVPTX_SHAPES_H

#include "nvptx/facts/chips.h"

extern const struct mma_shape mma_16x8x8_b16, mma_16x8x16_b16;
extern const struct mma_shape mma_16x8x4_b32, mma_16x8x8_b32;
extern const struct mma_shape mma_8x8x16_b8, mma_16x8x16_b8, mma_16x8x32_b8;
extern const struct mma_shape mma_8x8x4_b64, mma_16x8x4_b64, mma_16x8x8_b64, mma_16x8x16_b64;

/* One, two or four matrices of 8 x 8 halves; and turned round. */
extern const struct mma_shape ldmatrix_x1, ldmatrix_x2, ldmatrix_x4;
extern const struct mma_shape ldmatrix_x1_trans, ldmatrix_x2_trans, ldmatrix_x4_trans;

#endif

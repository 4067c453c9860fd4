/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nvptx/facts/matrix/shapes.h"

const struct mma_shape mma_16x8x8_b16 = { 32, 1, 16, 8, 8, {
	[LAYOUT_MMA_LHS] = { "k1 k2 m0 m1 m2", "k0 m3" },
	[LAYOUT_MMA_RHS] = { "k1 k2 n0 n1 n2", "k0" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

const struct mma_shape mma_16x8x16_b16 = { 32, 1, 16, 8, 16, {
	[LAYOUT_MMA_LHS] = { "k1 k2 m0 m1 m2", "k0 m3 k3" },
	[LAYOUT_MMA_RHS] = { "k1 k2 n0 n1 n2", "k0 k3" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

const struct mma_shape mma_16x8x4_b32 = { 32, 1, 16, 8, 4, {
	[LAYOUT_MMA_LHS] = { "k0 k1 m0 m1 m2", "m3" },
	[LAYOUT_MMA_RHS] = { "k0 k1 n0 n1 n2", "" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

const struct mma_shape mma_16x8x8_b32 = { 32, 1, 16, 8, 8, {
	[LAYOUT_MMA_LHS] = { "k0 k1 m0 m1 m2", "m3 k2" },
	[LAYOUT_MMA_RHS] = { "k0 k1 n0 n1 n2", "k2" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

const struct mma_shape mma_8x8x16_b8 = { 32, 1, 8, 8, 16, {
	[LAYOUT_MMA_LHS] = { "k2 k3 m0 m1 m2", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "k2 k3 n0 n1 n2", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0" },
} };

const struct mma_shape mma_16x8x16_b8 = { 32, 1, 16, 8, 16, {
	[LAYOUT_MMA_LHS] = { "k2 k3 m0 m1 m2", "k0 k1 m3" },
	[LAYOUT_MMA_RHS] = { "k2 k3 n0 n1 n2", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

const struct mma_shape mma_16x8x32_b8 = { 32, 1, 16, 8, 32, {
	[LAYOUT_MMA_LHS] = { "k2 k3 m0 m1 m2", "k0 k1 m3 k4" },
	[LAYOUT_MMA_RHS] = { "k2 k3 n0 n1 n2", "k0 k1 k4" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

const struct mma_shape mma_8x8x4_b64 = { 32, 1, 8, 8, 4, {
	[LAYOUT_MMA_LHS] = { "k0 k1 m0 m1 m2", "" },
	[LAYOUT_MMA_RHS] = { "k0 k1 n0 n1 n2", "" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0" },
} };

const struct mma_shape mma_16x8x4_b64 = { 32, 1, 16, 8, 4, {
	[LAYOUT_MMA_LHS] = { "k0 k1 m0 m1 m2", "m3" },
	[LAYOUT_MMA_RHS] = { "k0 k1 n0 n1 n2", "" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

const struct mma_shape mma_16x8x8_b64 = { 32, 1, 16, 8, 8, {
	[LAYOUT_MMA_LHS] = { "k0 k1 m0 m1 m2", "m3 k2" },
	[LAYOUT_MMA_RHS] = { "k0 k1 n0 n1 n2", "k2" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

const struct mma_shape mma_16x8x16_b64 = { 32, 1, 16, 8, 16, {
	[LAYOUT_MMA_LHS] = { "k0 k1 m0 m1 m2", "m3 k2 k3" },
	[LAYOUT_MMA_RHS] = { "k0 k1 n0 n1 n2", "k2 k3" },
	[LAYOUT_MMA_ACC] = { "n1 n2 m0 m1 m2", "n0 m3" },
} };

/* A matrix is a block; its rows are m, its columns k. */
const struct mma_shape ldmatrix_x1 = { 32, 1, 8, 8, 8, {
	[LAYOUT_MMA_LHS] = { "k1 k2 m0 m1 m2", "k0" },
} };
const struct mma_shape ldmatrix_x1_trans = { 32, 1, 8, 8, 8, {
	[LAYOUT_MMA_LHS] = { "m1 m2 k0 k1 k2", "m0" },
} };
const struct mma_shape ldmatrix_x2 = { 32, 2, 8, 8, 8, {
	[LAYOUT_MMA_LHS] = { "k1 k2 m0 m1 m2", "k0 b0" },
} };
const struct mma_shape ldmatrix_x2_trans = { 32, 2, 8, 8, 8, {
	[LAYOUT_MMA_LHS] = { "m1 m2 k0 k1 k2", "m0 b0" },
} };
const struct mma_shape ldmatrix_x4 = { 32, 4, 8, 8, 8, {
	[LAYOUT_MMA_LHS] = { "k1 k2 m0 m1 m2", "k0 b0 b1" },
} };
const struct mma_shape ldmatrix_x4_trans = { 32, 4, 8, 8, 8, {
	[LAYOUT_MMA_LHS] = { "m1 m2 k0 k1 k2", "m0 b0 b1" },
} };

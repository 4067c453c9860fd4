/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "amdgpu/facts/matrix/shapes.h"

const struct mma_shape mfma_16x16x4 = { 64, 1, 16, 16, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k0 k1", "" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k0 k1", "" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" },
} };

const struct mma_shape mfma_16x16x8 = { 64, 1, 16, 16, 8, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k1 k2", "k0" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k1 k2", "k0" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" },
} };

const struct mma_shape mfma_16x16x16 = { 64, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k2 k3", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k2 k3", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" },
} };

const struct mma_shape mfma_16x16x32 = { 64, 1, 16, 16, 32, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k3 k4", "k0 k1 k2" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k3 k4", "k0 k1 k2" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" },
} };

const struct mma_shape mfma_16x16x64 = { 64, 1, 16, 16, 64, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k4 k5", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k4 k5", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" },
} };

const struct mma_shape mfma_16x16x128 = { 64, 1, 16, 16, 128, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k5 k6", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k5 k6", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" },
} };

const struct mma_shape mfma_16x16x128_scaled = { 64, 1, 16, 16, 128, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k5 k6", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k5 k6", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" },
	[LAYOUT_MMA_LHS_SCALE] = { "m0 m1 m2 m3 k0 k1", "" },
	[LAYOUT_MMA_RHS_SCALE] = { "n0 n1 n2 n3 k0 k1", "" },
} };

const struct mma_shape mfma_32x32x2 = { 64, 1, 32, 32, 2, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k0", "" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k0", "" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" },
} };

const struct mma_shape mfma_32x32x4 = { 64, 1, 32, 32, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k1", "k0" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k1", "k0" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" },
} };

const struct mma_shape mfma_32x32x8 = { 64, 1, 32, 32, 8, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k2", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k2", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" },
} };

const struct mma_shape mfma_32x32x16 = { 64, 1, 32, 32, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k3", "k0 k1 k2" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k3", "k0 k1 k2" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" },
} };

const struct mma_shape mfma_32x32x32 = { 64, 1, 32, 32, 32, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k4", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k4", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" },
} };

const struct mma_shape mfma_32x32x64 = { 64, 1, 32, 32, 64, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k5", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k5", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" },
} };

const struct mma_shape mfma_32x32x64_scaled = { 64, 1, 32, 32, 64, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k5", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k5", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" },
	[LAYOUT_MMA_LHS_SCALE] = { "m0 m1 m2 m3 m4 k0", "" },
	[LAYOUT_MMA_RHS_SCALE] = { "n0 n1 n2 n3 n4 k0", "" },
} };

/* 64 bits: the rows of the accumulator that a lane holds are 4 apart */

const struct mma_shape mfma_16x16x4_f64 = { 64, 1, 16, 16, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k0 k1", "" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k0 k1", "" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m0 m1", "m2 m3" },
} };

const struct mma_shape mfma_4x4x4_4b_f64 = { 64, 4, 4, 4, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 b0 b1 k0 k1", "" },
	[LAYOUT_MMA_RHS] = { "n0 n1 b0 b1 k0 k1", "" },
	[LAYOUT_MMA_ACC] = { "n0 n1 b0 b1 m0 m1", "" },
} };

/* several blocks */

const struct mma_shape mfma_4x4x1_16b = { 64, 16, 4, 4, 1, {
	[LAYOUT_MMA_LHS] = { "m0 m1 b0 b1 b2 b3", "" },
	[LAYOUT_MMA_RHS] = { "n0 n1 b0 b1 b2 b3", "" },
	[LAYOUT_MMA_ACC] = { "n0 n1 b0 b1 b2 b3", "m0 m1" },
} };

const struct mma_shape mfma_4x4x2_16b = { 64, 16, 4, 4, 2, {
	[LAYOUT_MMA_LHS] = { "m0 m1 b0 b1 b2 b3", "k0" },
	[LAYOUT_MMA_RHS] = { "n0 n1 b0 b1 b2 b3", "k0" },
	[LAYOUT_MMA_ACC] = { "n0 n1 b0 b1 b2 b3", "m0 m1" },
} };

const struct mma_shape mfma_4x4x4_16b = { 64, 16, 4, 4, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 b0 b1 b2 b3", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "n0 n1 b0 b1 b2 b3", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n0 n1 b0 b1 b2 b3", "m0 m1" },
} };

const struct mma_shape mfma_16x16x1_4b = { 64, 4, 16, 16, 1, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 b0 b1", "" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 b0 b1", "" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1 b0 b1" },
} };

const struct mma_shape mfma_16x16x2_4b = { 64, 4, 16, 16, 2, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 b0 b1", "k0" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 b0 b1", "k0" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1 b0 b1" },
} };

const struct mma_shape mfma_16x16x4_4b = { 64, 4, 16, 16, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 b0 b1", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 b0 b1", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1 b0 b1" },
} };

const struct mma_shape mfma_32x32x1_2b = { 64, 2, 32, 32, 1, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 b0", "" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 b0", "" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4 b0" },
} };

const struct mma_shape mfma_32x32x2_2b = { 64, 2, 32, 32, 2, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 b0", "k0" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 b0", "k0" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4 b0" },
} };

const struct mma_shape mfma_32x32x4_2b = { 64, 2, 32, 32, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 b0", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 b0", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4 b0" },
} };

/* the same with IREE's order of the accumulator's elements */

const struct mma_shape mfma_32x32x1_2b_iree = { 64, 2, 32, 32, 1, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 b0", "" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 b0", "" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 b0 m3 m4" },
} };

const struct mma_shape mfma_32x32x4_2b_iree = { 64, 2, 32, 32, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 b0", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 b0", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 b0 m3 m4" },
} };

/* the first instruction's half of K, then the second's */

const struct mma_shape vmfma_16x16x32 = { 64, 1, 16, 16, 32, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k2 k3", "k0 k1 k4" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k2 k3", "k0 k1 k4" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" },
} };

const struct mma_shape vmfma_32x32x16 = { 64, 1, 32, 32, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k2", "k0 k1 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k2", "k0 k1 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" },
} };

/* two lanes share a row of the lhs */

const struct mma_shape vdmfma_8x16x64 = { 64, 1, 8, 16, 64, {
	[LAYOUT_MMA_LHS] = { ". m0 m1 m2 k4 k5", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k4 k5", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m1 m2", "m0" },
} };

const struct mma_shape vdmfma_8x16x128 = { 64, 1, 8, 16, 128, {
	[LAYOUT_MMA_LHS] = { ". m0 m1 m2 k5 k6", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k5 k6", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m1 m2", "m0" },
} };

/* gfx11: both halves of the wave, or all four quarters, hold the same inputs */

const struct mma_shape wmma11 = { 32, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 .", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 .", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m0", "m1 m2 m3" },
} };

const struct mma_shape wmma11_w64 = { 64, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 . .", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 . .", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m0 m1", "m2 m3" },
} };

/* the same with 16 bits of each register of the accumulator used */

const struct mma_shape wmma11_half = { 32, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 .", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 .", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m0", "- m1 m2 m3" },
} };

const struct mma_shape wmma11_half_w64 = { 64, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 . .", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 . .", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m0 m1", "- m2 m3" },
} };

/* gfx12 */

const struct mma_shape wmma12 = { 32, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k3", "k0 k1 k2" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k3", "k0 k1 k2" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

const struct mma_shape wmma12_w64 = { 64, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k3 k2", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k3 k2", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3 m2", "m0 m1" },
} };

const struct mma_shape wmma12_f16 = { 32, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k2", "k0 k1 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k2", "k0 k1 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

const struct mma_shape wmma12_f16_w64 = { 64, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k2 k3", "k0 k1" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k2 k3", "k0 k1" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3 m2", "m0 m1" },
} };

/* inputs of 4 bits; a wave of 64 needs its first 32 lanes for K = 16 */

const struct mma_shape wmma12_iu4_w64 = { 64, 1, 16, 16, 16, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k3 -", "k0 k1 k2" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k3 -", "k0 k1 k2" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3 m2", "m0 m1" },
} };

const struct mma_shape wmma12_16x16x32 = { 32, 1, 16, 16, 32, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k4", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k4", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

const struct mma_shape wmma12_16x16x32_w64 = { 64, 1, 16, 16, 32, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k4 k3", "k0 k1 k2" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k4 k3", "k0 k1 k2" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3 m2", "m0 m1" },
} };

/* gfx1250 */

const struct mma_shape wmma_16x16x4 = { 32, 1, 16, 16, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k1", "k0" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k1", "k0" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

const struct mma_shape wmma_16x16x32 = { 32, 1, 16, 16, 32, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k4", "k0 k1 k2 k3" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k4", "k0 k1 k2 k3" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

const struct mma_shape wmma_16x16x64 = { 32, 1, 16, 16, 64, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k5", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k5", "k0 k1 k2 k3 k4" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

const struct mma_shape wmma_16x16x128 = { 32, 1, 16, 16, 128, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k6", "k0 k1 k2 k3 k4 k5" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k6", "k0 k1 k2 k3 k4 k5" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

/* the same as the ISA has them: runs of 8 elements of K, in two halves of the wave */

const struct mma_shape wmma_16x16x32_isa = { 32, 1, 16, 16, 32, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k3", "k0 k1 k2 k4" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k3", "k0 k1 k2 k4" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

const struct mma_shape wmma_16x16x64_isa = { 32, 1, 16, 16, 64, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k3", "k0 k1 k2 k4 k5" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k3", "k0 k1 k2 k4 k5" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" },
} };

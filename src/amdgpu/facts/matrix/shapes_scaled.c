/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inputs of 8, 6 or 4 bits in any combination.  A lane's share of K is runs of 16
 * elements of 8 bits, or of 32 of 6 and 4: "f4" says both.  Scales lie in the order of
 * their blocks of K, whatever the inputs. */
#include "amdgpu/facts/matrix/shapes.h"

#define SHAPE(name, lanes, m, n, k, ...) \
	const struct mma_shape name = { lanes, 1, m, n, k, { __VA_ARGS__ } }
#define ACC_16 [LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m2 m3", "m0 m1" }
#define ACC_32 [LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4" }
#define ACC_WMMA [LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2" }
#define ACC_WMMA_32 [LAYOUT_MMA_ACC] = { "n0 n1 n2 n3 m3", "m0 m1 m2 m4" }

/* gfx950, 16x16x128 */

#define LHS_F8 [LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k4 k5", "k0 k1 k2 k3 k6" }
#define LHS_F4 [LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k5 k6", "k0 k1 k2 k3 k4" }
#define RHS_F8 [LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k4 k5", "k0 k1 k2 k3 k6" }
#define RHS_F4 [LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k5 k6", "k0 k1 k2 k3 k4" }
#define SCALES \
	[LAYOUT_MMA_LHS_SCALE] = { "m0 m1 m2 m3 k0 k1", "" }, \
	[LAYOUT_MMA_RHS_SCALE] = { "n0 n1 n2 n3 k0 k1", "" }
#define MFMA_16(name, ...) SHAPE(name, 64, 16, 16, 128, ACC_16, __VA_ARGS__)

MFMA_16(mfma_16x16x128_f8_f8, LHS_F8, RHS_F8);
MFMA_16(mfma_16x16x128_f8_f4, LHS_F8, RHS_F4);
MFMA_16(mfma_16x16x128_f4_f8, LHS_F4, RHS_F8);
MFMA_16(mfma_16x16x128_f4_f4, LHS_F4, RHS_F4);
MFMA_16(mfma_scale_16x16x128_f8_f8, LHS_F8, RHS_F8, SCALES);
MFMA_16(mfma_scale_16x16x128_f8_f4, LHS_F8, RHS_F4, SCALES);
MFMA_16(mfma_scale_16x16x128_f4_f8, LHS_F4, RHS_F8, SCALES);
MFMA_16(mfma_scale_16x16x128_f4_f4, LHS_F4, RHS_F4, SCALES);

#undef LHS_F8
#undef LHS_F4
#undef RHS_F8
#undef RHS_F4
#undef SCALES

/* gfx950, 32x32x64 */

#define LHS_F8 [LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k4", "k0 k1 k2 k3 k5" }
#define LHS_F4 [LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 m4 k5", "k0 k1 k2 k3 k4" }
#define RHS_F8 [LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k4", "k0 k1 k2 k3 k5" }
#define RHS_F4 [LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 n4 k5", "k0 k1 k2 k3 k4" }
#define SCALES \
	[LAYOUT_MMA_LHS_SCALE] = { "m0 m1 m2 m3 m4 k0", "" }, \
	[LAYOUT_MMA_RHS_SCALE] = { "n0 n1 n2 n3 n4 k0", "" }
#define MFMA_32(name, ...) SHAPE(name, 64, 32, 32, 64, ACC_32, __VA_ARGS__)

MFMA_32(mfma_32x32x64_f8_f8, LHS_F8, RHS_F8);
MFMA_32(mfma_32x32x64_f8_f4, LHS_F8, RHS_F4);
MFMA_32(mfma_32x32x64_f4_f8, LHS_F4, RHS_F8);
MFMA_32(mfma_32x32x64_f4_f4, LHS_F4, RHS_F4);
MFMA_32(mfma_scale_32x32x64_f8_f8, LHS_F8, RHS_F8, SCALES);
MFMA_32(mfma_scale_32x32x64_f8_f4, LHS_F8, RHS_F4, SCALES);
MFMA_32(mfma_scale_32x32x64_f4_f8, LHS_F4, RHS_F8, SCALES);
MFMA_32(mfma_scale_32x32x64_f4_f4, LHS_F4, RHS_F4, SCALES);

#undef LHS_F8
#undef LHS_F4
#undef RHS_F8
#undef RHS_F4
#undef SCALES

/* gfx1250: the scales of 16 rows are in the first 16 lanes, of 32 in all, one byte for
 * 32 elements of K, or for 16 */

#define LHS_F8 [LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k4", "k0 k1 k2 k3 k5 k6" }
#define LHS_F4 [LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k5", "k0 k1 k2 k3 k4 k6" }
#define LHS_32 [LAYOUT_MMA_LHS] = { "m0 m1 m2 m3 k5", "k0 k1 k2 k3 k4 k6 m4" }
#define RHS_F8 [LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k4", "k0 k1 k2 k3 k5 k6" }
#define RHS_F4 [LAYOUT_MMA_RHS] = { "n0 n1 n2 n3 k5", "k0 k1 k2 k3 k4 k6" }
#define SCALES(bits) \
	[LAYOUT_MMA_LHS_SCALE] = { "m0 m1 m2 m3 -", bits }, \
	[LAYOUT_MMA_RHS_SCALE] = { "n0 n1 n2 n3 -", bits }
#define SCALES_32(bits) \
	[LAYOUT_MMA_LHS_SCALE] = { "m0 m1 m2 m3 m4", bits }, \
	[LAYOUT_MMA_RHS_SCALE] = { "n0 n1 n2 n3 -", bits }
#define BY_32 "k0 k1"
#define BY_16 "k0 k1 k2"
#define WMMA(name, ...) SHAPE(name, 32, 16, 16, 128, ACC_WMMA, __VA_ARGS__)
#define WMMA_32(name, ...) SHAPE(name, 32, 32, 16, 128, ACC_WMMA_32, __VA_ARGS__)

WMMA(wmma_16x16x128_f8_f8, LHS_F8, RHS_F8);
WMMA(wmma_16x16x128_f8_f4, LHS_F8, RHS_F4);
WMMA(wmma_16x16x128_f4_f8, LHS_F4, RHS_F8);
WMMA(wmma_16x16x128_f4_f4, LHS_F4, RHS_F4);
WMMA(wmma_scale_16x16x128_f8_f8, LHS_F8, RHS_F8, SCALES(BY_32));
WMMA(wmma_scale_16x16x128_f8_f4, LHS_F8, RHS_F4, SCALES(BY_32));
WMMA(wmma_scale_16x16x128_f4_f8, LHS_F4, RHS_F8, SCALES(BY_32));
WMMA(wmma_scale_16x16x128_f4_f4, LHS_F4, RHS_F4, SCALES(BY_32));
WMMA(wmma_scale16_16x16x128_f8_f8, LHS_F8, RHS_F8, SCALES(BY_16));
WMMA(wmma_scale16_16x16x128_f8_f4, LHS_F8, RHS_F4, SCALES(BY_16));
WMMA(wmma_scale16_16x16x128_f4_f8, LHS_F4, RHS_F8, SCALES(BY_16));
WMMA(wmma_scale16_16x16x128_f4_f4, LHS_F4, RHS_F4, SCALES(BY_16));
WMMA_32(wmma_32x16x128, LHS_32, RHS_F4);
WMMA_32(wmma_scale_32x16x128, LHS_32, RHS_F4, SCALES_32(BY_32));
WMMA_32(wmma_scale16_32x16x128, LHS_32, RHS_F4, SCALES_32(BY_16));

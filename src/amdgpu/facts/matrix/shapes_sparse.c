/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sparse lhs: of every four elements of K two are held, one behind the other.  Its k,
 * and the index's, counts what is held: K/2 columns.  The index lies as the lhs does. */
#include "amdgpu/facts/matrix/shapes.h"

#define M16 "m0 m1 m2 m3 "
#define N16 "n0 n1 n2 n3 "
#define M32 "m0 m1 m2 m3 m4 "
#define N32 "n0 n1 n2 n3 n4 "

/* The lane's bits of K and the element's, of the lhs and of the rhs. */
#define SPARSE(name, lanes, size, k, lhs_lane, lhs_element, rhs_lane, rhs_element, \
	acc_lane, acc_element) \
	const struct mma_shape name = { lanes, 1, size, size, k, { \
		[LAYOUT_MMA_LHS] = { M##size lhs_lane, lhs_element }, \
		[LAYOUT_MMA_RHS] = { N##size rhs_lane, rhs_element }, \
		[LAYOUT_MMA_ACC] = { N##size acc_lane, acc_element }, \
		[LAYOUT_MMA_INDEX] = { M##size lhs_lane, lhs_element }, \
	} }

#define SMFMAC_16(name, k, ...) SPARSE(name, 64, 16, k, __VA_ARGS__, "m2 m3", "m0 m1")
#define SMFMAC_32(name, k, ...) SPARSE(name, 64, 32, k, __VA_ARGS__, "m2", "m0 m1 m3 m4")
#define SWMMAC(name, k, ...) SPARSE(name, 32, 16, k, __VA_ARGS__, "m3", "m0 m1 m2")
#define SWMMAC_W64(name, k, ...) SPARSE(name, 64, 16, k, __VA_ARGS__, "m3 m2", "m0 m1")

SMFMAC_16(smfmac_16x16x32, 32, "k2 k3", "k0 k1", "k3 k4", "k0 k1 k2");
SMFMAC_16(smfmac_16x16x64, 64, "k3 k4", "k0 k1 k2", "k4 k5", "k0 k1 k2 k3");
SMFMAC_32(smfmac_32x32x16, 16, "k2", "k0 k1", "k3", "k0 k1 k2");
SMFMAC_32(smfmac_32x32x32, 32, "k3", "k0 k1 k2", "k4", "k0 k1 k2 k3");

/* gfx950: a lane's rhs is two runs of K */
SMFMAC_16(smfmac_16x16x64_f16, 64, "k3 k4", "k0 k1 k2", "k3 k4", "k0 k1 k2 k5");
SMFMAC_16(smfmac_16x16x128, 128, "k4 k5", "k0 k1 k2 k3", "k4 k5", "k0 k1 k2 k3 k6");
SMFMAC_32(smfmac_32x32x32_f16, 32, "k3", "k0 k1 k2", "k3", "k0 k1 k2 k4");
SMFMAC_32(smfmac_32x32x64, 64, "k4", "k0 k1 k2 k3", "k4", "k0 k1 k2 k3 k5");

/* gfx12; of 4 bits in a wave of 64, the lhs fills the first 32 lanes */
SWMMAC(swmmac_16x16x32_f16, 32, "k2", "k0 k1 k3", "k3", "k0 k1 k2 k4");
SWMMAC_W64(swmmac_16x16x32_f16_w64, 32, "k2 k3", "k0 k1", "k3 k4", "k0 k1 k2");
SWMMAC(swmmac_16x16x32, 32, "k3", "k0 k1 k2", "k4", "k0 k1 k2 k3");
SWMMAC_W64(swmmac_16x16x32_w64, 32, "k3 k2", "k0 k1", "k4 k3", "k0 k1 k2");
SWMMAC_W64(swmmac_16x16x32_iu4_w64, 32, "k3 -", "k0 k1 k2", "k4 k3", "k0 k1 k2");
SWMMAC(swmmac_16x16x64, 64, "k4", "k0 k1 k2 k3", "k5", "k0 k1 k2 k3 k4");
SWMMAC_W64(swmmac_16x16x64_w64, 64, "k4 k3", "k0 k1 k2", "k5 k4", "k0 k1 k2 k3");

/* gfx1250 */
SWMMAC(swmmac_16x16x64_f16, 64, "k3", "k0 k1 k2 k4", "k4", "k0 k1 k2 k3 k5");
SWMMAC(swmmac_16x16x128, 128, "k3", "k0 k1 k2 k4 k5", "k4", "k0 k1 k2 k3 k5 k6");

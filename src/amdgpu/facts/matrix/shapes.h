/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The register layouts, each once.  A name says M, N and K, ".._xB" the blocks, and
 * what sets a layout apart from another of that size. */
#ifndef LAYOUT_AMDGPU_SHAPES_H
#define LAYOUT_AMDGPU_SHAPES_H

#include "amdgpu/facts/chips.h"

/* MFMA, a wave of 64 */
extern const struct mma_shape mfma_16x16x4, mfma_16x16x8, mfma_16x16x16, mfma_16x16x32,
	mfma_16x16x64, mfma_16x16x128, mfma_16x16x128_scaled;
extern const struct mma_shape mfma_32x32x2, mfma_32x32x4, mfma_32x32x8, mfma_32x32x16,
	mfma_32x32x32, mfma_32x32x64, mfma_32x32x64_scaled;
extern const struct mma_shape mfma_16x16x4_f64, mfma_4x4x4_4b_f64;
extern const struct mma_shape mfma_4x4x1_16b, mfma_4x4x2_16b, mfma_4x4x4_16b;
extern const struct mma_shape mfma_16x16x1_4b, mfma_16x16x2_4b, mfma_16x16x4_4b;
extern const struct mma_shape mfma_32x32x1_2b, mfma_32x32x2_2b, mfma_32x32x4_2b;
extern const struct mma_shape mfma_32x32x1_2b_iree, mfma_32x32x4_2b_iree;

/* compositions of two MFMA; and of sparse ones, for eight rows */
extern const struct mma_shape vmfma_16x16x32, vmfma_32x32x16;
extern const struct mma_shape vdmfma_8x16x64, vdmfma_8x16x128;

/* WMMA of gfx11, a wave of 32 and of 64; with accumulators of 16 bits */
extern const struct mma_shape wmma11, wmma11_w64, wmma11_half, wmma11_half_w64;

/* WMMA of gfx12: 8 elements of K in a row; inputs of 16 bits as the ISA has them; and
 * of 4 bits where they lie otherwise */
extern const struct mma_shape wmma12, wmma12_w64, wmma12_f16, wmma12_f16_w64;
extern const struct mma_shape wmma12_iu4_w64, wmma12_16x16x32, wmma12_16x16x32_w64;

/* WMMA of gfx1250; and as the ISA has them */
extern const struct mma_shape wmma_16x16x4, wmma_16x16x32, wmma_16x16x64, wmma_16x16x128;
extern const struct mma_shape wmma_16x16x32_isa, wmma_16x16x64_isa;

/* sparse lhs: of gfx942 and gfx950, of gfx950, of gfx12, of gfx1250 */
extern const struct mma_shape smfmac_16x16x32, smfmac_16x16x64, smfmac_32x32x16,
	smfmac_32x32x32;
extern const struct mma_shape smfmac_16x16x64_f16, smfmac_16x16x128, smfmac_32x32x32_f16,
	smfmac_32x32x64;
extern const struct mma_shape swmmac_16x16x32_f16, swmmac_16x16x32_f16_w64,
	swmmac_16x16x32, swmmac_16x16x32_w64, swmmac_16x16x32_iu4_w64, swmmac_16x16x64,
	swmmac_16x16x64_w64;
extern const struct mma_shape swmmac_16x16x64_f16, swmmac_16x16x128;

/* inputs of 8 bits, and of 6 or 4: of gfx950, with scales, of gfx1250, with scales */
extern const struct mma_shape mfma_16x16x128_f8_f8, mfma_16x16x128_f8_f4,
	mfma_16x16x128_f4_f8, mfma_16x16x128_f4_f4;
extern const struct mma_shape mfma_32x32x64_f8_f8, mfma_32x32x64_f8_f4,
	mfma_32x32x64_f4_f8, mfma_32x32x64_f4_f4;
extern const struct mma_shape mfma_scale_16x16x128_f8_f8, mfma_scale_16x16x128_f8_f4,
	mfma_scale_16x16x128_f4_f8, mfma_scale_16x16x128_f4_f4;
extern const struct mma_shape mfma_scale_32x32x64_f8_f8, mfma_scale_32x32x64_f8_f4,
	mfma_scale_32x32x64_f4_f8, mfma_scale_32x32x64_f4_f4;
extern const struct mma_shape wmma_16x16x128_f8_f8, wmma_16x16x128_f8_f4,
	wmma_16x16x128_f4_f8, wmma_16x16x128_f4_f4;
extern const struct mma_shape wmma_scale_16x16x128_f8_f8, wmma_scale_16x16x128_f8_f4,
	wmma_scale_16x16x128_f4_f8, wmma_scale_16x16x128_f4_f4;
extern const struct mma_shape wmma_scale16_16x16x128_f8_f8, wmma_scale16_16x16x128_f8_f4,
	wmma_scale16_16x16x128_f4_f8, wmma_scale16_16x16x128_f4_f4;
extern const struct mma_shape wmma_32x16x128, wmma_scale_32x16x128,
	wmma_scale16_32x16x128;

#endif

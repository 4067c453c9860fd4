/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The AMDGPU chips from the inside: what the rows are made of. */
#ifndef LAYOUT_AMDGPU_CHIPS_H
#define LAYOUT_AMDGPU_CHIPS_H

#include "algebra/chip.h"

extern const struct chip_family amdgpu_family;

/* The bits of the chips in the tables of matrix instructions: the processors of gfx11 have
 * the same ones. */
enum {
	GFX908 = 1 << 0,
	GFX90A = 1 << 1,
	GFX942 = 1 << 2,
	GFX950 = 1 << 3,
	GFX1100 = 1 << 4,
	GFX1100_W64 = 1 << 5,
	GFX1200 = 1 << 6,
	GFX1200_W64 = 1 << 7,
	GFX1201 = 1 << 8,
	GFX1201_W64 = 1 << 9,
	GFX1250 = 1 << 10,
};

/* The LDS: bytes for one workgroup, and banks. */
#define LDS_SIZE_GFX9 65536, 32
#define LDS_SIZE_GFX950 163840, 64
#define LDS_SIZE_GFX11 65536, 32
#define LDS_SIZE_GFX12 65536, 32
#define LDS_SIZE_GFX1250 327680, 64

/* What the hooks know of a chip besides. */
struct amdgpu_chip {
	uint32_t raw_buffer;	/* the fourth word of a raw, byte-addressed buffer, */
				/* whose bounds are checked */
	bool one_wave_size;	/* no feature chooses it */
	bool dot2;		/* it adds the products of two halves to a float at once */
	bool sums_in_vgprs;	/* those of products can be in any registers */
	unsigned crossbar;	/* lanes of a wave that reach each other by it */
};

/* How lanes read each other's dwords. */
enum {
	AMDGPU_QUAD,		/* DPP quad_perm, x < 4 */
	AMDGPU_HALF_MIRROR,	/* DPP, x = 7; row_ror:8; row_mirror, x = 15 */
	AMDGPU_TURN,
	AMDGPU_MIRROR,
	AMDGPU_TWO,		/* one of those and quad_perm */
	AMDGPU_XMASK,		/* DPP row_xmask, x < 16 */
	AMDGPU_SWIZZLE,		/* x < 32 */
	AMDGPU_OTHER_ROW,	/* permlanex16, 16 <= x < 32 */
	AMDGPU_SWAP,		/* with itself, x = 16 or 32 */
	AMDGPU_OTHER_HALF,	/* permlane64, x = 32 */
	AMDGPU_HALF_AND_ROW,	/* that, and another */
	AMDGPU_PULL,		/* ds_bpermute */
	AMDGPU_PULL_HALVES,	/* where each half of a wave has its own */
};

extern const struct chip_lanes amdgpu_lanes_gfx9[], amdgpu_lanes_gfx950[],
	amdgpu_lanes_wave32[], amdgpu_lanes_wave64[];

static inline const struct amdgpu_chip *amdgpu_chip_of(const layout_target *target)
{
	return chip_of(target)->own;
}

/* The targets of data tiling with a chip's instructions. */
extern const layout_tiling_target amdgpu_tiling_gfx908[], amdgpu_tiling_gfx90a[],
	amdgpu_tiling_gfx942[], amdgpu_tiling_gfx950[], amdgpu_tiling_gfx1100[],
	amdgpu_tiling_gfx1101[], amdgpu_tiling_gfx1102[], amdgpu_tiling_gfx1103[],
	amdgpu_tiling_gfx1150[], amdgpu_tiling_gfx1151[], amdgpu_tiling_gfx1152[],
	amdgpu_tiling_gfx1153[], amdgpu_tiling_gfx1200[], amdgpu_tiling_gfx1201[],
	amdgpu_tiling_gfx1250[];

/* The matrix instructions by their names: IREE's, and the ISA's. */
extern const struct mma_table matrix_iree, matrix_mfma, matrix_wmma;
extern const struct mma_codes amdgpu_matrix_codes;

#endif

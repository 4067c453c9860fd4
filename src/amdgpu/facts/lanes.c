/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a lane reads another's dword.
 *
 * That the instructions do this is in AMD's ISA documents and LLVM 22's tests, and the
 * simulator's tests say it lane by lane.  Counts of instructions are those that LLVM 22
 * makes of the hooks; cycles of the LDS are lanes by its 32 banks, as documented for
 * loads of a dword and assumed of exchanges.  None of it is timed. */
#include "amdgpu/facts/chips.h"

#define ANY 0, 63

const struct chip_lanes amdgpu_lanes_gfx9[] = {
	{ "quad_perm", 1, 3, 1, 0, AMDGPU_QUAD },
	{ "row_half_mirror", 7, 7, 1, 0, AMDGPU_HALF_MIRROR },
	{ "row_ror", 8, 8, 1, 0, AMDGPU_TURN },
	{ "row_mirror", 15, 15, 1, 0, AMDGPU_MIRROR },
	{ "two in a row", 4, 14, 2, 0, AMDGPU_TWO },
	{ "ds_swizzle_b32", 16, 31, 1, 2, AMDGPU_SWIZZLE },
	{ "ds_bpermute_b32", ANY, 1, 2, AMDGPU_PULL },
	{ NULL },
};

const struct chip_lanes amdgpu_lanes_gfx950[] = {
	{ "quad_perm", 1, 3, 1, 0, AMDGPU_QUAD },
	{ "row_half_mirror", 7, 7, 1, 0, AMDGPU_HALF_MIRROR },
	{ "row_ror", 8, 8, 1, 0, AMDGPU_TURN },
	{ "row_mirror", 15, 15, 1, 0, AMDGPU_MIRROR },
	{ "two in a row", 4, 14, 2, 0, AMDGPU_TWO },
	{ "v_permlane16_swap_b32", 16, 16, 3, 0, AMDGPU_SWAP },
	{ "ds_swizzle_b32", 17, 31, 1, 2, AMDGPU_SWIZZLE },
	{ "v_permlane32_swap_b32", 32, 32, 3, 0, AMDGPU_SWAP },
	{ "ds_bpermute_b32", ANY, 1, 2, AMDGPU_PULL },
	{ NULL },
};

const struct chip_lanes amdgpu_lanes_wave32[] = {
	{ "row_xmask", 1, 15, 1, 0, AMDGPU_XMASK },
	{ "v_permlanex16_b32", 16, 31, 1, 0, AMDGPU_OTHER_ROW },
	{ "ds_bpermute_b32", ANY, 1, 1, AMDGPU_PULL },
	{ NULL },
};

const struct chip_lanes amdgpu_lanes_wave64[] = {
	{ "row_xmask", 1, 15, 1, 0, AMDGPU_XMASK },
	{ "v_permlanex16_b32", 16, 31, 1, 0, AMDGPU_OTHER_ROW },
	{ "v_permlane64_b32", 32, 32, 1, 0, AMDGPU_OTHER_HALF },
	{ "v_permlane64_b32 and a row", 33, 63, 2, 0, AMDGPU_HALF_AND_ROW },
	{ "ds_bpermute_b32 of both halves", ANY, 4, 4, AMDGPU_PULL_HALVES },
	{ NULL },
};

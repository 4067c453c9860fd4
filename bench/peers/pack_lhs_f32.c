/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Row-major [M, K] f32 -> the gfx942 LHS encoding, as one would write it by hand.
 *
 *	row in a tile of 128	x0*32 + x1*4 + x2, (x0, x1, x2) in (4, 8, 4)
 *	column in a tile of 16	y0*4 + y1, (y0, y1) in (4, 4)
 *	packed	[ceil(M/128)][ceil(K/16)][x1 8][y1 4][x0 4][x2 4][y0 4]
 *
 * A workgroup of 128 lanes packs one tile, a lane one row: four loads of four
 * columns each, transposed in registers, four stores of 16 bytes each.
 *
 * Grid: x = ceil(K/16), y = ceil(M/128). */
typedef unsigned int u32;
typedef unsigned long u64;
typedef u32 quad __attribute__((ext_vector_type(4)));
typedef quad any_quad __attribute__((aligned(4)));

#define GLOBAL __attribute__((address_space(1)))
#define ROWS 128
#define COLUMNS 16

/* Columns "first" to first + 3 of a row, 0 outside the matrix. */
static inline quad load(const GLOBAL u32 *row, u32 first, u32 left)
{
	quad value = 0;

	for (u32 k = 0; k < 4; k++)
		if (first + k < left)
			value[k] = row[first + k];
	return value;
}

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(ROWS, ROWS)))
void pack_lhs_f32(const GLOBAL u32 *restrict source, GLOBAL quad *restrict destination,
	long m, long k)
{
	u32 lane = __builtin_amdgcn_workitem_id_x();
	u32 tile_x = __builtin_amdgcn_workgroup_id_x();
	u32 tile_y = __builtin_amdgcn_workgroup_id_y();
	u64 row = (u64)tile_y * ROWS + lane, column = (u64)tile_x * COLUMNS;
	u64 tile = (u64)tile_y * ((k + COLUMNS - 1) / COLUMNS) + tile_x;
	u32 left = k - column < COLUMNS ? k - column : COLUMNS;
	const GLOBAL u32 *from = source + row * k + column;
	u32 x0 = lane / 32, x1 = lane / 4 % 8, x2 = lane % 4;
	GLOBAL quad *to = destination + tile * (ROWS * COLUMNS / 4) + x1 * 64 + x0 * 4 +
		x2;
	quad in[4] = { 0, 0, 0, 0 };

	if (row < (u64)m && left == COLUMNS) {
		for (u32 y0 = 0; y0 < 4; y0++)
			in[y0] = *(const GLOBAL any_quad *)(from + y0 * 4);
	} else if (row < (u64)m) {
		for (u32 y0 = 0; y0 < 4; y0++)
			in[y0] = load(from, y0 * 4, left);
	}
	for (u32 y1 = 0; y1 < 4; y1++) {
		quad out = { in[0][y1], in[1][y1], in[2][y1], in[3][y1] };

		to[y1 * 16] = out;
	}
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Results and operands of matrix instructions, after Triton's
 * LinearLayoutConversions.cpp. */
#include "algebra/triton/cover.h"
#include "isl_bridge/arithmetic.h"

#define MFMA_LANES 64
#define MMA_SIDE 8		/* lanes along the rows of mma.sync */
#define MMA_LANES 4		/* and along what is next to each other in memory */
#define WMMA_SIDE 16		/* lanes along one dimension of a WMMA instruction */

/* Dimensions of matrices: their order, fastest first, and the last two. */
struct matrix {
	int64_t order[LAYOUT_TRITON_RANK];
	unsigned m, n;
};

/* [n, m] or, for an operand whose dimension "first" is the fastest, [first, other]; the
 * batch is last. */
static struct matrix matrix_of(unsigned rank, unsigned first)
{
	struct matrix matrix = { .m = rank - 2, .n = rank - 1 };

	matrix.order[0] = first;
	matrix.order[1] = first == matrix.n ? matrix.m : matrix.n;
	for (unsigned i = 2; i < rank; i++)
		matrix.order[i] = rank - 1 - i;
	return matrix;
}

static int64_t tiles_of(const layout_triton_desc *desc, unsigned dim)
{
	return desc->tiles_per_warp ? desc->tiles_per_warp[dim] : 1;
}

/* One instruction's result: registers go along one dimension, 4 rows (1 of f64) at a
 * time, lanes first along the other one. */
static bool cover_mfma_tile(struct tile *tile, const layout_triton_desc *desc,
	const struct matrix *matrix)
{
	unsigned rows = desc->is_transposed ? matrix->n : matrix->m;
	unsigned columns = desc->is_transposed ? matrix->m : matrix->n;
	int64_t across = desc->instr_shape[desc->is_transposed ? 0 : 1];
	int64_t height = desc->element_bits == 64 ? 1 : 4;
	int64_t elements = desc->instr_shape[0] * desc->instr_shape[1];

	return tile_repeat(tile, TILE_REGISTER, rows, height) &&
		tile_repeat(tile, TILE_LANE, columns, across) &&
		tile_repeat(tile, TILE_LANE, rows, MFMA_LANES / across) &&
		tile_repeat(tile, TILE_REGISTER, rows, elements / (MFMA_LANES * height));
}

/* A row of instructions goes through all of N before the next one. */
bool cover_mfma(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape)
{
	const struct matrix matrix = matrix_of(desc->rank, desc->rank - 1);
	const int64_t *warps = desc->warps_per_cta;
	int64_t part[LAYOUT_TRITON_RANK];

	tile_block_shape(desc, shape, -1, part);
	return cover_mfma_tile(tile, desc, &matrix) &&
		tile_repeat(tile, TILE_REGISTER, matrix.n, tiles_of(desc, matrix.n)) &&
		tile_repeat(tile, TILE_WARP, matrix.n, warps[matrix.n]) &&
		tile_fill(tile, TILE_REGISTER, matrix.n, part[matrix.n]) &&
		tile_repeat(tile, TILE_REGISTER, matrix.m, tiles_of(desc, matrix.m)) &&
		tile_repeat(tile, TILE_WARP, matrix.m, warps[matrix.m]) &&
		(desc->rank == 2 || tile_repeat(tile, TILE_WARP, 0, warps[0])) &&
		tile_fit_blocks(tile, desc, shape, -1, matrix.order);
}

/* kWidth elements of K a lane, then the lanes along the other dimension, then again
 * along K.  A 64-row operand of a 64 x 4 instruction has 16 such groups. */
bool cover_mfma_operand(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape, unsigned k, unsigned other)
{
	const layout_triton_desc *parent = &desc->parent->desc;
	const struct matrix result = matrix_of(desc->rank, desc->rank - 1);
	const struct matrix operand = matrix_of(desc->rank, k);
	int64_t across = parent->instr_shape[desc->op_idx];

	return tile_repeat(tile, TILE_REGISTER, k, desc->k_width) &&
		tile_repeat(tile, TILE_LANE, other, across) &&
		tile_repeat(tile, TILE_LANE, k, MFMA_LANES / across) &&
		(across != 64 || tile_repeat(tile, TILE_REGISTER, k, 16)) &&
		tile_fill(tile, TILE_REGISTER, k, shape[k]) &&
		tile_repeat(tile, TILE_REGISTER, other, tiles_of(parent, other)) &&
		tile_repeat_all(tile, TILE_WARP, parent->warps_per_cta, result.order,
			-1) &&
		tile_fit_blocks(tile, parent, shape, (int)k, operand.order);
}

/* Times bases in units of the tile; dimension "without" is left out (-1: none), and
 * registers that then go nowhere with it. */
static bool times_bases(struct tile *tile, enum tile_in in, const int64_t *bases,
	unsigned count, const unsigned *unit, int without)
{
	for (unsigned i = 0; i < count; i++, bases += tile->rank) {
		int64_t *basis;
		bool zero = true;

		for (unsigned d = 0; d < tile->rank; d++)
			zero = zero && (!bases[d] || (int)d == without);
		if (zero && in == TILE_REGISTER && without >= 0)
			continue;
		basis = tile_add(tile, in);
		if (!basis)
			return false;
		for (unsigned d = 0; d < tile->rank; d++) {
			unsigned bits = int_width((uint64_t)bases[d]);

			if (!bits || (int)d == without)
				continue;
			if (unit[d] + bits > TRITON_BITS) {
				layout_fail(tile->ctx, LAYOUT_ERROR_OVERFLOW, -1,
					"ctaLayout: a tile is beyond 2^%d", TRITON_BITS);
				return false;
			}
			basis[d] = bases[d] << unit[d];
			if (tile->bits[d] < unit[d] + bits)
				tile->bits[d] = unit[d] + bits;
		}
	}
	return true;
}

/* Times the arrangement of a block's warps over instructions. */
static bool times_warps(struct tile *tile, const layout_triton_desc *desc, int without)
{
	unsigned unit[LAYOUT_TRITON_RANK];

	for (unsigned d = 0; d < tile->rank; d++)
		unit[d] = tile->bits[d];
	return times_bases(tile, TILE_REGISTER, desc->register_bases,
			desc->register_count, unit, without) &&
		times_bases(tile, TILE_WARP, desc->warp_bases, desc->warp_count, unit,
			without);
}

/* Rows of version 1 alternate between the halves of a wave; those of the later
 * versions come in eights.  32 rows are two instructions' worth of registers. */
bool cover_wmma(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape)
{
	const struct matrix matrix = matrix_of(desc->rank, desc->rank - 1);
	unsigned rows = desc->is_transposed ? matrix.n : matrix.m;
	unsigned columns = desc->is_transposed ? matrix.m : matrix.n;
	bool first = desc->version == 1;
	enum tile_in low = first ? TILE_LANE : TILE_REGISTER;
	enum tile_in high = first ? TILE_REGISTER : TILE_LANE;

	return tile_repeat(tile, TILE_LANE, columns, WMMA_SIDE) &&
		tile_repeat(tile, low, rows, first ? 2 : 8) &&
		tile_repeat(tile, high, rows, first ? 8 : 2) &&
		tile_repeat(tile, TILE_REGISTER, rows,
			desc->instr_shape[0] / WMMA_SIDE) &&
		times_warps(tile, desc, -1) &&
		tile_fit_blocks(tile, desc, shape, -1, matrix.order);
}

/* Rows, or columns, of an instruction's operand.  A transposed result swaps the
 * operands. */
static int64_t wmma_across(const layout_triton_desc *parent, int64_t op_idx)
{
	return parent->instr_shape[parent->is_transposed ? 1 - op_idx : op_idx];
}

/* kWidth elements of K a lane, lanes along the other dimension; the halves of a wave
 * hold the same in version 1, and what follows along K later on. */
bool cover_wmma_operand(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape, unsigned k, unsigned other)
{
	const layout_triton_desc *parent = &desc->parent->desc;
	const struct matrix operand = matrix_of(desc->rank, k);
	int64_t rest = parent->instr_shape[2] / desc->k_width / 2;

	return tile_repeat(tile, TILE_REGISTER, k, desc->k_width) &&
		tile_repeat(tile, TILE_LANE, other, WMMA_SIDE) &&
		(parent->version == 1 ? tile_broadcast(tile, TILE_LANE, 2) :
			tile_repeat(tile, TILE_LANE, k, 2)) &&
		tile_repeat(tile, TILE_REGISTER, k, rest) &&
		tile_repeat(tile, TILE_REGISTER, other,
			wmma_across(parent, desc->op_idx) / WMMA_SIDE) &&
		times_warps(tile, parent, (int)k) &&
		tile_fit_blocks(tile, parent, shape, (int)k, operand.order);
}

/* mma.sync, and a warp's part of wgmma: "width" elements of a lane along "inner", then lanes along it, then along
 * "outer", of which there are "rows", and the same again along "inner". */
static bool cover_mma_tile(struct tile *tile, unsigned inner, unsigned outer, int64_t width,
	int64_t rows, int64_t again)
{
	return tile_repeat(tile, TILE_REGISTER, inner, width) &&
		tile_repeat(tile, TILE_LANE, inner, MMA_LANES) &&
		tile_repeat(tile, TILE_LANE, outer, MMA_SIDE) &&
		tile_repeat(tile, TILE_REGISTER, outer, rows / MMA_SIDE) &&
		tile_repeat(tile, TILE_REGISTER, inner, again);
}

/* Four warps that follow each other have the rows of a wgmma. */
static struct matrix mma_warps(const layout_triton_desc *desc)
{
	return matrix_of(desc->rank, desc->rank - (desc->version == 3 ? 2 : 1));
}

bool cover_mma(struct tile *tile, const layout_triton_desc *desc, const int64_t *shape)
{
	const struct matrix matrix = matrix_of(desc->rank, desc->rank - 1);
	const struct matrix warps = mma_warps(desc);
	int64_t again = desc->instr_shape[matrix.n] / MMA_SIDE;

	return cover_mma_tile(tile, matrix.n, matrix.m, 2, desc->instr_shape[matrix.m],
			again) &&
		tile_repeat_all(tile, TILE_WARP, desc->warps_per_cta, warps.order, -1) &&
		tile_fit_blocks(tile, desc, shape, -1, matrix.order);
}

/* Two groups of kWidth elements of K, of as many rows or columns as the result has. */
bool cover_mma_operand(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape, unsigned k, unsigned other)
{
	const layout_triton_desc *parent = &desc->parent->desc;
	const struct matrix result = mma_warps(parent);
	const struct matrix operand = matrix_of(desc->rank, k);

	return cover_mma_tile(tile, k, other, desc->k_width, parent->instr_shape[other], 2) &&
		tile_repeat_all(tile, TILE_WARP, parent->warps_per_cta, result.order,
			(int)k) &&
		tile_fit_blocks(tile, parent, shape, (int)k, operand.order);
}

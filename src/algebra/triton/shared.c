/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings of shared memory, after Triton's LinearLayoutConversions.cpp. */
#include "algebra/triton/cover.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <string.h>

/* Bytes that all banks have together, and of what is swizzled as a whole. */
enum { LINE = 128, PIECE = 16, SWIZZLED_ROWS = 8 };

/* The column of a row's first element, XOR-ed over a block's part of the two fastest
 * dimensions; linear in the row's bits. */
static int64_t swizzle_of(const layout_triton_desc *desc, int64_t row, int64_t columns)
{
	int64_t phase = row / desc->per_phase;
	int64_t turn = phase / desc->max_phase % desc->max_phase;

	phase %= desc->max_phase;
	if (desc->kind == LAYOUT_TRITON_AMD_ROTATING_SHARED)
		phase ^= turn;
	return (int64_t)((uint64_t)desc->vec * (uint64_t)phase & (uint64_t)(columns - 1));
}

bool cover_swizzled(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape)
{
	int64_t part[LAYOUT_TRITON_RANK];
	unsigned column = (unsigned)desc->order[0];

	tile_block_shape(desc, shape, -1, part);
	if (!tile_repeat_all(tile, TILE_OFFSET, part, desc->order, -1))
		return false;
	for (unsigned i = 0; i < tile->counts[TILE_OFFSET] && desc->rank > 1; i++) {
		int64_t *basis = tile_basis(tile, TILE_OFFSET, i);
		int64_t row = basis[desc->order[1]];

		if (row)
			basis[column] = swizzle_of(desc, row, part[column]);
	}
	return tile_fit_blocks(tile, desc, shape, -1, desc->order);
}

/* Eight rows of as many bytes as are swizzled, 16 bytes of which change places as wgmma's
 * descriptors have it; then more rows, then more columns. */
bool cover_nvmma_shared(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape)
{
	unsigned row = desc->is_transposed, column = !desc->is_transposed;
	const int64_t order[] = { row, column }, rows_last[] = { column, row };
	int64_t vector = 128 / desc->element_bits;
	int64_t columns = 8 * desc->swizzle_bytes / desc->element_bits, part[2];

	tile_block_shape(desc, shape, -1, part);
	if (!desc->swizzle_bytes)
		return tile_repeat_all(tile, TILE_OFFSET, part, rows_last, -1) &&
			tile_fit_blocks(tile, desc, shape, -1, rows_last);
	if (part[column] < columns || part[row] < SWIZZLED_ROWS) {
		layout_fail(tile->ctx, LAYOUT_ERROR_SPACE, -1, "nvmma_shared: %" PRId64
			" rows of %" PRId64 " elements, where at least %d of %" PRId64
			" are swizzled", part[row], part[column], SWIZZLED_ROWS, columns);
		return false;
	}
	if (!tile_repeat(tile, TILE_OFFSET, column, columns) ||
	    !tile_repeat(tile, TILE_OFFSET, row, SWIZZLED_ROWS))
		return false;
	for (unsigned i = 0; i < tile->counts[TILE_OFFSET]; i++) {
		int64_t *basis = tile_basis(tile, TILE_OFFSET, i);

		if (basis[row])
			basis[column] = vector * (basis[row] * desc->swizzle_bytes / LINE %
				(desc->swizzle_bytes / PIECE));
	}
	return tile_fit_blocks(tile, desc, shape, -1, order);
}

/* Bases as they are. */
static bool take_bases(struct tile *tile, enum tile_in in, const int64_t *bases,
	unsigned count)
{
	for (unsigned i = 0; i < count; i++, bases += tile->rank) {
		int64_t *basis = tile_add(tile, in);

		if (!basis)
			return false;
		memcpy(basis, bases, tile->rank * sizeof(*basis));
	}
	return true;
}

/* Without its padding. */
bool cover_padded(struct tile *tile, const layout_triton_desc *desc, const int64_t *shape)
{
	int64_t part[LAYOUT_TRITON_RANK];

	if (desc->offset_bases) {
		for (unsigned d = 0; d < desc->rank; d++)
			tile->bits[d] = (unsigned)int_log2(shape[d]);
		return take_bases(tile, TILE_OFFSET, desc->offset_bases,
				desc->offset_count) &&
			take_bases(tile, TILE_BLOCK, desc->block_bases,
				desc->block_count);
	}
	tile_block_shape(desc, shape, -1, part);
	return tile_repeat_all(tile, TILE_OFFSET, part, desc->order, -1) &&
		tile_fit_blocks(tile, desc, shape, -1, desc->order);
}

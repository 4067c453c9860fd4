/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings of shared memory, after Triton's LinearLayoutConversions.cpp. */
#include "algebra/triton/cover.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <string.h>

/* Bytes that all banks have together, and of what is swizzled as a whole; the most elements of a
 * dimension that are copied at once. */
enum { LINE = 128, PIECE = 16, SWIZZLED_ROWS = 8, LOAD = 256 };

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

/* The dimension whose elements follow each other where they are swizzled. */
static unsigned column_of(const layout_triton_desc *desc)
{
	return desc->is_transposed ? 0 : desc->rank - 1;
}

/* What one load of the tensor memory accelerator copies of a block's part: at most 256 of a
 * dimension, and of that which is contiguous as many bytes as are swizzled.  "contiguous" elements
 * are these; 0: nothing is swizzled. */
static bool find_loads(const struct tile *tile, const layout_triton_desc *desc,
	const int64_t *part, int64_t contiguous, int64_t *load)
{
	unsigned column = column_of(desc);
	int64_t rows = 1;

	for (unsigned d = 0; d < desc->rank; d++) {
		load[d] = part[d] < LOAD ? part[d] : LOAD;
		rows *= d == column ? 1 : load[d];
	}
	if (!contiguous)
		return true;
	load[column] = contiguous;
	if (part[column] >= contiguous && rows >= SWIZZLED_ROWS)
		return true;
	layout_fail(tile->ctx, LAYOUT_ERROR_SPACE, -1, "nvmma_shared: %" PRId64 " rows of %" PRId64
		" elements, where at least %d of %" PRId64 " are swizzled", rows, part[column],
		SWIZZLED_ROWS, contiguous);
	return false;
}

/* The columns of a row.  Of each 16 bytes of 4-bit elements in pairs only 8 are there. */
static bool cover_columns(struct tile *tile, const layout_triton_desc *desc, unsigned column,
	int64_t count)
{
	if (!desc->fp4_padded)
		return tile_repeat(tile, TILE_OFFSET, column, count);
	return tile_repeat(tile, TILE_OFFSET, column, PIECE / 2) &&
		tile_broadcast(tile, TILE_OFFSET, 2) &&
		tile_repeat(tile, TILE_OFFSET, column, count / (PIECE / 2));
}

/* Rows of as many bytes as are swizzled, 16 bytes of which change places in eight rows as
 * wgmma's descriptors have it; the rows of all dimensions but the contiguous one, the last of these
 * fastest, that one load copies; then further loads. */
static bool cover_swizzled_rows(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *load)
{
	unsigned column = column_of(desc), first;
	int64_t piece = desc->fp4_padded ? PIECE / 2 : 8 * PIECE / desc->element_bits;

	if (!cover_columns(tile, desc, column, load[column]))
		return false;
	first = tile->counts[TILE_OFFSET];
	for (unsigned d = desc->rank; d-- > 0;)
		if (d != column && !tile_repeat(tile, TILE_OFFSET, d, load[d]))
			return false;
	for (unsigned bit = 0; 1 << bit < SWIZZLED_ROWS; bit++)
		tile_basis(tile, TILE_OFFSET, first + bit)[column] = piece *
			((desc->swizzle_bytes << bit) / LINE % (desc->swizzle_bytes / PIECE));
	return true;
}

bool cover_nvmma_shared(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape)
{
	int64_t part[LAYOUT_TRITON_RANK], load[LAYOUT_TRITON_RANK];
	int64_t last_first[LAYOUT_TRITON_RANK], first_first[LAYOUT_TRITON_RANK];
	int64_t contiguous = 8 * desc->swizzle_bytes / desc->element_bits;

	for (unsigned d = 0; d < desc->rank; d++) {
		first_first[d] = d;
		last_first[d] = desc->rank - 1 - d;
	}
	tile_block_shape(desc, shape, -1, part);
	if (!find_loads(tile, desc, part, desc->fp4_padded ? contiguous / 2 : contiguous, load))
		return false;
	if (!desc->swizzle_bytes)
		return tile_repeat_all(tile, TILE_OFFSET, load, last_first, -1) &&
			tile_fit_blocks(tile, desc, shape, -1, last_first);
	return cover_swizzled_rows(tile, desc, load) &&
		tile_fit_blocks(tile, desc, shape, -1, first_first);
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

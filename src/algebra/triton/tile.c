/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/triton/tile.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tile_in_name(enum tile_in in, bool shared)
{
	static const char *const names[2][TILE_INS] = {
		{ "register", "lane", "warp", "block" },
		{ [TILE_OFFSET] = "offset", [TILE_BLOCK] = "block" },
	};

	return names[shared][in];
}

struct tile *tile_new(layout_context *ctx, unsigned rank)
{
	struct tile *tile = layout_alloc(ctx, 1, sizeof(*tile) +
		sizeof(int64_t) * TILE_INS * TRITON_BITS * rank);

	if (tile) {
		tile->ctx = ctx;
		tile->rank = rank;
	}
	return tile;
}

void tile_free(struct tile *tile)
{
	free(tile);
}

int64_t *tile_basis(struct tile *tile, enum tile_in in, unsigned i)
{
	return tile->bases + ((size_t)in * TRITON_BITS + i) * tile->rank;
}

static bool too_large(struct tile *tile)
{
	layout_fail(tile->ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the encoding needs more than %d bits of one coordinate", TRITON_BITS);
	return false;
}

int64_t *tile_add(struct tile *tile, enum tile_in in)
{
	if (tile->counts[in] < TRITON_BITS)
		return tile_basis(tile, in, tile->counts[in]++);
	too_large(tile);
	return NULL;
}

bool tile_repeat(struct tile *tile, enum tile_in in, unsigned dim, int64_t size)
{
	for (int64_t step = 1; step < size; step *= 2) {
		int64_t *basis;

		if (tile->bits[dim] == TRITON_BITS)
			return too_large(tile);
		basis = tile_add(tile, in);
		if (!basis)
			return false;
		basis[dim] = (int64_t)1 << tile->bits[dim]++;
	}
	return true;
}

bool tile_broadcast(struct tile *tile, enum tile_in in, int64_t size)
{
	for (int64_t step = 1; step < size; step *= 2)
		if (!tile_add(tile, in))
			return false;
	return true;
}

bool tile_repeat_all(struct tile *tile, enum tile_in in, const int64_t *sizes,
	const int64_t *order, int without)
{
	for (unsigned i = 0; i < tile->rank; i++) {
		int64_t dim = order[i];

		if (dim == without ? !tile_broadcast(tile, in, sizes[dim]) :
				!tile_repeat(tile, in, (unsigned)dim, sizes[dim]))
			return false;
	}
	return true;
}

bool tile_fill(struct tile *tile, enum tile_in in, unsigned dim, int64_t size)
{
	return tile_repeat(tile, in, dim, size >> tile->bits[dim]);
}

/* tile_fit_blocks() of a single block. */
static bool fit(struct tile *tile, const int64_t *shape, const int64_t *order)
{
	for (unsigned i = 0; i < tile->rank; i++)
		if (!tile_fill(tile, TILE_REGISTER, (unsigned)order[i], shape[order[i]]))
			return false;
	for (unsigned in = 0; in < TILE_INS; in++)
		for (unsigned i = 0; i < tile->counts[in]; i++)
			for (unsigned d = 0; d < tile->rank; d++)
				if (tile_basis(tile, in, i)[d] >= shape[d])
					tile_basis(tile, in, i)[d] = 0;
	for (unsigned d = 0; d < tile->rank; d++)
		tile->bits[d] = (unsigned)int_log2(shape[d]);
	return true;
}

/* Does a basis of a register go beyond a tensor? */
static bool is_outside(const int64_t *basis, unsigned rank, const int64_t *shape)
{
	for (unsigned d = 0; d < rank; d++)
		if (basis[d] >= shape[d])
			return true;
	return false;
}

/* Only of steps that are powers of two is it known which lie beyond a tensor of that size. */
static bool can_cut(struct tile *tile, enum tile_in in, unsigned dim, int64_t size)
{
	for (unsigned i = 0; i < tile->counts[in]; i++) {
		int64_t step = tile_basis(tile, in, i)[dim];

		if (step & (step - 1)) {
			layout_fail(tile->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"a basis goes by %" PRId64 " in dimension %u, of which the "
				"tensor has %" PRId64 ": that cannot be cut", step, dim, size);
			return false;
		}
	}
	return true;
}

bool tile_cut(struct tile *tile, const int64_t *shape, const int64_t *order)
{
	unsigned count = 0;

	for (unsigned d = 0; d < tile->rank; d++)
		for (unsigned in = 0; in < TILE_INS; in++)
			if (shape[d] < (int64_t)1 << tile->bits[d] &&
			    !can_cut(tile, (enum tile_in)in, d, shape[d]))
				return false;
	for (unsigned i = 0; i < tile->counts[TILE_REGISTER]; i++) {
		const int64_t *basis = tile_basis(tile, TILE_REGISTER, i);

		if (!is_outside(basis, tile->rank, shape))
			memmove(tile_basis(tile, TILE_REGISTER, count++), basis,
				tile->rank * sizeof(*basis));
	}
	for (unsigned i = count; i < tile->counts[TILE_REGISTER]; i++)
		memset(tile_basis(tile, TILE_REGISTER, i), 0, tile->rank * sizeof(int64_t));
	tile->counts[TILE_REGISTER] = count;
	return fit(tile, shape, order);
}

void tile_block_shape(const layout_triton_desc *desc, const int64_t *shape, int whole,
	int64_t *part)
{
	for (unsigned d = 0; d < desc->rank; d++)
		part[d] = shape[d];
	for (unsigned i = 0; i < desc->block_count; i++)
		for (unsigned d = 0; d < desc->rank; d++)
			if (desc->block_bases[i * desc->rank + d] && part[d] > 1 &&
			    (int)d != whole)
				part[d] /= 2;
}

bool tile_fit_blocks(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape, int whole, const int64_t *order)
{
	int64_t part[LAYOUT_TRITON_RANK];

	tile_block_shape(desc, shape, whole, part);
	if (!fit(tile, part, order))
		return false;
	for (unsigned i = 0; i < desc->block_count; i++) {
		const int64_t *from = desc->block_bases + (size_t)i * desc->rank;
		int64_t *basis = tile_add(tile, TILE_BLOCK);

		if (!basis)
			return false;
		for (unsigned d = 0; d < desc->rank; d++)
			if (from[d] < shape[d] / part[d])
				basis[d] = from[d] * part[d];
	}
	for (unsigned d = 0; d < desc->rank; d++)
		tile->bits[d] = (unsigned)int_log2(shape[d]);
	return true;
}

static bool is_zero(const int64_t *basis, unsigned rank)
{
	for (unsigned d = 0; d < rank; d++)
		if (basis[d])
			return false;
	return true;
}

/* The bases move together as their rank shrinks: each is written at or before the
 * place where it was read. */
void tile_drop(struct tile *tile, unsigned dim)
{
	unsigned old = tile->rank, rank = old - 1;

	memmove(tile->bits + dim, tile->bits + dim + 1,
		(rank - dim) * sizeof(*tile->bits));
	tile->rank = rank;
	for (unsigned in = 0; in < TILE_INS; in++) {
		const int64_t *from = tile->bases + (size_t)in * TRITON_BITS * old;
		unsigned count = 0;

		for (unsigned i = 0; i < tile->counts[in]; i++, from += old) {
			int64_t *to = tile_basis(tile, in, count);

			memmove(to, from, dim * sizeof(*to));
			memmove(to + dim, from + dim + 1, (rank - dim) * sizeof(*to));
			count += in != TILE_REGISTER || !is_zero(to, rank);
		}
		tile->counts[in] = count;
	}
}

/* Compacts the bases on the way. */
layout_linear *tile_linear(struct tile *tile, bool shared)
{
	layout_size ins[TILE_INS], outs[LAYOUT_TRITON_RANK];
	char out_names[LAYOUT_TRITON_RANK][16];
	unsigned in_count = 0, total = 0;

	for (unsigned in = 0; in < TILE_INS; in++) {
		if (!tile_in_name((enum tile_in)in, shared))
			continue;
		memmove(tile->bases + (size_t)total * tile->rank, tile_basis(tile, in, 0),
			(size_t)tile->counts[in] * tile->rank * sizeof(int64_t));
		ins[in_count].name = tile_in_name((enum tile_in)in, shared);
		ins[in_count++].value = (int64_t)1 << tile->counts[in];
		total += tile->counts[in];
	}
	for (unsigned d = 0; d < tile->rank; d++) {
		snprintf(out_names[d], sizeof(out_names[d]), "dim%u", d);
		outs[d].name = out_names[d];
		outs[d].value = (int64_t)1 << tile->bits[d];
	}
	return layout_linear_new(tile->ctx, ins, in_count, outs, tile->rank, tile->bases);
}

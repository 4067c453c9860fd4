/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Packs and unpacks: a pad, an expand and a transpose, and a transpose, a collapse and a
 * slice. */
#include "algebra/chain/chain.h"

#include <inttypes.h>
#include <stdlib.h>

/*	dims		the dimensions that are tiled
 *	tiles		of each of them
 *	outer		the order of the outer dimensions */
struct packing {
	unsigned rank, count;
	unsigned dims[CHAIN_RANK], outer[CHAIN_RANK];
	int64_t tiles[CHAIN_RANK];
};

/* Which tile dimension "dim" has, "count" for none. */
static unsigned tile_of(const struct packing *packing, unsigned dim)
{
	unsigned i = 0;

	while (i < packing->count && packing->dims[i] != dim)
		i++;
	return i;
}

static bool check_packing(layout_context *ctx, struct packing *packing,
	const int64_t *inner_dims_pos, const int64_t *outer_dims_perm)
{
	for (unsigned d = 0; d < packing->rank; d++)
		packing->outer[d] = d;
	return chain_check_dims(ctx, packing->count, inner_dims_pos, packing->rank,
			"a tiled dimension", packing->dims) &&
		(!outer_dims_perm || chain_check_dims(ctx, packing->rank,
			outer_dims_perm, packing->rank, "the outer permutation",
			packing->outer));
}

static bool take_tile(layout_context *ctx, isl_aff *size, int64_t *tile)
{
	if (isl_aff_is_cst(size) != isl_bool_true) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a tile must be a number: an index is not affine in it");
		return false;
	}
	if (!size_aff_number(ctx, size, tile))
		return false;
	if (*tile < 1)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"a tile must be at least 1, not %" PRId64, *tile);
	return *tile >= 1;
}

/* How far a size is from whole tiles: tile*ceil(size/tile) - size. */
static isl_aff *missing(layout_chain *chain, unsigned dim, int64_t tile)
{
	isl_aff *size = chain_aff(chain, &chain->sizes[dim]);
	isl_aff *tiles = aff_floor(isl_aff_add_constant_val(isl_aff_copy(size),
		isl_val_int_from_si(bridge_isl(chain->ctx), tile - 1)), tile);

	return isl_aff_sub(aff_scale(tiles, tile), size);
}

static isl_aff **new_list(layout_chain *chain, unsigned count)
{
	return chain ? layout_alloc(chain->ctx, count, sizeof(isl_aff *)) : NULL;
}

static layout_chain *pad_to_tiles(layout_chain *chain, const struct packing *packing,
	const char *value)
{
	isl_aff **low = new_list(chain, packing->rank);
	isl_aff **high = new_list(chain, packing->rank);

	for (unsigned d = 0; low && high && d < packing->rank; d++) {
		unsigned tile = tile_of(packing, d);

		low[d] = chain_size_integer(chain, 0);
		high[d] = tile == packing->count ? chain_size_integer(chain, 0) :
			missing(chain, d, packing->tiles[tile]);
	}
	return chain_padded(chain, low, high, value);
}

/* Each tiled dimension becomes two; "groups" has room for all. */
static void find_groups(const struct packing *packing, unsigned groups[CHAIN_RANK])
{
	for (unsigned d = 0; d < packing->rank; d++)
		groups[d] = tile_of(packing, d) == packing->count ? 1 : 2;
}

static layout_chain *expand_tiles(layout_chain *chain, const struct packing *packing)
{
	isl_aff **sizes = new_list(chain, packing->rank + packing->count);
	unsigned groups[CHAIN_RANK], at = 0;

	find_groups(packing, groups);
	for (unsigned d = 0; sizes && d < packing->rank; d++, at++)
		if (groups[d] == 2)
			sizes[++at] = chain_size_integer(chain,
				packing->tiles[tile_of(packing, d)]);
	return chain_expanded(chain, packing->rank, groups, sizes);
}

/* Where dimension "dim" stands among those of the tensor with its tiles beside them. */
static unsigned place_of(const struct packing *packing, unsigned dim)
{
	unsigned place = 0;

	for (unsigned d = 0; d < dim; d++)
		place += tile_of(packing, d) == packing->count ? 1 : 2;
	return place;
}

/* Packed dimension j is dimension order[j] of the tensor with its tiles beside them. */
static void find_order(const struct packing *packing, unsigned order[CHAIN_RANK])
{
	for (unsigned d = 0; d < packing->rank; d++)
		order[d] = place_of(packing, packing->outer[d]);
	for (unsigned i = 0; i < packing->count; i++)
		order[packing->rank + i] = place_of(packing, packing->dims[i]) + 1;
}

/* The tiles, and what is between the texts and the shape: as find_order() has room for. */
static bool read_packing(layout_chain *chain, struct packing *packing,
	const int64_t *inner_dims_pos, const char *const *inner_tiles,
	const int64_t *outer_dims_perm)
{
	isl_aff **tiles = NULL;
	bool good;

	if (packing->count > CHAIN_RANK - packing->rank) {
		layout_fail(chain->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a step of %u dimensions and %u tiles is beyond %d", packing->rank,
			packing->count, CHAIN_RANK);
		return false;
	}
	if (!check_packing(chain->ctx, packing, inner_dims_pos, outer_dims_perm))
		return false;
	bridge_enter(chain->ctx);
	tiles = chain_sizes_read(chain->ctx, packing->count, inner_tiles, false,
		"tile for a dimension");
	good = tiles;
	for (unsigned i = 0; good && i < packing->count; i++)
		good = take_tile(chain->ctx, tiles[i], &packing->tiles[i]);
	chain_affs_free(tiles, packing->count);
	return bridge_leave(chain->ctx, "read tiles") && good;
}

/* Close a bridge_enter() around the steps of an operation. */
static layout_chain *leave(layout_context *ctx, layout_chain *chain)
{
	if (bridge_leave(ctx, "fold a chain"))
		return chain;
	layout_chain_free(chain);
	return NULL;
}

static void refuse_rest(layout_chain *chain, unsigned dim, int64_t tile)
{
	const struct size *size = &chain->sizes[dim];

	if (size->value < 0)
		layout_fail(chain->ctx, LAYOUT_ERROR_INVALID, -1,
			"dimension %u has size %s, which is no multiple of its tile %"
			PRId64 ": it needs padding", dim, size->text, tile);
	else
		layout_fail(chain->ctx, LAYOUT_ERROR_INVALID, -1,
			"dimension %u has size %" PRId64 ", which is no multiple of its "
			"tile %" PRId64 ": it needs padding by %" PRId64, dim,
			size->value, tile, tile - size->value % tile);
}

/* Without padding the tiles are whole, where the sizes allow it. */
static bool check_whole(layout_chain *chain, const struct packing *packing)
{
	bool good = true;

	for (unsigned i = 0; good && i < packing->count; i++) {
		isl_aff *rest = aff_mod(chain_aff(chain, &chain->sizes[packing->dims[i]]),
			packing->tiles[i]);

		good = chain_possible(chain, aff_zero_set(rest));
		if (!good && !bridge_failed(chain->ctx))
			refuse_rest(chain, packing->dims[i], packing->tiles[i]);
	}
	return good;
}

static layout_chain *packed(layout_chain *chain, const struct packing *packing,
	const char *value)
{
	unsigned order[CHAIN_RANK];

	layout_context *ctx = chain->ctx;

	bridge_enter(ctx);
	if (value) {
		chain = pad_to_tiles(chain, packing, value);
	} else if (!check_whole(chain, packing)) {
		layout_chain_free(chain);
		chain = NULL;
	}
	find_order(packing, order);
	chain = chain_transposed(expand_tiles(chain, packing), order);
	return leave(ctx, chain);
}

layout_chain *layout_chain_pack(layout_chain *chain, unsigned inner_count,
	const int64_t *inner_dims_pos, const char *const *inner_tiles,
	const int64_t *outer_dims_perm, const char *value)
{
	const struct chain_list lists[] = {
		{ .numbers = inner_dims_pos, .count = inner_count },
		{ .texts = inner_tiles, .count = inner_count },
		{ .numbers = outer_dims_perm, .count = chain ? chain->rank : 0,
			.name = "outer_dims_perm" },
	};
	struct packing packing = { .rank = chain ? chain->rank : 0,
		.count = inner_count };

	if (!chain)
		return NULL;
	if (!read_packing(chain, &packing, inner_dims_pos, inner_tiles,
			outer_dims_perm)) {
		layout_chain_free(chain);
		return NULL;
	}
	return chain_written(packed(chain, &packing, value), "pack", lists,
		outer_dims_perm ? 3 : 2, value, "pad");
}

/* The tiles are the innermost sizes. */
static bool find_packing(layout_chain *chain, struct packing *packing,
	const int64_t *inner_dims_pos, const int64_t *outer_dims_perm)
{
	bool good = true;

	if (packing->count > chain->rank / 2) {
		layout_fail(chain->ctx, LAYOUT_ERROR_SPACE, -1,
			"a packed tensor of rank %u cannot have %u tiles", chain->rank,
			packing->count);
		return false;
	}
	packing->rank = chain->rank - packing->count;
	if (!check_packing(chain->ctx, packing, inner_dims_pos, outer_dims_perm))
		return false;
	bridge_enter(chain->ctx);
	for (unsigned i = 0; good && i < packing->count; i++)
		good = take_tile(chain->ctx, chain->sizes[packing->rank + i].aff,
			&packing->tiles[i]);
	return bridge_leave(chain->ctx, "read tiles") && good;
}

/* The first indices of whole tiles; "sizes", which is consumed, has NULL for all. */
static layout_chain *cut(layout_chain *chain, isl_aff **sizes)
{
	isl_aff **offsets;
	bool whole = true;

	for (unsigned d = 0; d < chain->rank; d++)
		whole = whole && !sizes[d];
	if (whole) {
		free(sizes);
		return chain;
	}
	offsets = new_list(chain, chain->rank);
	for (unsigned d = 0; offsets && d < chain->rank; d++) {
		offsets[d] = chain_size_integer(chain, 0);
		if (!sizes[d])
			sizes[d] = isl_aff_copy(chain->sizes[d].aff);
	}
	return chain_sliced(chain, offsets, sizes, NULL, NULL, true);
}

/* Consumes the sizes. */
static layout_chain *unpacked(layout_chain *chain, const struct packing *packing,
	isl_aff **sizes)
{
	unsigned order[CHAIN_RANK], back[CHAIN_RANK], groups[CHAIN_RANK];
	layout_context *ctx = chain->ctx;

	find_order(packing, order);
	for (unsigned j = 0; j < packing->rank + packing->count; j++)
		back[order[j]] = j;
	find_groups(packing, groups);
	bridge_enter(ctx);
	chain = chain_collapsed(chain_transposed(chain, back), packing->rank, groups);
	if (chain)
		chain = cut(chain, sizes);
	else
		chain_affs_free(sizes, packing->rank);
	return leave(ctx, chain);
}

layout_chain *layout_chain_unpack(layout_chain *chain, unsigned inner_count,
	const int64_t *inner_dims_pos, const int64_t *outer_dims_perm,
	const char *const *sizes)
{
	struct packing packing = { .count = inner_count };
	struct chain_list lists[] = {
		{ .numbers = inner_dims_pos, .count = inner_count },
		{ .texts = sizes },
		{ .numbers = outer_dims_perm, .name = "outer_dims_perm" },
	};
	isl_aff **read = NULL;

	if (!chain)
		return NULL;
	if (find_packing(chain, &packing, inner_dims_pos, outer_dims_perm)) {
		bridge_enter(chain->ctx);
		read = chain_sizes_read(chain->ctx, packing.rank, sizes, true,
			"size for a dimension");
		if (!bridge_leave(chain->ctx, "read sizes")) {
			chain_affs_free(read, packing.rank);
			read = NULL;
		}
	}
	if (!read) {
		layout_chain_free(chain);
		return NULL;
	}
	lists[1].count = lists[2].count = packing.rank;
	return chain_written(unpacked(chain, &packing, read), "unpack", lists,
		outer_dims_perm ? 3 : 2, NULL, NULL);
}

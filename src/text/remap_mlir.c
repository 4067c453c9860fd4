/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps as the body of map_load or map_store: the chain of relayout operations that such a
 * remap is.  Between a row-major tensor and a packed one these are, and their reverse,
 *
 *	pack	tiles, padded, behind the outer dimensions
 *	expand	inner tiles into their parts
 *	transpose	the parts to their places
 */
#include "algebra/storage/encoding.h"
#include "algebra/storage/remap.h"
#include "algebra/storage/storage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_DIMS 64

/* The parts of a packed storage: how its inner tiles are split, and where parts go. */
struct split {
	unsigned groups, count;
	unsigned group_sizes[MOST_DIMS];
	int64_t permutation[MOST_DIMS], reverse[MOST_DIMS];
};

static void add_group(struct split *split, unsigned size)
{
	split->group_sizes[split->groups++] = size;
}

static void find_split(struct split *split, const layout_storage *packed)
{
	const layout_encoding *encoding = packed->encoding;
	unsigned rank = packed->rank;

	*split = (struct split){ 0 };
	for (unsigned d = 0; d < rank; d++) {
		add_group(split, 1);
		split->permutation[split->count++] = d;
	}
	for (unsigned i = 0; i < encoding->inner_count; i++)
		add_group(split, encoding->dim_count ? encoding->group_sizes[i] : 1);
	for (unsigned i = 0; i < encoding->dim_count; i++)
		split->permutation[split->count++] = rank + encoding->permutation[i];
	for (unsigned i = 0; i < split->count; i++)
		split->reverse[split->permutation[i]] = i;
}

static bool is_row_major(const layout_storage *storage)
{
	return storage->kind == LAYOUT_STORAGE_ROW_MAJOR && !storage->swizzle_count;
}

static bool is_packed(const layout_storage *storage)
{
	return storage->kind == LAYOUT_STORAGE_PACKED && !storage->swizzle_count &&
		!storage->units && storage->rank + storage->encoding->inner_count +
		storage->encoding->dim_count <= MOST_DIMS;
}

static layout_chain *row_major_chain(const layout_storage *storage)
{
	const char *sizes[LAYOUT_STORAGE_SLOTS];

	for (unsigned d = 0; d < storage->rank; d++)
		sizes[d] = storage->sizes[d].text;
	return layout_chain_new(layout_storage_row_major(storage->ctx, storage->rank,
		sizes));
}

/* A packed tensor's tiles behind the outer dimensions, and "pad" in what they leave. */
static layout_chain *pack(layout_chain *chain, const layout_storage *packed,
	const char *pad)
{
	const layout_encoding *encoding = packed->encoding;
	char text[MOST_DIMS][24];
	const char *tiles[MOST_DIMS];

	for (unsigned i = 0; i < encoding->inner_count; i++) {
		snprintf(text[i], sizeof(text[i]), "%" PRId64, encoding->inner_tiles[i]);
		tiles[i] = text[i];
	}
	return layout_chain_pack(chain, encoding->inner_count, encoding->inner_dims_pos,
		tiles, encoding->outer_dims_perm, pad);
}

/* Into the parts of the inner tiles, and these to their places; consumes the chain. */
static layout_chain *place_parts(layout_chain *chain, const layout_storage *packed,
	const struct split *split)
{
	const layout_encoding *encoding = packed->encoding;
	char text[MOST_DIMS][24];
	const char *sizes[MOST_DIMS];
	unsigned rank = packed->rank;

	if (!encoding->dim_count || !chain)
		return chain;
	for (unsigned i = 0; i < encoding->dim_count; i++) {
		snprintf(text[i], sizeof(text[i]), "%" PRId64, encoding->dims[i].size);
		sizes[rank + i] = text[i];
	}
	for (unsigned d = 0; d < rank; d++)
		sizes[d] = layout_chain_size(chain, d);
	chain = layout_chain_expand(chain, split->groups, split->group_sizes, sizes);
	return layout_chain_transpose(chain, split->count, split->permutation);
}

static layout_chain *pack_chain(layout_remap *remap, const char *pad)
{
	struct split split;

	find_split(&split, remap->destination);
	return place_parts(pack(row_major_chain(remap->source), remap->destination, pad),
		remap->destination, &split);
}

/* The packed tensor, row-major: its shape is that of the chain that packs. */
static layout_chain *packed_chain(const layout_storage *packed, const struct split *split)
{
	layout_chain *chain = place_parts(pack(row_major_chain(packed), packed, "0"), packed,
		split);
	const char *sizes[MOST_DIMS];
	layout_chain *result;

	if (!chain)
		return NULL;
	for (unsigned d = 0; d < layout_chain_rank(chain); d++)
		sizes[d] = layout_chain_size(chain, d);
	result = layout_chain_new(layout_storage_row_major(packed->ctx,
		layout_chain_rank(chain), sizes));
	layout_chain_free(chain);
	return result;
}

static layout_chain *unpack_chain(layout_remap *remap)
{
	const layout_storage *packed = remap->source;
	const layout_encoding *encoding = packed->encoding;
	const char *sizes[LAYOUT_STORAGE_SLOTS];
	struct split split;
	layout_chain *chain;

	find_split(&split, packed);
	chain = packed_chain(packed, &split);
	if (encoding->dim_count) {
		chain = layout_chain_transpose(chain, split.count, split.reverse);
		chain = layout_chain_collapse(chain, split.groups, split.group_sizes);
	}
	for (unsigned d = 0; d < packed->rank; d++)
		sizes[d] = packed->sizes[d].text;
	return layout_chain_unpack(chain, encoding->inner_count, encoding->inner_dims_pos,
		encoding->outer_dims_perm, sizes);
}

/* The chain, or NULL with the error on the context. */
static layout_chain *find_chain(layout_remap *remap)
{
	const layout_storage *source = remap->source, *destination = remap->destination;
	const char *pad = remap->pad ? remap->pad : "0";

	if (!conversion_is_copy(&remap->conversion))
		layout_fail(remap->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"map_load and map_store move elements as they are: this remap "
			"converts them");
	else if (remap->chain && is_row_major(destination) &&
			(!remap->pad || layout_chain_pad_value(remap->chain)))
		return layout_chain_copy(remap->chain);
	else if (!remap->map && is_row_major(source) && is_row_major(destination))
		return row_major_chain(source);
	else if (!remap->map && is_row_major(source) && is_packed(destination))
		return pack_chain(remap, pad);
	else if (!remap->map && is_packed(source) && is_row_major(destination))
		return unpack_chain(remap);
	else
		layout_fail(remap->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"map_load and map_store are written of remaps between row-major and "
			"packed tensors and of chains into row-major ones");
	return NULL;
}

/* Does a store leave no padding out? */
static bool store_is_all(layout_chain *chain)
{
	layout_set *padding = layout_chain_padding(chain);
	layout_answer none = layout_set_is_empty(padding);

	if (none == LAYOUT_NO)
		layout_fail(layout_chain_context(chain), LAYOUT_ERROR_UNSUPPORTED, -1,
			"map_store writes no padding, and this remap has some: map_load does");
	layout_set_free(padding);
	return none == LAYOUT_YES;
}

char *layout_remap_mlir(layout_remap *remap, layout_map_direction direction)
{
	layout_chain *chain = remap ? find_chain(remap) : NULL;
	char *text = NULL;

	if (chain && (direction == LAYOUT_MAP_LOAD || store_is_all(chain)))
		text = layout_chain_mlir(chain, direction, remap->conversion.from->name);
	layout_chain_free(chain);
	return text;
}

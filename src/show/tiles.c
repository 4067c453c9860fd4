/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tiles that a notation names, by coordinate. */
#include "show/modes.h"
#include "show/picture.h"

#include "algebra/nested/nested.h"
#include "algebra/storage/encoding.h"
#include "algebra/storage/storage.h"
#include "algebra/swizzle_attr.h"

#include <string.h>

/* Level k of a mode is its first k + 1 leaves; all of it where it has no more. */
static unsigned cute_tiles(layout_cute *cute, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	unsigned levels = 0;

	for (unsigned d = 0; d < rank; d++) {
		int64_t leaves[SHOW_LEAVES], size = 1;
		unsigned count = show_mode_leaves(cute, d, leaves), level = 0;

		for (unsigned i = 0; i + 1 < count && level < SHOW_LEVELS; i++) {
			size *= leaves[i];
			if (leaves[i] > 1)
				sizes[level++][d] = size;
		}
		levels = level > levels ? level : levels;
	}
	return levels;
}

/* The element, the thread's elements, and so on up to a subgroup's. */
static unsigned nested_tiles(const layout_nested *nested, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	for (unsigned d = 0; d < rank; d++) {
		int64_t size = 1;

		for (unsigned level = NESTED_ELEMENT; level > NESTED_SUBGROUP; level--) {
			size *= nested->tile[level][d];
			sizes[NESTED_ELEMENT - level][d] = size;
		}
	}
	return NESTED_ELEMENT - NESTED_SUBGROUP;
}

/* The inner tiles, and in each what remains behind its first part, its first two parts,
 * and so on: outermost first. */
static unsigned encoding_tiles(const layout_encoding *encoding, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	const layout_encoding_dim *part = encoding->dims;
	unsigned levels = 1;

	for (unsigned i = 0; i < encoding->inner_count; i++) {
		unsigned parts = encoding->group_sizes ? encoding->group_sizes[i] : 0;
		unsigned dim = encoding_dim(encoding, i, rank);
		int64_t size = encoding->inner_tiles[i];
		unsigned level = 0;

		part += parts;
		if (dim >= rank)
			continue;
		for (unsigned k = 0; k <= parts && level < SHOW_LEVELS; k++) {
			const layout_encoding_dim *own = part - parts;

			if (!k || own[k - 1].size > 1)
				sizes[level++][dim] = size;
			size = k < parts ? size / own[k].size : size;
		}
		levels = level > levels ? level : levels;
		while (level && level < SHOW_LEVELS) {
			sizes[level][dim] = sizes[level - 1][dim];
			level++;
		}
	}
	return levels;
}

static void reverse(unsigned levels, int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	for (unsigned i = 0; i < levels / 2; i++) {
		int64_t other[SHOW_DIMS];

		memcpy(other, sizes[i], sizeof(other));
		memcpy(sizes[i], sizes[levels - 1 - i], sizeof(other));
		memcpy(sizes[levels - 1 - i], other, sizeof(other));
	}
}

unsigned show_tile_sizes(layout_value *value, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	layout_storage *storage;
	layout_swizzle *swizzle;
	unsigned levels;

	for (unsigned i = 0; i < SHOW_LEVELS; i++)
		for (unsigned d = 0; d < SHOW_DIMS; d++)
			sizes[i][d] = INT64_MAX;
	switch (layout_value_get_kind(value)) {
	case LAYOUT_VALUE_CUTE:
		return cute_tiles(layout_value_cute(value), rank, sizes);
	case LAYOUT_VALUE_NESTED:
		return nested_tiles(layout_value_nested(value), rank, sizes);
	case LAYOUT_VALUE_SWIZZLE:
		swizzle = layout_value_swizzle(value);
		sizes[0][0] = swizzle->access_width;
		sizes[1][0] = swizzle->row_width;
		return 2;
	case LAYOUT_VALUE_STORAGE:
		storage = layout_value_storage(value);
		if (storage->kind != LAYOUT_STORAGE_PACKED)
			return 0;
		levels = encoding_tiles(storage->encoding, rank, sizes);
		reverse(levels, sizes);
		return levels;
	default:
		return 0;
	}
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storages in pictures: the tiles of what is packed. */
#include "show/kind.h"

#include "algebra/storage/encoding.h"
#include "algebra/storage/storage.h"

#include <string.h>

#define MOST_CELLS 4		/* for an element: what is nearly all padding shows little */

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

static unsigned tiles(layout_value *value, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	const layout_storage *storage = value->object;
	unsigned levels;

	if (storage->kind != LAYOUT_STORAGE_PACKED)
		return 0;
	levels = encoding_tiles(storage->encoding, rank, sizes);
	reverse(levels, sizes);
	return levels;
}

void show_declare_padding(struct show_picture *picture, const layout_storage *storage)
{
	int64_t tile[SHOW_DIMS], whole[SHOW_DIMS], cells = 1, elements = 1;
	const layout_encoding *encoding = storage->encoding;

	if (storage->kind != LAYOUT_STORAGE_PACKED || picture->rank != storage->rank)
		return;
	for (unsigned d = 0; d < picture->rank; d++)
		tile[d] = 1;
	for (unsigned i = 0; i < encoding->inner_count; i++) {
		unsigned dim = encoding_dim(encoding, i, storage->rank);

		if (dim < storage->rank && __builtin_mul_overflow(tile[dim],
		    encoding->inner_tiles[i], &tile[dim]))
			return;
	}
	for (unsigned d = 0; d < picture->rank; d++) {
		int64_t rest = picture->extent[d] % tile[d];

		whole[d] = picture->extent[d];
		if ((rest && __builtin_add_overflow(whole[d], tile[d] - rest, &whole[d])) ||
		    __builtin_mul_overflow(cells, whole[d], &cells) ||
		    __builtin_mul_overflow(elements, picture->extent[d], &elements))
			return;
	}
	picture->pads = cells / MOST_CELLS <= elements;
	for (unsigned d = 0; picture->pads && d < picture->rank; d++)
		show_declare(picture, d, whole[d]);
}

static void declare(struct show_picture *picture, layout_value *value)
{
	show_declare_padding(picture, value->object);
}

const struct show_kind show_storage = { .tiles = tiles, .declare = declare,
	.by_strides = true };

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Padding: what rounding up to whole tiles adds. */
#include "algebra/storage/sizes.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/xor.h"

#include <inttypes.h>
#include <string.h>

static int64_t tile_of(const layout_storage *storage, unsigned dim)
{
	for (unsigned k = 0; k < storage->slot_count; k++)
		if (!storage->slots[k].constant && storage->slots[k].dim == dim)
			return storage->slots[k].tile;
	return 1;
}

/* Whether dimension "dim" can have padding at all. */
static bool is_rounded(const layout_storage *storage, unsigned dim)
{
	int64_t size, tile = tile_of(storage, dim);

	if (tile == 1)
		return false;
	return !size_is_integer(storage->sizes[dim], &size) || size % tile != 0;
}

bool storage_is_rounded(const layout_storage *storage)
{
	bool any = false;

	for (unsigned d = 0; d < storage->rank; d++)
		any = any || is_rounded(storage, d);
	return any;
}

/* One box a dimension: outside the logical size there, inside it in the dimensions
 * before, anywhere in the rounded size after; within slots or logical indices, as
 * "within" says, which it consumes. */
static isl_set *boxes(layout_storage *storage, isl_set *within, bool slots)
{
	isl_set *all = isl_set_empty(isl_set_get_space(within));

	for (unsigned d = 0; d < storage->rank; d++) {
		isl_set *box;

		if (!is_rounded(storage, d))
			continue;
		box = storage_beyond(storage, d, slots);
		all = isl_set_union(all, isl_set_intersect(box, isl_set_copy(within)));
	}
	isl_set_free(within);
	return all;
}

layout_set *layout_storage_padding_boxes(layout_storage *storage)
{
	if (!storage)
		return NULL;
	bridge_enter(storage->ctx);
	return bridge_give_set(storage->ctx, "find the padding",
		boxes(storage, storage_rounded(storage), false));
}

/* The slots whose coordinates are in a box: affine, unlike the boxes themselves. */
layout_set *layout_storage_padding(layout_storage *storage)
{
	if (!storage)
		return NULL;
	bridge_enter(storage->ctx);
	return bridge_give_set(storage->ctx, "find the padding", storage_cells_of(storage,
		storage_in_memory(storage,
			boxes(storage, isl_set_copy(storage->maps->slots), true))));
}

/* "M", "(K + Q)", "513" */
static void print_size(struct layout_buffer *out, const char *size)
{
	bool simple = !strpbrk(size, " +-*");

	layout_buffer_printf(out, simple ? "%s" : "(%s)", size);
}

/* "528", "16*ceil(K/16)", "K" */
static void print_rounded(struct layout_buffer *out, const layout_storage *storage,
	unsigned dim)
{
	int64_t tile = tile_of(storage, dim), size;

	if (!is_rounded(storage, dim)) {
		print_size(out, storage->sizes[dim]);
		return;
	}
	if (size_is_integer(storage->sizes[dim], &size) &&
	    !__builtin_mul_overflow(size / tile + 1, tile, &size)) {
		layout_buffer_printf(out, "%" PRId64, size);
		return;
	}
	layout_buffer_printf(out, "%" PRId64 "*ceil(", tile);
	print_size(out, storage->sizes[dim]);
	layout_buffer_printf(out, "/%" PRId64 ")", tile);
}

static void print_product(struct layout_buffer *out, const layout_storage *storage,
	bool rounded)
{
	if (!storage->rank)
		layout_buffer_printf(out, "1");
	for (unsigned d = 0; d < storage->rank; d++) {
		layout_buffer_printf(out, d ? "*" : "");
		if (rounded)
			print_rounded(out, storage, d);
		else
			print_size(out, storage->sizes[d]);
	}
}

char *layout_storage_padding_count(layout_storage *storage)
{
	struct layout_buffer out = { 0 };

	if (!storage)
		return NULL;
	if (storage_is_rounded(storage)) {
		print_product(&out, storage, true);
		layout_buffer_printf(&out, " - ");
		print_product(&out, storage, false);
	} else {
		layout_buffer_printf(&out, "0");
	}
	return layout_buffer_take(storage->ctx, &out);
}

char *layout_storage_cell_count(layout_storage *storage)
{
	struct layout_buffer out = { 0 };

	if (!storage || storage->kind == LAYOUT_STORAGE_STRIDED)
		return NULL;
	print_product(&out, storage, true);
	return layout_buffer_take(storage->ctx, &out);
}

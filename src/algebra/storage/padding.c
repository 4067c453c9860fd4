/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Padding: what rounding up to whole tiles adds. */
#include "algebra/count/formula.h"
#include "algebra/size/affine.h"
#include "algebra/size/text.h"
#include "algebra/storage/encoding.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/twist.h"
#include "isl_bridge/aff.h"
#include <layout/count.h>

#include <inttypes.h>
#include <stdlib.h>

int64_t storage_tile(const layout_storage *storage, unsigned dim)
{
	unsigned rank = storage_tensor_rank(storage);

	for (unsigned i = 0; dim >= rank && i < storage->encoding->inner_count; i++)
		if (encoding_dim(storage->encoding, i, rank) == dim)
			return storage->encoding->inner_tiles[i];
	for (unsigned k = 0; k < storage->slot_count; k++)
		if (!storage->slots[k].constant && storage->slots[k].dim == dim)
			return storage->slots[k].tile;
	return 1;
}

/* Whether dimension "dim" can have padding at all. */
static bool is_rounded(const layout_storage *storage, unsigned dim)
{
	const struct size *size = &storage->sizes[dim];
	int64_t tile = storage_tile(storage, dim);

	return tile != 1 && (!size->number || size->value % tile);
}

bool storage_finds_slots(const layout_storage *storage)
{
	return storage->kind != LAYOUT_STORAGE_STRIDED || storage->maps->from_cell;
}

bool storage_is_rounded(const layout_storage *storage)
{
	bool any = false;

	for (unsigned d = 0; d < storage->rank; d++)
		any = any || is_rounded(storage, d);
	return any;
}

/* A size, rounded up to whole tiles; to be freed. */
static char *whole_size(const layout_storage *storage, unsigned dim)
{
	const struct size *size = &storage->sizes[dim];
	int64_t tile = storage_tile(storage, dim);
	struct layout_buffer out = { 0 };
	char *tiles;

	if (!is_rounded(storage, dim))
		return layout_strdup(storage->ctx, size->text);
	tiles = size->number ? NULL : text_ceil(storage->ctx, size->text, tile);
	if (size->number)
		layout_buffer_printf(&out, "%" PRId64, (size->value / tile + 1) * tile);
	else
		layout_buffer_printf(&out, "%" PRId64 "*%s", tile, tiles ? tiles : "");
	free(tiles);
	return layout_buffer_take(storage->ctx, &out);
}

static bool can_be_whole(const layout_storage *storage)
{
	bool good = !storage->swizzle_count;

	for (unsigned d = storage_tensor_rank(storage); d < storage->rank; d++)
		good = good && !is_rounded(storage, d);
	if (!good)
		layout_fail(storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, storage->swizzle_count ?
			"swizzles move the padding of the storage" :
			"the storage has padding in a tile of no dimension");
	return good;
}

layout_storage *storage_whole(layout_storage *storage)
{
	unsigned rank = storage_tensor_rank(storage), d = 0;
	char *sizes[LAYOUT_STORAGE_SLOTS] = { NULL };
	const char *const *list = (const char *const *)sizes;
	layout_storage *whole = NULL;

	if (!storage_is_rounded(storage))
		return layout_storage_copy(storage);
	if (!can_be_whole(storage))
		return NULL;
	while (d < rank && (sizes[d] = whole_size(storage, d)))
		d++;
	if (d == rank)
		whole = storage->tag ? layout_storage_tagged(storage->ctx, storage->tag, rank,
			list) : layout_storage_packed(layout_encoding_copy(storage->encoding),
			rank, list);
	for (d = 0; d < rank; d++)
		free(sizes[d]);
	return whole;
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

/* Multiply by the size of dimension "dim", rounded up to whole tiles if "rounded"; one
 * that is negative for some sizes has no elements there. */
static bool times_size(layout_storage *storage, struct term *term, unsigned dim,
	bool rounded)
{
	int64_t tile = storage_tile(storage, dim);
	isl_aff *size = size_of_names(&storage->sizes[dim]);
	struct factor factor = { .count = 1 };

	if (rounded)
		size = aff_scale(aff_ceil(size, tile), tile);
	factor.bounds[0] = size;
	factor.clipped = factor_is_negative(&factor);
	return term_times(term, &factor);
}

/* The elements, or the cells, as a formula; between bridge_enter() and bridge_leave(). */
static bool count_box(struct formula *formula, layout_storage *storage, bool rounded)
{
	struct term term;
	bool good = true;

	*formula = (struct formula){ .ctx = storage->ctx };
	term_start(&term, storage->ctx);
	for (unsigned d = 0; good && d < storage->rank; d++)
		good = times_size(storage, &term, d, rounded);
	if (good)
		formula_add(formula, &term);
	else
		layout_fail(storage->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no formula: there are more than %u dimensions", TERM_FACTORS);
	term_free(&term);
	return good;
}

static char *count_text_of(layout_storage *storage, bool rounded)
{
	struct formula formula;
	char *text = NULL;

	bridge_enter(storage->ctx);
	if (count_box(&formula, storage, rounded))
		text = formula_str(&formula);
	formula_free(&formula);
	if (bridge_leave(storage->ctx, "count the cells"))
		return text;
	layout_string_free(text);
	return NULL;
}

char *layout_storage_element_count(layout_storage *storage)
{
	return storage ? count_text_of(storage, false) : NULL;
}

char *layout_storage_padding_count(layout_storage *storage)
{
	struct formula cells, elements = { 0 };
	char *text = NULL;

	if (!storage)
		return NULL;
	bridge_enter(storage->ctx);
	if (count_box(&cells, storage, true) && count_box(&elements, storage, false)) {
		formula_subtract(&cells, &elements);
		text = formula_str(&cells);
	}
	formula_free(&cells);
	formula_free(&elements);
	if (bridge_leave(storage->ctx, "count the padding"))
		return text;
	layout_string_free(text);
	return NULL;
}

char *layout_storage_cell_count(layout_storage *storage)
{
	return storage && storage->kind != LAYOUT_STORAGE_STRIDED ?
		count_text_of(storage, true) : NULL;
}

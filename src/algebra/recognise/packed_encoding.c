/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The encoding of cells that are digits: the outermost digit of each dimension first, in
 * any order, then all others, which split a tile of each dimension. */
#include "algebra/recognise/packed_cells.h"

#include <inttypes.h>
#include <stdlib.h>

/* Of a logical dimension: the digits of its tile, which are cells, the smallest step
 * first, and the cell that counts tiles; "placed" where there is one. */
struct dim {
	bool placed;
	unsigned outer, digit_count;
	unsigned digits[LAYOUT_STORAGE_SLOTS];
	int64_t tile;
};

/* "perm": the dimension of each outer cell.  "extent" and "owner" of each cell inside. */
struct packing {
	const struct packed_cells *cells;
	struct dim dims[LAYOUT_STORAGE_SLOTS];
	int64_t perm[LAYOUT_STORAGE_SLOTS], extent[LAYOUT_STORAGE_SLOTS];
	unsigned owner[LAYOUT_STORAGE_SLOTS];
};

enum { CELL_TEXT = 96 };

/* "floor(i0/4) mod 8" into "text", which is returned. */
static const char *describe(const struct digit *cell, char text[CELL_TEXT])
{
	int length;

	if (cell->radix == 1)
		return "0";
	length = snprintf(text, CELL_TEXT, cell->step > 1 ? "floor(i%u/%" PRId64 ")" :
		"i%u", cell->dim, cell->step);
	if (cell->radix)
		snprintf(text + length, (size_t)(CELL_TEXT - length), " mod %" PRId64,
			cell->radix);
	return text;
}

/* Nothing of the dimension is beyond the digit. */
static bool is_outermost(const struct packed_cells *cells, const struct digit *cell)
{
	int64_t end;

	return !cell->radix ||
		__builtin_mul_overflow(cell->step, cell->radix, &end) ||
		(cells->size[cell->dim] < INT64_MAX && cells->size[cell->dim] <= end);
}

static bool place_outer(struct packing *packing, unsigned k)
{
	const struct packed_cells *cells = packing->cells;
	const struct digit *cell = &cells->cell[k];
	struct dim *dim = &packing->dims[cell->dim];
	char text[CELL_TEXT];

	if (!is_outermost(cells, cell)) {
		layout_fail(cells->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"cell coordinate %u is %s, a digit inside of a tile, but the "
			"first %u of an encoding count tiles", k, describe(cell, text),
			cells->rank);
		return false;
	}
	if (dim->placed) {
		layout_fail(cells->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"cell coordinates %u and %u are both of i%u, but the first %u "
			"of an encoding are of one dimension each", dim->outer, k,
			cell->dim, cells->rank);
		return false;
	}
	dim->placed = true;
	dim->outer = k;
	packing->perm[k] = cell->dim;
	return true;
}

/* Cells that are 0 count the tiles of what is left, which have one. */
static bool place_zeros(struct packing *packing)
{
	const struct packed_cells *cells = packing->cells;
	unsigned d = 0;

	for (unsigned k = 0; k < cells->rank; k++) {
		if (cells->cell[k].radix != 1)
			continue;
		while (packing->dims[d].placed)
			d++;
		if (cells->size[d] == INT64_MAX) {
			layout_fail(cells->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"none of the first %u cell coordinates counts tiles of "
				"i%u", cells->rank, d);
			return false;
		}
		packing->dims[d].placed = true;
		packing->dims[d].outer = k;
		packing->perm[k] = d;
	}
	return true;
}

static bool place_all_outer(struct packing *packing)
{
	for (unsigned k = 0; k < packing->cells->rank; k++)
		if (packing->cells->cell[k].radix != 1 && !place_outer(packing, k))
			return false;
	return place_zeros(packing);
}

/* Cell k as a digit of dimension d, in order of step. */
static void add_digit(struct packing *packing, unsigned k, unsigned d)
{
	const struct digit *cell = packing->cells->cell;
	struct dim *dim = &packing->dims[d];
	unsigned at = dim->digit_count++;

	for (; at && cell[k].radix != 1 &&
	       cell[dim->digits[at - 1]].step > cell[k].step; at--)
		dim->digits[at] = dim->digits[at - 1];
	dim->digits[at] = k;
	packing->owner[k] = d;
}

static bool place_inner(struct packing *packing, unsigned k)
{
	const struct packed_cells *cells = packing->cells;
	const struct digit *cell = &cells->cell[k];
	int64_t size = cells->size[cell->dim];
	char text[CELL_TEXT];

	if (!cell->radix && size == INT64_MAX) {
		layout_fail(cells->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"cell coordinate %u is %s, without end, but only the first %u of "
			"an encoding count tiles", k, describe(cell, text), cells->rank);
		return false;
	}
	packing->extent[k] = cell->radix ? cell->radix :
		size / cell->step + (size % cell->step != 0);
	add_digit(packing, k, cell->dim);
	return true;
}

/* Cells inside that are 0 are parts of one step, of a dimension without any if there is
 * one. */
static bool place_inner_zeros(struct packing *packing)
{
	const struct packed_cells *cells = packing->cells;

	for (unsigned k = cells->rank; k < cells->count; k++) {
		unsigned d = 0;

		if (cells->cell[k].radix != 1)
			continue;
		while (d < cells->rank && packing->dims[d].digit_count)
			d++;
		if (!cells->rank) {
			layout_fail(cells->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"%u cell coordinate%s of no dimension at all",
				cells->count, cells->count == 1 ? "" : "s");
			return false;
		}
		packing->extent[k] = 1;
		add_digit(packing, k, d < cells->rank ? d : 0);
	}
	return true;
}

/* The digits follow each other without gaps up to the tile. */
static bool find_tile(struct packing *packing, unsigned d)
{
	const struct packed_cells *cells = packing->cells;
	struct dim *dim = &packing->dims[d];
	const struct digit *outer = &cells->cell[dim->outer];
	char text[CELL_TEXT];

	dim->tile = 1;
	for (unsigned i = 0; i < dim->digit_count; i++) {
		unsigned k = dim->digits[i];
		const struct digit *cell = &cells->cell[k];

		if ((cell->radix != 1 && cell->step != dim->tile) ||
		    __builtin_mul_overflow(dim->tile, packing->extent[k],
			    &dim->tile)) {
			layout_fail(cells->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"cell coordinate %u is %s, but the digits of i%u below "
				"it are i%u mod %" PRId64, k, describe(cell, text), d, d,
				dim->tile);
			return false;
		}
	}
	if (outer->radix == 1 ? cells->size[d] <= dim->tile : outer->step == dim->tile)
		return true;
	layout_fail(cells->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"cell coordinate %u is %s, but those behind the first %u have i%u mod %"
		PRId64, dim->outer, describe(outer, text), cells->rank, d, dim->tile);
	return false;
}

static bool place_all_inner(struct packing *packing)
{
	const struct packed_cells *cells = packing->cells;

	for (unsigned k = cells->rank; k < cells->count; k++)
		if (cells->cell[k].radix != 1 && !place_inner(packing, k))
			return false;
	for (unsigned d = 0; d < cells->rank; d++)
		if (!find_tile(packing, d))
			return false;
	return place_inner_zeros(packing);
}

/* The lists of an encoding. */
struct lists {
	unsigned inner_count, dim_count;
	int64_t inner_dims[LAYOUT_STORAGE_SLOTS], tiles[LAYOUT_STORAGE_SLOTS];
	unsigned groups[LAYOUT_STORAGE_SLOTS];
	layout_encoding_dim dims[LAYOUT_STORAGE_SLOTS];
	int64_t permutation[LAYOUT_STORAGE_SLOTS];
};

static bool is_swizzled(const struct packing *packing)
{
	for (unsigned d = 0; d < packing->cells->rank; d++)
		if (packing->dims[d].digit_count > 1)
			return true;
	return false;
}

/* One digit a tile: the tiles are in the order of the cells. */
static void list_tiles(struct lists *lists, const struct packing *packing)
{
	for (unsigned k = packing->cells->rank; k < packing->cells->count; k++) {
		lists->inner_dims[lists->inner_count] = packing->owner[k];
		lists->tiles[lists->inner_count++] = packing->dims[packing->owner[k]].tile;
	}
}

/* The parts of each tile, outermost first, and where each stands. */
static void list_parts(struct lists *lists, const struct packing *packing)
{
	for (unsigned d = 0; d < packing->cells->rank; d++) {
		const struct dim *dim = &packing->dims[d];

		if (!dim->digit_count)
			continue;
		lists->inner_dims[lists->inner_count] = d;
		lists->tiles[lists->inner_count] = dim->tile;
		lists->groups[lists->inner_count++] = dim->digit_count;
		for (unsigned i = dim->digit_count; i--;) {
			unsigned k = dim->digits[i];

			lists->permutation[k - packing->cells->rank] = lists->dim_count;
			lists->dims[lists->dim_count++] = (layout_encoding_dim){
				LAYOUT_DIM_INTERNAL, packing->extent[k], 1 };
		}
	}
}

static layout_encoding *encode(const struct packing *packing)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	struct lists *lists = layout_alloc(packing->cells->ctx, 1, sizeof(*lists));
	bool swizzled = is_swizzled(packing);
	layout_encoding *encoding;

	if (!lists)
		return NULL;
	if (swizzled)
		list_parts(lists, packing);
	else
		list_tiles(lists, packing);
	desc.inner_count = lists->inner_count;
	desc.inner_dims_pos = lists->inner_dims;
	desc.inner_tiles = lists->tiles;
	desc.outer_count = packing->cells->rank;
	desc.outer_dims_perm = packing->perm;
	desc.group_sizes = swizzled ? lists->groups : NULL;
	desc.dim_count = lists->dim_count;
	desc.dims = swizzled ? lists->dims : NULL;
	desc.permutation = swizzled ? lists->permutation : NULL;
	encoding = layout_encoding_new(packing->cells->ctx, &desc);
	free(lists);
	return encoding;
}

layout_encoding *packed_encoding(const struct packed_cells *cells)
{
	struct packing *packing = layout_alloc(cells->ctx, 1, sizeof(*packing));
	layout_encoding *encoding = NULL;

	if (packing) {
		packing->cells = cells;
		if (place_all_outer(packing) && place_all_inner(packing))
			encoding = encode(packing);
	}
	free(packing);
	return encoding;
}

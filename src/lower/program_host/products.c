/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which contractions are products of vectors, and how their factors are packed. */
#include "lower/program_host/parts.h"

/* Fewer rows, or elements to sum, do not pay for packing. */
enum { LEAST_ROWS = 4, LEAST_DEPTH = 4 };

static bool has_letter(const layout_tile *tile, unsigned operand, unsigned letter)
{
	for (unsigned d = 0; d < tile->operands[operand]->rank; d++)
		if (program_letters_of(tile, operand)[d] == letter)
			return true;
	return false;
}

/* The letter with the largest extent among those that the result, and these factors, have or
 * have not; letter_count: there is none. */
static unsigned find_letter(const layout_tile *tile, bool result, bool first, bool second,
	const unsigned *factor)
{
	unsigned best = tile->letter_count;

	for (unsigned n = 0; n < tile->letter_count; n++)
		if (has_letter(tile, 0, n) == result &&
		    has_letter(tile, factor[0], n) == first &&
		    has_letter(tile, factor[1], n) == second && (best == tile->letter_count ||
		    tile->letters[n] > tile->letters[best]))
			best = n;
	return best;
}

static bool is_summed(const struct element_type *type)
{
	return (type->kind == 'f' || type->kind == 'i') &&
		(type->bits == 32 || type->bits == 64);
}

/* The column is of one factor alone, which is the second; false: it is of both. */
static bool find_factors(const layout_tile *tile, struct host_product *product)
{
	bool in[2];

	product->column = program_letters_of(tile, 0)[tile->rank - 1];
	for (unsigned i = 0; i < 2; i++)
		in[i] = has_letter(tile, 1 + i, product->column);
	product->factor[HOST_COLUMNS] = in[0] ? 1 : 2;
	product->factor[HOST_ROWS] = in[0] ? 2 : 1;
	return in[0] != in[1];
}

/* The letters, unless there are none that do. */
static bool find_letters(const layout_tile *tile, struct host_product *product)
{
	product->row = find_letter(tile, true, true, false, product->factor);
	product->depth = find_letter(tile, false, true, true, product->factor);
	return product->row < tile->letter_count && product->depth < tile->letter_count &&
		tile->letters[product->row] >= LEAST_ROWS &&
		tile->letters[product->depth] >= LEAST_DEPTH;
}

/* Registers hold the sums of a block, a row's element and a vector each of the columns. */
static bool find_block(const struct host *host, const layout_tile *tile,
	struct host_product *product)
{
	const layout_kernel *kernel = host->iteration->kernel;
	unsigned bytes = tile->type->bits / 8;

	if (!kernel->hooks->vector_bytes)
		return false;
	product->lanes = kernel->hooks->vector_bytes(kernel->cpu) / bytes;
	while (product->lanes && tile->letters[product->column] % product->lanes)
		product->lanes /= 2;
	product->rows = product_rows(kernel->hooks->vector_count(kernel->cpu));
	return product->lanes * bytes >= PRODUCT_LEAST_VECTOR;
}

/* Elements of the depth lie beside each other, or where there are panels, their elements do.
 * What is outside of these is in the order of the box. */
static void find_steps(const layout_tile *tile, const struct host_product *product,
	unsigned side, struct host_panels *panels)
{
	const layout_tile *factor = tile->operands[product->factor[side]];
	const unsigned *map = program_letters_of(tile, product->factor[side]);
	unsigned letter = side == HOST_ROWS ? product->row : product->column;
	int64_t depth = tile->letters[product->depth], extent = tile->letters[letter], size;

	panels->dim = factor->rank;
	panels->apart = panels->width * depth;
	size = panels->width ? (extent + panels->width - 1) / panels->width * panels->apart :
		extent * depth;
	for (unsigned d = factor->rank; d-- > 0;)
		if (map[d] == product->depth) {
			panels->step[d] = panels->width ? panels->width : 1;
		} else if (map[d] == letter) {
			panels->step[d] = panels->width ? 1 : depth;
			panels->dim = panels->width ? d : factor->rank;
		} else {
			panels->step[d] = size;
			size *= factor->box[d];
		}
	panels->size = size;
}

/* Vectors of columns are panels; rows are where they are what is last of their factor. */
static void find_panels(const layout_tile *tile, struct host_product *product)
{
	unsigned rows = product->factor[HOST_ROWS];
	unsigned last = program_letters_of(tile, rows)[tile->operands[rows]->rank - 1];

	product->panels[HOST_ROWS].width = last == product->row ? product->rows : 0;
	product->panels[HOST_COLUMNS].width = PRODUCT_VECTORS * product->lanes;
	for (unsigned side = 0; side < 2; side++)
		find_steps(tile, product, side, &product->panels[side]);
}

void host_find_products(struct host *host)
{
	for (unsigned i = 0; i < host->program->tile_count; i++) {
		const layout_tile *tile = host->program->tiles[i];
		struct host_product *product = &host->tiles[i].product;

		product->is = tile->op == TILE_CONTRACT && tile->rank &&
			!program_has_scales(tile) && is_summed(tile->type) &&
			find_factors(tile, product) && find_letters(tile, product) &&
			find_block(host, tile, product);
		if (product->is)
			find_panels(tile, product);
	}
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/mma_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 80
#define TEXT_SIZE 256

/* Who holds an element: a bit for every lane, and the place in their registers. */
struct cell {
	uint64_t lanes;
	unsigned element;
};

/* The cells, block after block, row after row.  "high" rows and "wide" columns are
 * shown as one, which one lane, or one group of lanes, holds in a row. */
struct grid {
	unsigned blocks, rows, columns;
	unsigned high, wide;
	struct cell *cells;
};

static struct cell *cell_at(const struct grid *grid, unsigned block, unsigned row,
	unsigned column)
{
	return grid->cells + ((size_t)block * grid->rows + row) * grid->columns + column;
}

/* Elements lie within twice their number: every second one may be left out. */
static void fill(struct grid *grid, layout_mma *mma)
{
	unsigned lanes = layout_mma_lanes(mma), elements = 2 * layout_mma_elements(mma);
	int64_t image[3];

	for (unsigned lane = 0; lane < lanes; lane++)
		for (unsigned element = 0; element < elements; element++) {
			unsigned rank = layout_mma_apply(mma, lane, element, image);
			struct cell *cell;

			if (!rank)
				continue;
			cell = cell_at(grid, rank == 3 ? (unsigned)image[0] : 0,
				(unsigned)image[rank - 2], (unsigned)image[rank - 1]);
			cell->lanes |= (uint64_t)1 << lane;
			cell->element = element;
		}
}

/* Does cell "b" follow "a" in the same registers? */
static bool follows(const struct cell *a, const struct cell *b)
{
	return a->lanes == b->lanes && b->element == a->element + 1;
}

/* Can all groups of "high" rows and "wide" columns be shown as one?  One of the two
 * is 1. */
static bool can_group(const struct grid *grid, unsigned high, unsigned wide)
{
	for (unsigned b = 0; b < grid->blocks; b++)
		for (unsigned r = 0; r < grid->rows; r++)
			for (unsigned c = 0; c < grid->columns; c++) {
				if (r % high == 0 && c % wide == 0)
					continue;
				if (!follows(cell_at(grid, b, r - (high > 1),
							c - (wide > 1)),
						cell_at(grid, b, r, c)))
					return false;
			}
	return true;
}

static void group(struct grid *grid)
{
	grid->high = grid->wide = 1;
	while (2 * grid->wide <= grid->columns && can_group(grid, 1, 2 * grid->wide))
		grid->wide *= 2;
	while (grid->wide == 1 && 2 * grid->high <= grid->rows &&
			can_group(grid, 2 * grid->high, 1))
		grid->high *= 2;
}

/* "4" or "4-7" */
static int write_range(char text[TEXT_SIZE], unsigned first, unsigned count)
{
	return count > 1 ? snprintf(text, TEXT_SIZE, "%u-%u", first, first + count - 1) :
		snprintf(text, TEXT_SIZE, "%u", first);
}

/* "0:4-7" or "0+16:4" */
static int write_cell(char text[TEXT_SIZE], const struct grid *grid,
	const struct cell *cell)
{
	char elements[TEXT_SIZE];
	int length = 0;

	write_range(elements, cell->element, grid->high * grid->wide);
	for (unsigned lane = 0; lane < 64; lane++)
		if (cell->lanes >> lane & 1)
			length += snprintf(text + length, TEXT_SIZE - (size_t)length,
				"%s%u", length ? "+" : "", lane);
	return length + snprintf(text + length, TEXT_SIZE - (size_t)length, ":%s",
		elements);
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* The widest of the cells and of the numbers above them. */
static int cell_width(const struct grid *grid)
{
	char text[TEXT_SIZE];
	int width = write_range(text, grid->columns - grid->wide, grid->wide);

	for (size_t i = 0; i < (size_t)grid->blocks * grid->rows * grid->columns; i++)
		width = larger(width, write_cell(text, grid, &grid->cells[i]));
	return width;
}

static void print_padded(const char *text, int width)
{
	printf("  %*s", width, text);
}

/* Columns "begin" .. "end" of a block. */
static void print_part(const struct grid *grid, unsigned block, unsigned begin,
	unsigned end, int width)
{
	char text[TEXT_SIZE];
	int label = larger(write_range(text, grid->rows - grid->high, grid->high), 3);

	printf("%*s", label, "row");
	for (unsigned c = begin; c < end; c += grid->wide) {
		write_range(text, c, grid->wide);
		print_padded(text, width);
	}
	putchar('\n');
	for (unsigned r = 0; r < grid->rows; r += grid->high) {
		write_range(text, r, grid->high);
		printf("%*s", label, text);
		for (unsigned c = begin; c < end; c += grid->wide) {
			write_cell(text, grid, cell_at(grid, block, r, c));
			print_padded(text, width);
		}
		putchar('\n');
	}
}

/* As many columns side by side as a line holds: a power of two. */
static void print_block(const struct grid *grid, unsigned block)
{
	int width = cell_width(grid);
	unsigned step = grid->columns;

	while (step > grid->wide && 5 + (int)(step / grid->wide) * (width + 2) > LINE)
		step /= 2;
	for (unsigned begin = 0; begin < grid->columns; begin += step) {
		if (grid->blocks > 1)
			printf("\nblock %u", block);
		puts("");
		print_part(grid, block, begin, begin + step, width);
	}
}

bool mma_grid_print(layout_mma *mma)
{
	struct grid grid = { .blocks = layout_mma_get_shape(mma).blocks,
		.rows = layout_mma_rows(mma), .columns = layout_mma_columns(mma) };

	grid.cells = calloc((size_t)grid.blocks * grid.rows * grid.columns,
		sizeof(*grid.cells));
	if (!grid.cells)
		return false;
	fill(&grid, mma);
	group(&grid);
	for (unsigned block = 0; block < grid.blocks; block++)
		print_block(&grid, block);
	free(grid.cells);
	return true;
}

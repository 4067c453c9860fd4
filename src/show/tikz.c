/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A picture as a TikZ environment, for a document that loads tikz: a unit a cell. */
#include "show/bank.h"
#include "show/draw.h"
#include "show/label.h"

#include <inttypes.h>
#include <string.h>

/* "#" is TeX's. */
static void write_text(struct layout_buffer *out, const char *text)
{
	for (; *text; text++)
		layout_buffer_printf(out, "%s%c", *text == '#' ? "\\" : "", *text);
}

static void write_colors(struct layout_buffer *out)
{
	for (unsigned i = 0; i < SHOW_COLORS; i++)
		layout_buffer_printf(out, "\\definecolor{layout%u}{HTML}{%06X}\n", i,
			show_palette_rgb(i));
}

/* Where a column and a row of a slice are: slices side by side, a unit apart, and as a table
 * where more than one coordinate numbers them. */
static int64_t across(const struct show_picture *picture)
{
	return picture->slice_count < 2 ? picture->size[SHOW_SLICES] :
		picture->extent[picture->slices[picture->slice_count - 1]];
}

static int64_t x_of(const struct show_picture *picture, int64_t slice, int64_t column)
{
	return slice % across(picture) * (picture->size[SHOW_COLUMNS] + 1) + column;
}

static int64_t y_of(const struct show_picture *picture, int64_t slice, int64_t row)
{
	return slice / across(picture) * (picture->size[SHOW_ROWS] + 2) + row;
}

/* The cell, and its label in one line or two. */
static void write_cell(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring, size_t element, int64_t x, int64_t y)
{
	struct show_label label = show_label_of(picture, element);
	unsigned color = show_color(coloring, picture, element);
	bool dark = color != SHOW_NO_COLOR && show_palette_is_dark(color);

	if (color == SHOW_NO_COLOR)
		layout_buffer_printf(out, "\\draw[gray,dashed]");
	else
		layout_buffer_printf(out, "\\filldraw[draw=white,fill=layout%u]", color);
	layout_buffer_printf(out, " (%" PRId64 ",%" PRId64 ") rectangle +(1,1);\n"
		"\\node[%s] at (%" PRId64 ".5,%" PRId64 ".5) {", x, y,
		dark ? "white" : "black", x, y);
	write_text(out, label.line[0]);
	if (*label.line[0] && *label.line[1])
		layout_buffer_printf(out, "\\\\");
	write_text(out, label.line[1]);
	layout_buffer_printf(out, "};\n");
}

static void write_cells(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring)
{
	const int64_t *size = picture->size;
	size_t element = 0;

	for (int64_t s = 0; s < size[SHOW_SLICES]; s++)
		for (int64_t r = 0; r < size[SHOW_ROWS]; r++)
			for (int64_t c = 0; c < size[SHOW_COLUMNS]; c++, element++)
				if (element < picture->count)
					write_cell(out, picture, coloring, element,
						x_of(picture, s, c), y_of(picture, s, r));
}

/* The outermost tiles, as far as the grid goes. */
static void write_tiles(struct layout_buffer *out, const struct show_picture *picture)
{
	const int64_t *size = picture->size, *tile;

	if (!picture->level_count)
		return;
	tile = picture->tile[picture->level_count - 1];
	for (int64_t s = 0; s < size[SHOW_SLICES]; s++)
		for (int64_t r = 0; r < size[SHOW_ROWS]; r += tile[SHOW_ROWS])
			for (int64_t c = 0; c < size[SHOW_COLUMNS]; c += tile[SHOW_COLUMNS]) {
				int64_t rows = size[SHOW_ROWS] - r;
				int64_t columns = size[SHOW_COLUMNS] - c;

				rows = rows < tile[SHOW_ROWS] ? rows : tile[SHOW_ROWS];
				columns = columns < tile[SHOW_COLUMNS] ? columns :
					tile[SHOW_COLUMNS];
				layout_buffer_printf(out, "\\draw[very thick] (%" PRId64
					",%" PRId64 ") rectangle +(%" PRId64 ",%" PRId64
					");\n", x_of(picture, s, c), y_of(picture, s, r), columns, rows);
			}
}

/* The name of a slice, the numbers of its columns, and of its rows at the left. */
static void write_numbers(struct layout_buffer *out, const struct show_picture *picture,
	int64_t slice)
{
	const int64_t *size = picture->size;
	int64_t top = y_of(picture, slice, 0);
	char text[SHOW_LABEL];

	show_slice_name(picture, slice, text);
	if (*text)
		layout_buffer_printf(out, "\\node[anchor=west] at (%" PRId64 ",%g) {%s};\n",
			x_of(picture, slice, 0), (double)top - 1.1, text);
	for (int64_t c = 0; c < size[SHOW_COLUMNS]; c++) {
		show_column_name(picture, c, text);
		layout_buffer_printf(out, "\\node[gray] at (%" PRId64 ".5,%g) {%s};\n",
			x_of(picture, slice, c), (double)top - 0.4, text);
	}
	for (int64_t r = 0; slice % across(picture) == 0 && r < size[SHOW_ROWS]; r++) {
		show_row_name(picture, r, text);
		layout_buffer_printf(out, "\\node[gray] at (-0.4,%" PRId64 ".5) {%s};\n",
			top + r, text);
	}
}

/* What reading the banks takes, below the last slice. */
static void write_caption(struct layout_buffer *out, const struct show_picture *picture)
{
	if (!picture->banks)
		return;
	layout_buffer_printf(out, "\\node[anchor=west] at (0,%" PRId64 ".5) {",
		y_of(picture, picture->size[SHOW_SLICES] - 1, picture->size[SHOW_ROWS]));
	show_banks_describe(out, picture->banks);
	layout_buffer_printf(out, "};\n");
}

void show_draw_tikz(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring)
{
	layout_buffer_printf(out, "%% ");
	for (const char *c = picture->text; *c; c++)
		layout_buffer_printf(out, "%c", *c == '\n' ? ' ' : *c);
	layout_buffer_printf(out, "\n\\begin{tikzpicture}[x=8mm,y=-8mm,"
		"every node/.style={font=\\tiny,align=center,inner sep=0pt}]\n");
	write_colors(out);
	write_cells(out, picture, coloring);
	write_tiles(out, picture);
	for (int64_t s = 0; s < picture->size[SHOW_SLICES]; s++)
		write_numbers(out, picture, s);
	write_caption(out, picture);
	layout_buffer_printf(out, "\\end{tikzpicture}\n");
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A picture as an image: one cell an element, nested tiles as outlines in outlines. */
#include "show/draw.h"
#include "show/svg.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CAPTION_CHARACTER 7	/* its width, about */

void show_escape(struct layout_buffer *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			layout_buffer_append(out, "&lt;", 4);
			break;
		case '>':
			layout_buffer_append(out, "&gt;", 4);
			break;
		case '&':
			layout_buffer_append(out, "&amp;", 5);
			break;
		case '"':
			layout_buffer_append(out, "&quot;", 6);
			break;
		default:
			layout_buffer_append(out, text, 1);
		}
	}
}

/* Cells have the same colors in light and dark, what is around them has not. */
void show_write_style(struct layout_buffer *out)
{
	layout_buffer_printf(out,
		"svg.layout{font-family:ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\","
		"monospace;font-size:11px}\n"
		".page{fill:#fff}.word{fill:#1f2328}.number{fill:#59636e}\n"
		".middle{text-anchor:middle}.end{text-anchor:end}\n"
		".cell{stroke:#fff;stroke-width:1}\n"
		".none{fill:#eef0f2;stroke:#d1d9e0;stroke-dasharray:2 2}\n"
		".black{fill:#000}.white{fill:#fff}\n"
		".tile{fill:none;stroke:#59636e}\n"
		".fine .cell{stroke-width:.5}\n"
		".depth0{stroke-width:1.75}.depth1{stroke-width:1}\n"
		".depth2{stroke-width:.75}\n"
		"@media (prefers-color-scheme:dark){\n"
		".page{fill:#0d1117}.word{fill:#e6edf3}.number{fill:#9198a1}\n"
		".cell{stroke:#0d1117}.none{fill:#1b212a;stroke:#3d444d}\n"
		".tile{stroke:#9198a1}.none+text{fill:#9198a1}\n"
		"}\n");
	for (unsigned i = 0; i < SHOW_COLORS; i++)
		layout_buffer_printf(out, ".k%u{fill:#%06x}%s", i, show_palette_rgb(i),
			i % 8 == 7 ? "\n" : "");
}

/* What padding is filled with. */
void show_write_hatch(struct layout_buffer *out, const struct show_picture *picture)
{
	if (!picture->pads)
		return;
	layout_buffer_printf(out, "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" "
		"patternUnits=\"userSpaceOnUse\"><path d=\"M0 6L6 0M-1 1L1 -1M5 7L7 5\"/>"
		"</pattern><style>\n"
		".cell.pad{fill:url(#hatch);stroke:#d1d9e0}\n"
		"#hatch path{stroke:#afb8c1;stroke-width:1.5}\n"
		"@media (prefers-color-scheme:dark){.cell.pad{stroke:#3d444d}"
		"#hatch path{stroke:#59636e}}\n</style></defs>\n");
}

static void write_class(struct layout_buffer *out, const struct show_picture *picture,
	unsigned color)
{
	if (color == SHOW_NO_COLOR)
		layout_buffer_printf(out, "cell %s", picture->pads ? "pad" : "none");
	else
		layout_buffer_printf(out, "cell k%u", color);
}

static void write_label(struct layout_buffer *out, const struct show_geometry *geometry,
	size_t element, unsigned color, int x, int y)
{
	struct show_label label = show_label_of(geometry->picture, element);
	int middle = x + geometry->cell_width / 2;
	int first = y + geometry->cell_height / 2 + (*label.line[1] ? -2 : 4);

	for (int i = 0; i < 2; i++)
		if (*label.line[i])
			layout_buffer_printf(out,
				"<text class=\"middle %s\" x=\"%d\" y=\"%d\">%s</text>",
				color != SHOW_NO_COLOR && show_palette_is_dark(color) ?
				"white" : "black", middle, first + 12 * i, label.line[i]);
}

static void write_cell(struct layout_buffer *out, const struct show_geometry *geometry,
	const struct show_coloring *coloring, size_t element, int x, int y, bool in_page)
{
	const struct show_picture *picture = geometry->picture;
	unsigned color = show_color(coloring, picture, element);

	layout_buffer_printf(out, "<rect ");
	if (in_page)
		layout_buffer_printf(out, "id=\"c%zu\" role=\"gridcell\" ", element);
	layout_buffer_printf(out, "x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"",
		x, y, geometry->cell_width, geometry->cell_height);
	write_class(out, picture, color);
	layout_buffer_printf(out, "\"><title>");
	show_describe(out, picture, coloring, element);
	layout_buffer_printf(out, "</title></rect>");
	if (geometry->has_labels && !(picture->pads && color == SHOW_NO_COLOR))
		write_label(out, geometry, element, color, x, y);
}

void show_write_cells(struct layout_buffer *out, const struct show_geometry *geometry,
	const struct show_coloring *coloring, bool in_page)
{
	const struct show_picture *picture = geometry->picture;
	const int64_t *size = picture->size;
	size_t element = 0;

	for (int64_t s = 0; s < size[SHOW_SLICES]; s++)
		for (int64_t r = 0; r < size[SHOW_ROWS]; r++) {
			layout_buffer_printf(out, "<g%s>\n",
				in_page ? " role=\"row\"" : "");
			for (int64_t c = 0; c < size[SHOW_COLUMNS]; c++, element++) {
				if (element >= picture->count)
					break;
				write_cell(out, geometry, coloring, element,
					show_x(geometry, s, c), show_y(geometry, r),
					in_page);
				layout_buffer_printf(out, "\n");
			}
			layout_buffer_printf(out, "</g>\n");
			element = (size_t)((s * size[SHOW_ROWS] + r + 1) *
				size[SHOW_COLUMNS]);
		}
}

/* The outline of the tile that begins at a cell; outer ones leave room for inner ones. */
static void write_tile(struct layout_buffer *out, const struct show_geometry *geometry,
	unsigned level, int64_t slice, int64_t row, int64_t column)
{
	const struct show_picture *picture = geometry->picture;
	int64_t last_row = row + picture->tile[level][SHOW_ROWS] - 1;
	int64_t last_column = column + picture->tile[level][SHOW_COLUMNS] - 1;
	double pad = show_tile_pad(geometry, level);
	int x = show_x(geometry, slice, column), y = show_y(geometry, row);

	if (last_row >= picture->size[SHOW_ROWS])
		last_row = picture->size[SHOW_ROWS] - 1;
	if (last_column >= picture->size[SHOW_COLUMNS])
		last_column = picture->size[SHOW_COLUMNS] - 1;
	layout_buffer_printf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\""
		" rx=\"%d\" class=\"tile depth%u\"/>\n", x - pad, y - pad,
		show_x(geometry, slice, last_column) + geometry->cell_width - x + 2 * pad,
		show_y(geometry, last_row) + geometry->cell_height - y + 2 * pad,
		geometry->gap > 2 ? 3 : 1,
		picture->level_count - 1 - level > 2 ? 2 :
		picture->level_count - 1 - level);
}

void show_write_tiles(struct layout_buffer *out, const struct show_geometry *geometry)
{
	const struct show_picture *picture = geometry->picture;
	const int64_t *size = picture->size;

	for (unsigned level = picture->level_count; level-- > 0;) {
		const int64_t *tile = picture->tile[level];

		for (int64_t s = 0; s < size[SHOW_SLICES]; s++)
			for (int64_t r = 0; r < size[SHOW_ROWS]; r += tile[SHOW_ROWS])
				for (int64_t c = 0; c < size[SHOW_COLUMNS];
						c += tile[SHOW_COLUMNS])
					write_tile(out, geometry, level, s, r, c);
	}
}

static void write_text(struct layout_buffer *out, const char *class, int x, int y,
	const char *text)
{
	layout_buffer_printf(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n",
		class, x, y, text);
}

void show_write_numbers(struct layout_buffer *out, const struct show_geometry *geometry)
{
	const struct show_picture *picture = geometry->picture;
	const int64_t *size = picture->size;
	int half = geometry->cell_width / 2;
	int gap = 7 + (int)show_tile_pad(geometry, picture->level_count);
	char text[SHOW_LABEL];

	for (int64_t s = 0; s < size[SHOW_SLICES]; s++) {
		show_slice_name(picture, s, text);
		if (*text)
			write_text(out, "word", show_x(geometry, s, 0), 52, text);
		for (int64_t c = 0; c < size[SHOW_COLUMNS]; c += geometry->column_step) {
			show_column_name(picture, c, text);
			write_text(out, "number middle", show_x(geometry, s, c) + half,
				geometry->top - gap, text);
		}
	}
	for (int64_t r = 0; r < size[SHOW_ROWS]; r += geometry->row_step) {
		show_row_name(picture, r, text);
		write_text(out, "number end", geometry->left - gap,
			show_y(geometry, r) + geometry->cell_height / 2 + 4, text);
	}
}

/* A strip of all colors that there are, and the numbers at its ends. */
void show_write_legend(struct layout_buffer *out, const struct show_geometry *geometry,
	const struct show_coloring *coloring)
{
	int64_t count;
	bool is_far = __builtin_sub_overflow(coloring->end, coloring->begin, &count);
	int64_t shown = !is_far && count < SHOW_COLORS ? count : SHOW_COLORS;
	int step = (int)(192 / shown) > 24 ? 24 : (int)(192 / shown);
	int x = 20 + ((int)strlen(coloring->name) + 2) * CAPTION_CHARACTER;
	int y = geometry->legend;
	char text[SHOW_LABEL];

	write_text(out, "word", 20, y + 14, coloring->name);
	snprintf(text, sizeof(text), "%" PRId64, coloring->begin);
	x += (int)strlen(text) * CAPTION_CHARACTER;
	write_text(out, "number end", x - 6, y + 14, text);
	for (int64_t i = 0; i < shown; i++)
		layout_buffer_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\""
			" height=\"14\" class=\"k%u\"/>\n", x + (int)i * step, y + 3,
			step, show_palette_of(i, shown));
	snprintf(text, sizeof(text), "%" PRId64, coloring->end - 1);
	if (shown > 1)
		write_text(out, "number", x + (int)shown * step + 6, y + 14, text);
}

/* The layout's text as far as the width allows. */
static void write_caption(struct layout_buffer *out, const struct show_geometry *geometry)
{
	size_t room = (size_t)(geometry->width - 40) / CAPTION_CHARACTER;
	const char *text = geometry->picture->text;
	bool is_long = strlen(text) > room;
	char start[512];

	snprintf(start, sizeof(start), "%.*s", (int)(is_long ? room - 2 : room), text);
	layout_buffer_printf(out, "<text class=\"word\" x=\"20\" y=\"24\">");
	show_escape(out, start);
	layout_buffer_printf(out, "%s</text>\n", is_long ? ".." : "");
}

void show_draw_svg(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring)
{
	struct show_geometry geometry;

	show_geometry_find(&geometry, picture);
	layout_buffer_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\""
		" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" class=\"layout%s\""
		" role=\"img\">\n<title>", geometry.width, geometry.height,
		geometry.width, geometry.height, geometry.has_labels ? "" : " fine");
	show_escape(out, picture->text);
	layout_buffer_printf(out, "</title>\n<desc>");
	show_summary(out, picture, coloring);
	layout_buffer_printf(out, "</desc>\n<style>\n");
	show_write_style(out);
	layout_buffer_printf(out, "</style>\n");
	show_write_hatch(out, picture);
	layout_buffer_printf(out,
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n");
	write_caption(out, &geometry);
	show_write_numbers(out, &geometry);
	show_write_tiles(out, &geometry);
	show_write_cells(out, &geometry, coloring, false);
	show_write_legend(out, &geometry, coloring);
	layout_buffer_printf(out, "</svg>\n");
}

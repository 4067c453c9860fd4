/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A picture as an image: one cell an element, nested tiles as outlines in outlines. */
#include "show/bank.h"
#include "show/draw.h"
#include "show/svg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPTION_CHARACTER 7	/* its width, about */
#define PAIR_WIDTH 1600		/* of two pictures side by side */

void show_escape(struct layout_buffer *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		switch (text[i]) {
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
			layout_buffer_append(out, text + i, 1);
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
		".large .numbers,.over-cells{font-size:18px}\n"
		".over-cells{fill:#000;stroke:#fff;stroke-width:4;paint-order:stroke;"
		"stroke-linejoin:round}\n"
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

/* A corner of the cell. */
static void write_conflict(struct layout_buffer *out, const struct show_geometry *geometry,
	unsigned color, int x, int y)
{
	int side = geometry->cell_width / 2 < 7 ? geometry->cell_width / 2 : 7;

	layout_buffer_printf(out, "<path class=\"conflict %s\" d=\"M%d %dh%dl-%d %dz\"/>",
		show_palette_is_dark(color) ? "white" : "black", x + 1, y + 1, side, side,
		side);
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
	show_describe(out, picture, element);
	layout_buffer_printf(out, "</title></rect>");
	if (show_in_conflict(picture, element))
		write_conflict(out, geometry, color, x, y);
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
					show_x(geometry, s, c), show_y(geometry, s, r),
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
	int x = show_x(geometry, slice, column), y = show_y(geometry, slice, row);

	if (last_row >= picture->size[SHOW_ROWS])
		last_row = picture->size[SHOW_ROWS] - 1;
	if (last_column >= picture->size[SHOW_COLUMNS])
		last_column = picture->size[SHOW_COLUMNS] - 1;
	layout_buffer_printf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\""
		" rx=\"%d\" class=\"tile depth%u\"/>\n", x - pad, y - pad,
		show_x(geometry, slice, last_column) + geometry->cell_width - x + 2 * pad,
		show_y(geometry, slice, last_row) + geometry->cell_height - y + 2 * pad,
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

/* The name of a panel and the numbers of its columns, and of its rows at the left. */
static void write_panel(struct layout_buffer *out, const struct show_geometry *geometry,
	int64_t slice)
{
	const struct show_picture *picture = geometry->picture;
	const int64_t *size = picture->size;
	int half = geometry->cell_width / 2;
	int gap = 7 + (int)show_tile_pad(geometry, picture->level_count);
	int top = show_y(geometry, slice, 0);
	char text[SHOW_LABEL];

	show_slice_name(picture, slice, text);
	if (*text)
		write_text(out, "word", show_x(geometry, slice, 0),
			top - gap - geometry->font - 5, text);
	for (int64_t c = 0; c < size[SHOW_COLUMNS]; c += geometry->column_step) {
		show_column_name(picture, c, text);
		write_text(out, "number middle", show_x(geometry, slice, c) + half,
			top - gap, text);
	}
	for (int64_t r = 0; slice % geometry->across == 0 && r < size[SHOW_ROWS];
			r += geometry->row_step) {
		show_row_name(picture, r, text);
		write_text(out, "number end", geometry->left - gap,
			show_y(geometry, slice, r) + geometry->cell_height / 2 + 4, text);
	}
}

void show_write_numbers(struct layout_buffer *out, const struct show_geometry *geometry)
{
	layout_buffer_printf(out, "<g class=\"numbers\">\n");
	for (int64_t s = 0; s < geometry->picture->size[SHOW_SLICES]; s++)
		write_panel(out, geometry, s);
	layout_buffer_printf(out, "</g>\n");
}

/* Over cells without labels, those of a few elements, which begin in their cells. */
void show_write_labels(struct layout_buffer *out, const struct show_geometry *geometry)
{
	const struct show_picture *picture = geometry->picture;
	const int64_t *size = picture->size;
	char text[2 * SHOW_LABEL];

	if (!geometry->label_rows)
		return;
	for (size_t e = 0; e < picture->count; e++) {
		int64_t column = (int64_t)e % size[SHOW_COLUMNS];
		int64_t row = (int64_t)e / size[SHOW_COLUMNS] % size[SHOW_ROWS];
		int64_t slice = (int64_t)e / size[SHOW_COLUMNS] / size[SHOW_ROWS];
		struct show_label label = show_label_of(picture, e);

		if (row % geometry->label_rows || column % geometry->label_columns ||
		    !show_place_count(picture, e))
			continue;
		show_label_join(&label, text);
		write_text(out, "over-cells", show_x(geometry, slice, column) + 1,
			show_y(geometry, slice, row) + geometry->font - 2, text);
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

/* A text in lines, the first on this height. */
static void write_lines(struct layout_buffer *out, const char *text, size_t room, int y)
{
	for (; *text; y += SHOW_LINE) {
		size_t length = show_line(text, room);

		layout_buffer_printf(out, "<text class=\"word\" x=\"20\" y=\"%d\">", y);
		show_escape(out, text, length);
		layout_buffer_printf(out, "</text>\n");
		text += length;
		text += strspn(text, " ");
	}
}

/* The root, with the styles of all that is drawn in it. */
static void write_root(struct layout_buffer *out, int width, int height, const char *title)
{
	layout_buffer_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\""
		" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" class=\"layout\""
		" role=\"img\">\n<title>", width, height, width, height);
	show_escape(out, title, strlen(title));
	layout_buffer_printf(out, "</title>\n");
}

static void write_styles(struct layout_buffer *out, const struct show_picture *padded)
{
	layout_buffer_printf(out, "<style>\n");
	show_write_style(out);
	layout_buffer_printf(out, "</style>\n");
	show_write_hatch(out, padded);
	layout_buffer_printf(out,
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n");
}

static void write_drawing(struct layout_buffer *out, const struct show_geometry *geometry,
	const struct show_coloring *coloring)
{
	layout_buffer_printf(out, "<g class=\"drawing%s\">\n", show_kind_of_cells(geometry));
	write_lines(out, geometry->title, geometry->room, 24);
	show_write_numbers(out, geometry);
	show_write_tiles(out, geometry);
	show_write_cells(out, geometry, coloring, false);
	show_write_labels(out, geometry);
	show_write_legend(out, geometry, coloring);
	write_lines(out, geometry->caption, geometry->room, geometry->legend + 44);
	layout_buffer_printf(out, "</g>\n");
}

const char *show_kind_of_cells(const struct show_geometry *geometry)
{
	return geometry->has_labels ? "" : geometry->label_rows ? " fine large" : " fine";
}

/* What reading the banks takes, and which labels there are where not all are. */
static void write_caption(struct layout_buffer *out, const struct show_geometry *geometry)
{
	if (geometry->picture->banks)
		show_banks_describe(out, geometry->picture->banks);
	if (geometry->label_rows)
		layout_buffer_printf(out, "%sA label a %d x %d cells, beginning in its own.",
			out->length ? ". " : "", geometry->label_rows,
			geometry->label_columns);
}

void show_draw_svg(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring)
{
	struct layout_buffer caption = { 0 };
	struct show_geometry geometry;

	show_geometry_find(&geometry, picture, picture->text, "");
	write_caption(&caption, &geometry);
	out->failed = out->failed || caption.failed;
	show_geometry_find(&geometry, picture, picture->text,
		caption.text ? caption.text : "");
	write_root(out, geometry.width, geometry.height, picture->text);
	layout_buffer_printf(out, "<desc>");
	show_summary(out, picture, coloring);
	layout_buffer_printf(out, "</desc>\n");
	write_styles(out, picture);
	write_drawing(out, &geometry, coloring);
	layout_buffer_printf(out, "</svg>\n");
	free(caption.text);
}

/* Side by side where that is not too wide, else below each other; under one title. */
void show_draw_svg_pair(struct layout_buffer *out, const char *title,
	const struct show_picture pictures[2], const struct show_coloring colorings[2])
{
	struct show_geometry g[2];
	int width, height, x, y, head;
	size_t room;

	for (int i = 0; i < 2; i++)
		show_geometry_find(&g[i], &pictures[i], pictures[i].text, "");
	x = g[0].width + g[1].width <= PAIR_WIDTH ? g[0].width : 0;
	y = x ? 0 : g[0].height;
	width = x ? x + g[1].width : g[0].width > g[1].width ? g[0].width : g[1].width;
	height = x && g[0].height > g[1].height ? g[0].height : y + g[1].height;
	room = (size_t)(width - 40) / CAPTION_CHARACTER;
	head = 8 + SHOW_LINE * show_line_count(title, room);
	write_root(out, width, head + height, title);
	write_styles(out, &pictures[pictures[1].pads]);
	write_lines(out, title, room, 24);
	for (int i = 0; i < 2; i++) {
		layout_buffer_printf(out, "<g transform=\"translate(%d %d)\">\n", i ? x : 0,
			head + (i ? y : 0));
		write_drawing(out, &g[i], &colorings[i]);
		layout_buffer_printf(out, "</g>\n");
	}
	layout_buffer_printf(out, "</svg>\n");
}

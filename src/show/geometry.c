/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/geometry.h"

#include <string.h>

#define CHARACTER 7		/* width of a label's character, about */
#define FONT 11			/* height of its letters */
#define LARGE_FONT 18		/* where cells have no labels, and panels are seen from */
#define LARGE_PANEL 60		/* further away, unless they are as small as this */
#define LABELLED_LINES 64	/* labels are legible up to as many rows and columns, */
#define LABELLED_CELLS 4096	/* and cells */
#define LEGEND 44		/* height */
#define LEAST_WIDTH 300		/* of the picture, for the legend, */
#define TEXT_WIDTH 560		/* with words that need it, */
#define PANELS_WIDTH 1280	/* and with panels that fill a line */
#define APART 20		/* between panels, and around it all */
#define NAMES 40		/* the height of a panel's name and numbers */

/* The gaps before a cell along an axis. */
static int gaps(const struct show_geometry *geometry, enum show_axis axis, int64_t at)
{
	const struct show_picture *picture = geometry->picture;
	int64_t count = 0;

	for (unsigned level = 0; level < picture->level_count; level++)
		count += at / picture->tile[level][axis];
	return (int)count * geometry->gap;
}

int show_x(const struct show_geometry *geometry, int64_t slice, int64_t column)
{
	return geometry->left + (int)(slice % geometry->across) * geometry->panel_width +
		(int)column * geometry->cell_width + gaps(geometry, SHOW_COLUMNS, column);
}

int show_y(const struct show_geometry *geometry, int64_t slice, int64_t row)
{
	return geometry->top + (int)(slice / geometry->across) * geometry->panel_height +
		(int)row * geometry->cell_height + gaps(geometry, SHOW_ROWS, row);
}

double show_tile_pad(const struct show_geometry *geometry, unsigned level)
{
	return geometry->gap > 2 ? 4 * level + 2.5 : level + 0.5;
}

/* The longest line of a label, and how many lines there are. */
static int measure_labels(struct show_geometry *geometry)
{
	size_t longest = 1;

	geometry->lines = 1;
	for (size_t e = 0; e < geometry->picture->count; e++) {
		struct show_label label = show_label_of(geometry->picture, e);

		for (int i = 0; i < 2; i++)
			if (strlen(label.line[i]) > longest)
				longest = strlen(label.line[i]);
		if (*label.line[1])
			geometry->lines = 2;
	}
	return (int)longest;
}

static int size_without_labels(int64_t cells)
{
	return cells <= 64 ? 14 : cells <= 160 ? 9 : cells <= 512 ? 5 : 2;
}

static void choose_cells(struct show_geometry *geometry)
{
	const int64_t *size = geometry->picture->size;
	int64_t larger = size[SHOW_ROWS] > size[SHOW_COLUMNS] ? size[SHOW_ROWS] :
		size[SHOW_COLUMNS];

	geometry->has_labels = size[SHOW_ROWS] <= LABELLED_LINES &&
		size[SHOW_COLUMNS] <= LABELLED_LINES &&
		geometry->picture->element_count <= LABELLED_CELLS;
	geometry->font = FONT;
	if (geometry->has_labels) {
		geometry->cell_width = measure_labels(geometry) * CHARACTER + 8;
		geometry->cell_height = geometry->lines == 2 ? 32 : 24;
		if (geometry->cell_width < geometry->cell_height)
			geometry->cell_width = geometry->cell_height;
		geometry->gap = 8;
	} else {
		geometry->cell_width = size_without_labels(larger);
		geometry->cell_height = geometry->cell_width;
		geometry->gap = 2;
		if (size[SHOW_ROWS] * geometry->cell_height >= LARGE_PANEL &&
				size[SHOW_COLUMNS] * geometry->cell_width >= LARGE_PANEL)
			geometry->font = LARGE_FONT;
	}
}

/* The least tile, or power of two, of which "room" pixels hold a number. */
static int number_step(const struct show_geometry *geometry, enum show_axis axis,
	int cell, int room)
{
	const struct show_picture *picture = geometry->picture;
	int step = 1;

	if (cell >= room)
		return 1;
	for (unsigned level = 0; level < picture->level_count; level++) {
		int64_t tile = picture->tile[level][axis];

		if (tile * cell >= room && tile < picture->size[axis])
			return (int)tile;
	}
	while (step * cell < room)
		step *= 2;
	return step;
}

static int text_width(const struct show_geometry *geometry, const char *text)
{
	return (int)strlen(text) * CHARACTER * geometry->font / FONT;
}

static int name_width(const struct show_geometry *geometry,
	void (*name)(const struct show_picture *, int64_t, char text[SHOW_LABEL]),
	enum show_axis axis)
{
	char text[SHOW_LABEL];

	name(geometry->picture, geometry->picture->size[axis] - 1, text);
	return text_width(geometry, text);
}

/* Numbers at the sides, and over cells without labels few of those, at their elements. */
static void choose_steps(struct show_geometry *geometry)
{
	int width = measure_labels(geometry) * CHARACTER * geometry->font / FONT;
	int column_room = name_width(geometry, show_column_name, SHOW_COLUMNS) + 5;

	geometry->column_step = number_step(geometry, SHOW_COLUMNS, geometry->cell_width,
		column_room);
	geometry->row_step = number_step(geometry, SHOW_ROWS, geometry->cell_height,
		geometry->font + 3);
	if (geometry->font == FONT)
		return;
	width = (geometry->lines * width + CHARACTER) * 3 / 2;
	geometry->label_columns = number_step(geometry, SHOW_COLUMNS,
		geometry->cell_width, width);
	geometry->label_rows = number_step(geometry, SHOW_ROWS, geometry->cell_height,
		4 * geometry->font);
}

/* How many of the panels of a row are side by side where "fit" do: all, or a whole part of
 * them, so that the next row begins a line. */
static int64_t part_of_row(int64_t row, int64_t fit)
{
	int64_t part = fit < 1 ? 1 : fit;

	if (row <= part)
		return row;
	while (row % part)
		part--;
	return 2 * part < fit ? row : part;
}

/* Panels of three dimensions fill lines, those of more are a table of the last two that
 * number them, if it has more than one row. */
static void choose_panels(struct show_geometry *geometry)
{
	const struct show_picture *picture = geometry->picture;
	int64_t panels = picture->size[SHOW_SLICES], fit, last;

	geometry->panel_width = (int)picture->size[SHOW_COLUMNS] * geometry->cell_width +
		gaps(geometry, SHOW_COLUMNS, picture->size[SHOW_COLUMNS] - 1) + APART +
		(int)(2 * show_tile_pad(geometry, picture->level_count));
	geometry->panel_height = (int)picture->size[SHOW_ROWS] * geometry->cell_height +
		gaps(geometry, SHOW_ROWS, picture->size[SHOW_ROWS] - 1) + APART + NAMES +
		(int)(2 * show_tile_pad(geometry, picture->level_count));
	fit = (PANELS_WIDTH - geometry->left) / geometry->panel_width;
	last = picture->slice_count > 1 ?
		picture->extent[picture->slices[picture->slice_count - 1]] : panels;
	if (last < panels)
		fit = part_of_row(last, fit);
	geometry->across = (int)(fit < 1 ? 1 : fit < panels ? fit : panels);
}

size_t show_line(const char *text, size_t room)
{
	size_t length = strlen(text), at = room;

	if (length <= room)
		return length;
	while (at > room / 2 && text[at] != ' ')
		at--;
	if (at > room / 2)
		return at;
	for (at = room; at && !strchr(" ,;({[<", text[at - 1]); at--)
		;
	return at ? at : room;
}

int show_line_count(const char *text, size_t room)
{
	int count = 0;

	for (; *text; count++) {
		text += show_line(text, room);
		text += strspn(text, " ");
	}
	return count;
}

/* As wide as the panels, and as words need, within limits. */
static void choose_width(struct show_geometry *geometry)
{
	size_t title = strlen(geometry->title), caption = strlen(geometry->caption);
	size_t words = (title > caption ? title : caption) * CHARACTER + 2 * APART;

	geometry->width = geometry->left + geometry->across * geometry->panel_width;
	if (geometry->width < LEAST_WIDTH)
		geometry->width = LEAST_WIDTH;
	if (words > TEXT_WIDTH)
		words = TEXT_WIDTH;
	if (geometry->width < (int)words)
		geometry->width = (int)words;
	geometry->room = (size_t)(geometry->width - 2 * APART) / CHARACTER;
}

void show_geometry_find(struct show_geometry *geometry,
	const struct show_picture *picture, const char *title, const char *caption)
{
	int margin, title_lines, panels;

	*geometry = (struct show_geometry){ .picture = picture, .title = title,
		.caption = caption };
	choose_cells(geometry);
	choose_steps(geometry);
	margin = geometry->font + 11 + (int)show_tile_pad(geometry, picture->level_count);
	geometry->left = margin + name_width(geometry, show_row_name, SHOW_ROWS);
	choose_panels(geometry);
	choose_width(geometry);
	title_lines = show_line_count(title, geometry->room);
	geometry->top = margin + (title_lines ? 18 + SHOW_LINE * title_lines : 0) +
		(picture->slice_count ? NAMES - 22 : 0);
	panels = (int)((picture->size[SHOW_SLICES] + geometry->across - 1) /
		geometry->across);
	geometry->legend = geometry->top + panels * geometry->panel_height - NAMES;
	geometry->height = geometry->legend + LEGEND +
		SHOW_LINE * show_line_count(caption, geometry->room);
}

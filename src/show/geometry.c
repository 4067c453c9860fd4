/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/geometry.h"

#include <string.h>

#define CHARACTER 7		/* width of a label's character, about */
#define LABELLED_ROWS 64	/* labels are legible up to as many rows and columns */
#define LABELLED_COLUMNS 64
#define LEGEND 44		/* height */
#define LEAST_WIDTH 300		/* of the picture, for caption and legend */
#define APART 20		/* between slices, and around it all */

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
	return geometry->left + (int)slice * geometry->slice_width +
		(int)column * geometry->cell_width + gaps(geometry, SHOW_COLUMNS, column);
}

int show_y(const struct show_geometry *geometry, int64_t row)
{
	return geometry->top + (int)row * geometry->cell_height +
		gaps(geometry, SHOW_ROWS, row);
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
	int64_t columns = size[SHOW_COLUMNS] * size[SHOW_SLICES];
	int64_t larger = size[SHOW_ROWS] > columns ? size[SHOW_ROWS] : columns;

	geometry->has_labels = size[SHOW_ROWS] <= LABELLED_ROWS &&
		columns <= LABELLED_COLUMNS;
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

static int name_width(const struct show_geometry *geometry,
	void (*name)(const struct show_picture *, int64_t, char text[SHOW_LABEL]),
	enum show_axis axis)
{
	char text[SHOW_LABEL];

	name(geometry->picture, geometry->picture->size[axis] - 1, text);
	return (int)strlen(text) * CHARACTER;
}

void show_geometry_find(struct show_geometry *geometry,
	const struct show_picture *picture)
{
	const int64_t *size = picture->size;
	int column_room, margin;

	*geometry = (struct show_geometry){ .picture = picture };
	choose_cells(geometry);
	column_room = name_width(geometry, show_column_name, SHOW_COLUMNS) + 5;
	margin = 22 + (int)show_tile_pad(geometry, picture->level_count);
	geometry->left = margin + name_width(geometry, show_row_name, SHOW_ROWS);
	geometry->top = margin + (picture->rank == SHOW_DIMS ? 52 : 34);
	geometry->slice_width = (int)size[SHOW_COLUMNS] * geometry->cell_width +
		gaps(geometry, SHOW_COLUMNS, size[SHOW_COLUMNS] - 1) + APART +
		(int)(2 * show_tile_pad(geometry, picture->level_count));
	geometry->column_step = number_step(geometry, SHOW_COLUMNS, geometry->cell_width,
		column_room);
	geometry->row_step = number_step(geometry, SHOW_ROWS, geometry->cell_height, 14);
	geometry->legend = show_y(geometry, size[SHOW_ROWS] - 1) + geometry->cell_height +
		APART + (int)show_tile_pad(geometry, picture->level_count);
	geometry->height = geometry->legend + LEGEND;
	geometry->width = show_x(geometry, size[SHOW_SLICES], 0);
	if (geometry->width < LEAST_WIDTH)
		geometry->width = LEAST_WIDTH;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where everything of a drawn picture is, in pixels. */
#ifndef LAYOUT_SHOW_GEOMETRY_H
#define LAYOUT_SHOW_GEOMETRY_H

#include "show/label.h"

/* Cells stand closer to those of their own tile than to others: between two there is a
 * gap for every level of tiles that ends there. */
struct show_geometry {
	const struct show_picture *picture;
	bool has_labels;	/* there is room for them in the cells */
	int lines;		/* of a label */
	int cell_width, cell_height, gap;
	int left, top;		/* of the first cell */
	int slice_width;	/* from one slice to the next */
	int row_step, column_step;	/* every so many rows and columns have a number */
	int legend;		/* where the legend begins */
	int width, height;
};

void show_geometry_find(struct show_geometry *geometry,
	const struct show_picture *picture);

/* The corner of a cell. */
int show_x(const struct show_geometry *geometry, int64_t slice, int64_t column);
int show_y(const struct show_geometry *geometry, int64_t row);

/* How far the outline of a level of tiles is from the cells: neighbours of one level are
 * apart, and so are outlines within each other. */
double show_tile_pad(const struct show_geometry *geometry, unsigned level);

#endif

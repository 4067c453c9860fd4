/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where everything of a drawn picture is, in pixels. */
#ifndef LAYOUT_SHOW_GEOMETRY_H
#define LAYOUT_SHOW_GEOMETRY_H

#include "show/label.h"

/* Cells stand closer to those of their own tile than to others: between two there is a
 * gap for every level of tiles that ends there.  Slices are panels, "across" of them side
 * by side. */
struct show_geometry {
	const struct show_picture *picture;
	bool has_labels;	/* there is room for them in the cells */
	int lines;		/* of a label */
	int font;		/* of numbers, and of labels over cells that have none */
	int cell_width, cell_height, gap;
	int left, top;		/* of the first cell */
	int across, panel_width, panel_height;
	int row_step, column_step;	/* every so many rows and columns have a number */
	int label_rows, label_columns;	/* and a label over the cells; 0: none */
	int legend;		/* where the legend begins */
	const char *title, *caption;	/* in lines of "room" characters */
	size_t room;
	int width, height;
};

/* The title stands above the picture, the caption below its legend, in as many lines as
 * they take; "": there is none.  Both are borrowed. */
void show_geometry_find(struct show_geometry *geometry,
	const struct show_picture *picture, const char *title, const char *caption);

/* The corner of a cell. */
int show_x(const struct show_geometry *geometry, int64_t slice, int64_t column);
int show_y(const struct show_geometry *geometry, int64_t slice, int64_t row);

/* How far the outline of a level of tiles is from the cells: neighbours of one level are
 * apart, and so are outlines within each other. */
double show_tile_pad(const struct show_geometry *geometry, unsigned level);

/* How much of a text stands in its first line, of "room" characters: up to a space that is
 * far enough to the right, or behind a character that separates or opens, where there is
 * one.  The next line begins behind spaces. */
size_t show_line(const char *text, size_t room);
int show_line_count(const char *text, size_t room);

#define SHOW_LINE 16		/* the height of a line */

#endif

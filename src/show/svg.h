/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of a drawing that an image and a page have in common. */
#ifndef LAYOUT_SHOW_SVG_H
#define LAYOUT_SHOW_SVG_H

#include "show/geometry.h"

/* The rules of CSS for what is drawn, in light and in dark. */
void show_write_style(struct layout_buffer *out);
void show_write_hatch(struct layout_buffer *out, const struct show_picture *picture);

/* The classes of a drawing besides "layout", each behind a space. */
const char *show_kind_of_cells(const struct show_geometry *geometry);

/* The rows of cells, each cell with its title.  In a page a cell is an element of the
 * grid that is pointed at, "c0", "c1", .. */
void show_write_cells(struct layout_buffer *out, const struct show_geometry *geometry,
	const struct show_coloring *coloring, bool in_page);

/* The outlines of the tiles, the names of panels with the numbers of rows and columns, the
 * labels over cells that are too small to have some, and the legend. */
void show_write_tiles(struct layout_buffer *out, const struct show_geometry *geometry);
void show_write_numbers(struct layout_buffer *out, const struct show_geometry *geometry);
void show_write_labels(struct layout_buffer *out, const struct show_geometry *geometry);
void show_write_legend(struct layout_buffer *out, const struct show_geometry *geometry,
	const struct show_coloring *coloring);

#endif

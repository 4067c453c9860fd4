/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout as a picture: a grid of elements, each with the places that hold it. */
#ifndef LAYOUT_SHOW_PICTURE_H
#define LAYOUT_SHOW_PICTURE_H

#include "show/pairs.h"

enum show_axis { SHOW_SLICES, SHOW_ROWS, SHOW_COLUMNS, SHOW_AXES };

#define SHOW_LEVELS 8		/* tiles in tiles */

struct show_banks;

/* What holds an element: a register of a thread, or an offset in memory, or, in the
 * picture of addresses, both. */
struct show_place {
	size_t element, pair;
	int64_t thread, reg, memory;
};

/* Element e is in slice, row and column of the grid, which is read lexicographically.
 * Its places are places[first[e]] .. places[first[e + 1] - 1]. */
struct show_picture {
	layout_context *ctx;
	char *text;			/* the layout as text */
	struct show_pairs pairs;

	unsigned rank;			/* of an element's coordinates */
	int64_t extent[SHOW_DIMS];	/* of each */
	enum show_axis axis[SHOW_DIMS];	/* that each runs along */
	unsigned slice_count, slices[SHOW_DIMS];	/* those that number slices, the */
					/* slowest first */
	int64_t size[SHOW_AXES];
	size_t element_count;
	size_t count;			/* without the empty end of the last line */

	bool has_threads, has_registers, has_memory;
	bool lands;			/* places of threads have memory, too, which is where */
					/* what they hold goes */
	bool pads;			/* an element without a place is padding */
	bool shows_tuples;		/* places are shown as tuples, not as numbers */
	int64_t lanes;			/* of a wave: thread t is lane t mod lanes */
	int64_t threads, registers;
	int64_t memory_begin, memory_end;	/* offsets */
	struct show_place *places;
	size_t *first;
	struct show_banks *banks;	/* what cells are labelled with; NULL: places */

	/* The tiles that the layout's notation names, or that its threads and waves hold:
	 * sizes along the axes, the smallest first. */
	unsigned level_count;
	int64_t tile[SHOW_LEVELS][SHOW_AXES];
};

/* False with the error on the context.  Free in both cases. */
bool show_picture_build(struct show_picture *picture, layout_context *ctx,
	layout_value *value, const layout_show_options *options);
void show_picture_free(struct show_picture *picture);

/* What stands above the picture: as it was typed, but in one line, and not longer than
 * somebody reads; to be freed.  NULL without memory. */
char *show_title(layout_context *ctx, layout_value *value,
	const layout_show_options *options);

/* An element's coordinates, as many as the rank. */
void show_picture_coordinates(const struct show_picture *picture, size_t element,
	int64_t coordinates[SHOW_DIMS]);

/* Those that number a slice; the others stay as they are. */
void show_slice_coordinates(const struct show_picture *picture, int64_t slice,
	int64_t coordinates[SHOW_DIMS]);

/* The element at coordinates. */
size_t show_picture_element(const struct show_picture *picture, const int64_t *coordinates);

/* Count threads as those of workgroups of so many lanes, in waves, whether or not all hold
 * something; the lanes are one coordinate. */
void show_picture_widen(struct show_picture *picture, int64_t lanes, int64_t wave);

/* How many places an element has, and the first; NULL where it has none. */
size_t show_place_count(const struct show_picture *picture, size_t element);
const struct show_place *show_place_first(const struct show_picture *picture,
	size_t element);

/* The layout side that the picture's places are on. */
const struct show_side *show_place_side(const struct show_picture *picture);
const int64_t *show_place_point(const struct show_picture *picture,
	const struct show_place *place);

/* Is the grid that of the images, of the inputs, or of threads and registers? */
enum show_grid { SHOW_GRID_IMAGES, SHOW_GRID_INPUTS, SHOW_GRID_THREADS };
enum show_grid show_grid_of(const struct show_pairs *pairs);

/* Steps of show_picture_build(), one a file.  show_lines() chooses how one dimension is
 * cut into lines; show_levels() finds the tiles of the places found; show_tile_sizes()
 * those of the notation, by coordinate, the smallest first: how many levels, 0 for
 * none. */
bool show_offsets_find(struct show_picture *picture, layout_value *value,
	const layout_show_options *options);
unsigned show_tile_sizes(layout_value *value, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS]);
void show_levels(struct show_picture *picture, layout_value *value);
int64_t show_line_length(int64_t extent, unsigned level_count,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS]);

#endif

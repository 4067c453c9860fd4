/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tiles of a picture: those of the notation, or what a thread and a wave hold. */
#include "show/kind.h"

#include "isl_bridge/arithmetic.h"

#include <string.h>

#define SHORT_LINE 32
#define LONG_LINE 64

int64_t show_line_length(int64_t extent, unsigned level_count,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	int64_t length = 0;

	if (extent <= SHORT_LINE)
		return extent;
	for (unsigned i = 0; i < level_count; i++)
		if (sizes[i][0] >= SHORT_LINE / 4 && sizes[i][0] <= LONG_LINE)
			length = sizes[i][0];
	return length ? length : SHORT_LINE;
}

/* A tile of one dimension in lines: a part of a line, or whole lines; else nothing. */
static void cut_line(const struct show_picture *picture, int64_t size,
	int64_t tile[SHOW_AXES])
{
	int64_t line = picture->size[SHOW_COLUMNS];

	if (size < line && line % size == 0) {
		tile[SHOW_COLUMNS] = size;
		tile[SHOW_ROWS] = 1;
	} else if (size % line == 0) {
		tile[SHOW_ROWS] = size / line;
	}
}

/* Append a level of tiles, unless it is that of the cells, the whole grid or the level
 * before. */
static void add_level(struct show_picture *picture, int64_t tile[SHOW_AXES])
{
	bool is_cell = true, is_whole = true;

	for (unsigned a = SHOW_ROWS; a < SHOW_AXES; a++) {
		if (tile[a] > picture->size[a])
			tile[a] = picture->size[a];
		is_cell = is_cell && tile[a] == 1;
		is_whole = is_whole && tile[a] == picture->size[a];
	}
	tile[SHOW_SLICES] = 1;
	if (is_cell || is_whole || picture->level_count == SHOW_LEVELS)
		return;
	if (picture->level_count && !memcmp(picture->tile[picture->level_count - 1], tile,
			sizeof(*picture->tile)))
		return;
	memcpy(picture->tile[picture->level_count++], tile, sizeof(*picture->tile));
}

static void add_named(struct show_picture *picture, const int64_t size[SHOW_DIMS])
{
	int64_t tile[SHOW_AXES] = { INT64_MAX, INT64_MAX, INT64_MAX };

	if (picture->rank == 1)
		cut_line(picture, size[0], tile);
	for (unsigned d = 0; picture->rank > 1 && d < picture->rank; d++)
		tile[picture->axis[d]] = size[d];
	add_level(picture, tile);
}

/* The number of the group of "lanes" threads that holds an element first; -1: none. */
static int64_t holder(const struct show_picture *picture, size_t element, int64_t lanes)
{
	const struct show_place *place = show_place_first(picture, element);

	return place ? place->thread / lanes : -1;
}

/* The largest tile along an axis whose elements, in all lines along it, one group of
 * threads holds: what divides all the coordinates where the holder changes. */
static int64_t held_size(const struct show_picture *picture, enum show_axis axis,
	int64_t lanes)
{
	int64_t size = picture->size[axis], tile = size;
	size_t step = axis == SHOW_COLUMNS ? 1 : (size_t)picture->size[SHOW_COLUMNS];

	for (size_t e = 0; e < picture->count; e++) {
		int64_t at = (int64_t)(e / step) % size;

		if (at && holder(picture, e, lanes) != holder(picture, e - step, lanes))
			tile = int_gcd(tile, at);
	}
	return tile;
}

static void add_held(struct show_picture *picture, int64_t lanes)
{
	int64_t tile[SHOW_AXES] = { 1, 1, 1 };

	for (unsigned a = SHOW_ROWS; a < SHOW_AXES; a++)
		tile[a] = held_size(picture, a, lanes);
	add_level(picture, tile);
}

unsigned show_tile_sizes(layout_value *value, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	const struct show_kind *kind = value->kind->show;

	for (unsigned i = 0; i < SHOW_LEVELS; i++)
		for (unsigned d = 0; d < SHOW_DIMS; d++)
			sizes[i][d] = INT64_MAX;
	return kind && kind->tiles ? kind->tiles(value, rank, sizes) : 0;
}

void show_levels(struct show_picture *picture, layout_value *value)
{
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS];
	unsigned count = show_tile_sizes(value, picture->rank, sizes);

	for (unsigned i = 0; i < count; i++)
		add_named(picture, sizes[i]);
	if (count || !picture->has_threads ||
	    show_grid_of(&picture->pairs) == SHOW_GRID_THREADS)
		return;
	add_held(picture, 1);
	add_held(picture, picture->lanes);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes and elements, or cells, that tell two storages apart. */
#include "algebra/memory/difference.h"

#include <stdlib.h>
#include <string.h>

/* Sizes that are tried, elements at each of them, the elements and cells of which all
 * are, and the work that a small difference may cost. */
enum { SAMPLES = 24, SAMPLE_ELEMENTS = 16, MOST_ELEMENTS = 1 << 16, LEAST_WORK = 1 << 14,
	LEAST_SIZE = 8 };

bool difference_start(struct difference *difference, const struct sides *sides)
{
	*difference = (struct difference){ .values = layout_alloc(sides->remap->ctx,
		sides->remap->name_count, sizeof(int64_t)) };
	return difference->values;
}

void difference_free(struct difference *difference)
{
	free(difference->values);
}

/* A number below "limit", another each time. */
static int64_t draw(uint64_t *state, int64_t limit)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((*state >> 33) % (uint64_t)limit);
}

/* One element at these sizes; false where there is none. */
static bool draw_element(const struct sides_at *at, uint64_t *state, int64_t *element)
{
	for (unsigned d = 0; d < at->sides->remap->source->rank; d++) {
		if (at->size[d] <= 0)
			return false;
		element[d] = draw(state, at->size[d]);
	}
	return true;
}

/* Does the element lie in two cells? */
static bool moves(struct difference *difference, const struct sides_at *at,
	const int64_t *element)
{
	unsigned rank = at->sides->remap->source->rank;
	int64_t to[LAYOUT_STORAGE_SLOTS];

	for (unsigned d = 0; d < rank; d++)
		to[d] = element[d] + at->low[d];
	if (!sides_cells(at, element, to, difference->cell) ||
	    difference->cell[FACTOR_LOAD] == difference->cell[FACTOR_STORE])
		return false;
	difference->kind = DIFFERENCE_MOVES;
	for (unsigned d = 0; d < rank; d++)
		difference->element[d] = element[d];
	return true;
}

/* One side has more cells; the first of them that the other has not. */
static bool counts_differ(struct difference *difference, const struct sides_at *at)
{
	bool more = at->cells[FACTOR_LOAD] > at->cells[FACTOR_STORE];

	if (at->cells[FACTOR_LOAD] == at->cells[FACTOR_STORE])
		return false;
	difference->kind = DIFFERENCE_CELLS;
	difference->side = more ? FACTOR_LOAD : FACTOR_STORE;
	difference->cell[FACTOR_LOAD] = difference->cell[FACTOR_STORE] =
		at->cells[more ? FACTOR_STORE : FACTOR_LOAD];
	return true;
}

/* An element, or a cell, that tells the sides apart at these sizes. */
static bool differ_at(struct difference *difference, const struct sides_at *at,
	uint64_t *state)
{
	int64_t element[LAYOUT_STORAGE_SLOTS];

	for (unsigned i = 0; at->sides->low && i < SAMPLE_ELEMENTS; i++)
		if (draw_element(at, state, element) && moves(difference, at, element))
			return true;
	return counts_differ(difference, at);
}

bool difference_sample(struct difference *difference, const struct sides *sides)
{
	static const int64_t sizes[] = { 1, 2, 3, 5, 16, 17, 32, 64, 100, 128, 129, 255,
		256, 1000, 1024, 4096, 65535, 1 << 20 };
	uint64_t state = 1;
	struct sides_at at;

	for (unsigned s = 0; s < SAMPLES; s++) {
		for (unsigned i = 0; i < sides->remap->name_count; i++)
			difference->values[i] =
				sizes[draw(&state, sizeof(sizes) / sizeof(*sizes))];
		if (sides_fix(&at, sides, difference->values) &&
		    differ_at(difference, &at, &state))
			return true;
	}
	return false;
}

/* The next element; false at the end. */
static bool next_element(const struct sides_at *at, int64_t *element)
{
	for (unsigned d = at->sides->remap->source->rank; d--;) {
		if (++element[d] < at->size[d])
			return true;
		element[d] = 0;
	}
	return false;
}

/* How many elements there are; INT64_MAX beyond "limit". */
static int64_t count_elements(const struct sides_at *at, int64_t limit)
{
	int64_t count = 1;

	for (unsigned d = 0; d < at->sides->remap->source->rank; d++) {
		if (at->size[d] <= 0)
			return 0;
		count = count > limit / at->size[d] ? INT64_MAX : count * at->size[d];
	}
	return count;
}

/* The cells without an element are gaps of one side and padding of the other: the first
 * of them.  All elements lie alike, and there are as many cells. */
static layout_answer find_gap(struct difference *difference, const struct sides_at *at)
{
	bool load = at->sides->storage[FACTOR_LOAD]->kind == LAYOUT_STORAGE_STRIDED;
	bool store = at->sides->storage[FACTOR_STORE]->kind == LAYOUT_STORAGE_STRIDED;
	int64_t element[LAYOUT_STORAGE_SLOTS] = { 0 }, cells = at->cells[FACTOR_LOAD];
	int64_t cell[FACTOR_SIDES];
	unsigned char *full;

	if (load == store || !cells)
		return LAYOUT_YES;
	if (cells > MOST_ELEMENTS ||
	    !(full = layout_alloc(at->sides->remap->ctx, (size_t)cells, 1)))
		return LAYOUT_UNKNOWN;
	do
		if (sides_cells(at, element, element, cell) && cell[0] < cells)
			full[cell[0]] = 1;
	while (next_element(at, element));
	cell[0] = 0;
	while (cell[0] < cells && full[cell[0]])
		cell[0]++;
	free(full);
	if (cell[0] == cells)
		return LAYOUT_YES;
	difference->kind = DIFFERENCE_PADDING;
	difference->side = load ? FACTOR_STORE : FACTOR_LOAD;
	difference->cell[FACTOR_LOAD] = difference->cell[FACTOR_STORE] = cell[0];
	return LAYOUT_NO;
}

/* Nothing moves: what else differs. */
static layout_answer look_at_cells(struct difference *difference,
	const struct sides_at *at)
{
	if (!counts_differ(difference, at))
		return find_gap(difference, at);
	if (at->sides->storage[difference->side]->kind != LAYOUT_STORAGE_STRIDED)
		difference->kind = DIFFERENCE_PADDING;
	return LAYOUT_NO;
}

layout_answer difference_scan(struct difference *difference, const struct sides *sides)
{
	int64_t element[LAYOUT_STORAGE_SLOTS] = { 0 }, count;
	struct sides_at at;

	if (!sides->low || !sides_fix(&at, sides, difference->values))
		return LAYOUT_UNKNOWN;
	count = count_elements(&at, MOST_ELEMENTS);
	for (int64_t i = 0; i < count && i < MOST_ELEMENTS; i++) {
		if (moves(difference, &at, element))
			return LAYOUT_NO;
		next_element(&at, element);
	}
	return count > MOST_ELEMENTS ? LAYOUT_UNKNOWN : look_at_cells(difference, &at);
}

/* The next values of the names that are at most "most", the last fastest. */
static bool next_values(const struct sides *sides, int64_t *values, int64_t most)
{
	for (unsigned i = sides->remap->name_count; i--;) {
		if (++values[i] <= most)
			return true;
		values[i] = 0;
	}
	return false;
}

static bool has_value(const struct sides *sides, const int64_t *values, int64_t value)
{
	for (unsigned i = 0; i < sides->remap->name_count; i++)
		if (values[i] == value)
			return true;
	return !sides->remap->name_count;
}

/* Look at the sizes of which the largest is "most". */
static bool least_of(struct difference *difference, const struct sides *sides,
	int64_t most, int64_t *work)
{
	struct sides_at at;

	memset(difference->values, 0,
		sides->remap->name_count * sizeof(*difference->values));
	do {
		int64_t count;

		if (!has_value(sides, difference->values, most) ||
		    !sides_fix(&at, sides, difference->values))
			continue;
		count = count_elements(&at, *work);
		*work -= count < *work ? count + 1 : 1;
		if (count <= MOST_ELEMENTS &&
		    difference_scan(difference, sides) == LAYOUT_NO)
			return true;
	} while (*work > 0 && next_values(sides, difference->values, most));
	return false;
}

/* Make one size of a difference smaller: 0, 1, 2, 3, 4, 5, 8, 9, 16, 17, .. where tiles
 * have become full, or begin. */
static void shrink_size(struct difference *difference, const struct sides *sides,
	int64_t *size)
{
	int64_t value = *size;

	for (int64_t step = 0; step < value; step = step ? 2 * step : 2)
		for (*size = step; *size < step + 2 && *size < value; ++*size)
			if (difference_scan(difference, sides) == LAYOUT_NO)
				return;
	*size = value;
}

static void shrink(struct difference *difference, const struct sides *sides)
{
	struct difference smaller = *difference;

	for (unsigned i = 0; i < sides->remap->name_count; i++)
		shrink_size(&smaller, sides, &smaller.values[i]);
	if (difference_scan(&smaller, sides) == LAYOUT_NO)
		*difference = smaller;
}

void difference_least(struct difference *difference, const struct sides *sides)
{
	unsigned count = sides->remap->name_count;
	int64_t work = LEAST_WORK;
	struct difference least;
	bool found = false;

	if (!difference_start(&least, sides))
		return;
	for (int64_t most = 0; !found && work > 0 && most < (count ? LEAST_SIZE : 1);
	     most++)
		found = least_of(&least, sides, most, &work);
	if (found) {
		difference_free(difference);
		*difference = least;
	} else {
		difference_free(&least);
		shrink(difference, sides);
	}
}

layout_answer difference_find(struct difference *difference, const struct sides *sides)
{
	if (difference_sample(difference, sides))
		return LAYOUT_NO;
	if (sides_are_same(sides))
		return LAYOUT_YES;
	return sides->remap->name_count ? LAYOUT_UNKNOWN :
		difference_scan(difference, sides);
}

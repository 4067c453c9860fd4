/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells of a packed storage out of points: isl may have a floor of several coordinates
 * where, in the box, one of them decides.  One coordinate after the other is moved, all
 * others being 0; that the cells are so everywhere is for the proof. */
#include "algebra/recognise/packed_cells.h"
#include "algebra/recognise/recognise.h"

#include <stdlib.h>
#include <string.h>

/* A point that moves, and its image. */
struct walker {
	const struct seen *seen;
	int64_t *point, *image;
};

/* Fill in the image of the point; false where it is not known. */
static bool look(struct walker *walker)
{
	const struct seen *seen = walker->seen;
	size_t row = 0;

	if (seen->by_digits)
		return digits_apply(&seen->digits, walker->point, walker->image);
	for (unsigned d = 0; d < seen->in_rank; d++)
		row = row * (size_t)seen->box[d] + (size_t)walker->point[d];
	memcpy(walker->image, seen->table.images + row * seen->out_rank,
		seen->out_rank * sizeof(*walker->image));
	return true;
}

/* The value of a cell as a digit of dimension d, so far: it begins at the first step and
 * ends where it is 0 again.  False where another dimension moves it, or it does not
 * begin with 1. */
static bool take(struct digit *cell, unsigned d, int64_t x, int64_t value)
{
	if (cell->radix == 1 && value)
		*cell = (struct digit){ .dim = d, .step = x };
	else if (cell->radix != 1 && cell->dim == d && !value && !cell->radix)
		cell->radix = x / cell->step;
	return cell->radix == 1 || !value || (cell->dim == d && (x > cell->step || value == 1));
}

static bool walk(struct walker *walker, struct packed_cells *cells, unsigned d)
{
	bool good = true;

	for (int64_t x = 1; good && x < cells->size[d]; x++) {
		walker->point[d] = x;
		good = look(walker);
		for (unsigned k = 0; good && k < cells->count; k++)
			good = take(&cells->cell[k], d, x, walker->image[k]);
	}
	walker->point[d] = 0;
	return good;
}

/* Are there few enough points on all axes? */
static bool is_small(const struct packed_cells *cells)
{
	int64_t points = 0;

	for (unsigned d = 0; d < cells->rank; d++)
		if (__builtin_add_overflow(points, cells->size[d], &points) ||
		    points > (int64_t)RECOGNISE_POINTS)
			return false;
	return true;
}

bool packed_cells_probe(struct packed_cells *cells, layout_relation *relation)
{
	struct seen seen = { 0 };
	struct walker walker = { &seen, NULL, NULL };
	bool good = is_small(cells) &&
		see(&seen, relation, "an encoding", RECOGNISE_POINTS) &&
		(seen.by_digits || seen.listed);

	if (good)
		walker.point = layout_alloc(seen.ctx, (size_t)seen.in_rank +
			seen.out_rank, sizeof(*walker.point));
	good = walker.point;
	if (good) {
		walker.image = walker.point + seen.in_rank;
		good = look(&walker);
	}
	for (unsigned k = 0; good && k < cells->count; k++) {
		cells->cell[k] = (struct digit){ 0, 1, 1 };
		good = !walker.image[k];
	}
	for (unsigned d = 0; good && d < cells->rank; d++)
		good = walk(&walker, cells, d);
	free(walker.point);
	seen_free(&seen);
	return good;
}

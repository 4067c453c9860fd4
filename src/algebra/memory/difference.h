/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What tells the two storages of a remap apart, if anything does. */
#ifndef LAYOUT_ALGEBRA_MEMORY_DIFFERENCE_H
#define LAYOUT_ALGEBRA_MEMORY_DIFFERENCE_H

#include "algebra/memory/sides.h"

enum difference_kind {
	DIFFERENCE_MOVES,	/* "element" of the source lies in two cells */
	DIFFERENCE_PADDING,	/* "cell" is padding of "side" alone */
	DIFFERENCE_CELLS,	/* only "side" has "cell" at all */
};

/* What tells the sides apart at sizes "values", of the remap's names.  "cell" of the
 * second and third kind is in both entries. */
struct difference {
	enum difference_kind kind;
	enum factor_side side;
	int64_t *values;
	int64_t element[LAYOUT_STORAGE_SLOTS];
	int64_t cell[FACTOR_SIDES];
};

bool difference_start(struct difference *difference, const struct sides *sides);
void difference_free(struct difference *difference);

/* Do some sizes and elements tell the sides apart?  A few are looked at. */
bool difference_sample(struct difference *difference, const struct sides *sides);

/* All elements, and all cells, at sizes difference->values: LAYOUT_YES if nothing
 * differs, LAYOUT_UNKNOWN if that are too many, or the map is no shift. */
layout_answer difference_scan(struct difference *difference, const struct sides *sides);

/* Make a difference that was found small: small sizes, and the first element there, as
 * far as some work goes. */
void difference_least(struct difference *difference, const struct sides *sides);

/* The whole ladder where elements keep their index: some elements, proofs, all elements.
 * LAYOUT_NO with the difference. */
layout_answer difference_find(struct difference *difference, const struct sides *sides);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables: small constant functions, point by point.
 *
 * Where isl would reason about floors, a few thousand points are looked at
 * faster.  A table is exact, or there is none. */
#ifndef LAYOUT_ALGEBRA_TABLE_H
#define LAYOUT_ALGEBRA_TABLE_H

#include "algebra/points.h"

/* Inputs, sorted, and the image of each. */
struct table {
	struct points inputs;
	unsigned rank;			/* of the images */
	int64_t *images;
};

/* The table of "relation" if it is known to be a function, has no parameters and
 * few points; else false, with nothing on the context.  Free in both cases. */
bool table_build(struct table *table, layout_relation *relation);
void table_free(struct table *table);

/* No two rows have one image; the witness is the first such pair. */
layout_answer table_is_injective(const struct table *table, layout_witness **witness);

/* Every point of "wanted", a bounded set of as many coordinates as images, is an
 * image, and with "only" no other point is; unknown where it is not such a set. */
layout_answer table_covers(const struct table *table, layout_set *wanted, bool only,
	layout_witness **witness);

/* The same inputs and images; the witness is the first input that only one of the two
 * has, or where they differ, with its image. */
layout_answer table_equal(const struct table *a, const struct table *b,
	layout_witness **witness);

/* For each row, whether its input is the least of its image; to be freed.  NULL where
 * memory ran out. */
bool *table_least(const struct table *table);

/* Visit (image, input) for all rows, sorted by image, then input, until "visit" returns
 * false.  False where memory ran out. */
bool table_visit_images(const struct table *table, layout_visit_pair visit, void *user);

#endif

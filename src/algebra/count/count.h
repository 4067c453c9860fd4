/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counting from the inside. */
#ifndef LAYOUT_ALGEBRA_COUNT_H
#define LAYOUT_ALGEBRA_COUNT_H

#include "algebra/count/formula.h"
#include "isl_bridge/objects.h"
#include <layout/count.h>

/* A count under way, and why there is no formula: "dimension 1 depends on ..". */
struct counting {
	layout_context *ctx;
	char reason[160];
	unsigned splits;	/* into residues, so far */
};

/* Always false. */
bool count_refuse(struct counting *counting, const char *format, ...)
	LAYOUT_PRINTF(2, 3);

/* Add the number of points of the set, which is consumed, to the formula.  False with the
 * reason, or where isl failed; between bridge_enter() and bridge_leave(). */
bool count_union(struct counting *counting, isl_set *set, struct formula *formula);

/* The same of a union's piece. */
bool count_piece(struct counting *counting, isl_basic_set *piece,
	struct formula *formula);

/* The product of the extents of a piece is right where there are points: make it 0 where
 * there are none. */
bool count_guard(struct counting *counting, isl_basic_set *piece, struct term *term);

/* The same as for those of its points that have one residue of a dimension each; false
 * with the reason as it was where there is no such dimension, or too many residues.
 * Keeps the piece. */
bool count_split(struct counting *counting, isl_basic_set *piece,
	struct formula *formula);

/* A set with as many points as the piece, and fewer dimensions; NULL where none is
 * found.  "group" is the number of each dimension's group: those that depend on each
 * other.  Keeps the piece. */
isl_set *count_reduce(isl_basic_set *piece, const unsigned *group);

/* The number of points of one dimension as a factor; "points" : { [x] } is kept. */
bool count_interval(struct counting *counting, isl_basic_set *points, unsigned dim,
	struct factor *factor);

/* The points of the set as a new formula, to be freed in any case; false with
 * LAYOUT_ERROR_NO_ANSWER, "no formula: ..", or another error. */
bool count_set(struct formula *formula, layout_set *set);

/* The formula as text, or as a number; consume it. */
char *count_text(struct formula *formula);
bool count_number(struct formula *formula, int64_t *number);

/* The part of the relation whose images are points of "onto". */
layout_relation *count_inside(layout_relation *relation, layout_set *onto);

/* Are the sizes there and >= 0, and a place for the number? */
bool count_can_fix(layout_context *ctx, const layout_size *sizes, unsigned count,
	const int64_t *number);

#endif

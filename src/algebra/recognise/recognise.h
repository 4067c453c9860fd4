/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations recognised as layouts of a notation.
 *
 * A relation that is a function on a box 0 <= x_d < n_d is seen as digits, as a function
 * over F2, or as a list of its points; a layout is made of what was seen; and its own
 * relation is proved equal to the one that was asked about, in another way than by
 * what was seen.  What fails is LAYOUT_ERROR_NO_ANSWER with a reason that can be checked
 * by hand. */
#ifndef LAYOUT_ALGEBRA_RECOGNISE_H
#define LAYOUT_ALGEBRA_RECOGNISE_H

#include "algebra/digits/digits.h"
#include "algebra/table.h"

#include <layout/linear.h>
#include <layout/nested.h>

/* So many points are listed at most where nothing else is said. */
#define RECOGNISE_POINTS ((size_t)1 << 17)

/* A relation { [x0, ..] -> [y0, ..] } as it was seen, all that is known of it.
 *
 *	box		x_d < box[d]
 *	by_digits	"digits" are the function, which is proved
 *	f2		the function over F2; NULL: it is none, or not seen to be one
 *	listed		"table" has all points
 *	why		why there are no digits */
struct seen {
	layout_relation *relation;	/* borrowed */
	layout_context *ctx;
	size_t most_points;
	unsigned in_rank, out_rank;
	int64_t *box;
	bool by_digits, listed;
	struct digits digits;
	struct f2 *f2;
	struct table table;
	struct layout_caught why;
};

/* Look at the relation; "what" is "a CuTe layout", for reasons.  False with the error
 * on the context where it is no function on a box of numbers, or has more than
 * "most_points" and is not seen otherwise; free in both cases. */
bool see(struct seen *seen, layout_relation *relation, const char *what,
	size_t most_points);
void seen_free(struct seen *seen);

/* The number of points; SIZE_MAX where there are more. */
size_t seen_points(const struct seen *seen);

/* All points of the box, one after the other: the list.  False with an error; between
 * bridge_enter() and leave. */
bool see_each(struct seen *seen);

/* The ways to see a relation that has no form: its domain as a box, where that is hard
 * with the list; its function read as digits; its points listed and probed.  The latter
 * two are false without an error, or with one in "why", where they do not tell. */
bool see_box(struct seen *seen);
bool see_function(struct seen *seen);
bool see_points(struct seen *seen);

/* Fail with the reason why there are no digits; false. */
bool seen_fail(const struct seen *seen);

/* Are the digits the function of isl's, on all of the box?  In them it is affine, which
 * is found by arithmetic; between bridge_enter() and leave. */
bool seen_prove_digits(const struct seen *seen, isl_multi_aff *function);

/* Are these digits, of a layout that was made, those of the relation?  False with an
 * error. */
bool seen_same_digits(const struct seen *seen, const struct digits *made);

/* Is "made", which is consumed, the relation that was seen?  False with an error where
 * that is not proved; NULL is an earlier error. */
bool seen_prove(const struct seen *seen, layout_relation *made);

/* The layouts, see layout_cute_from_relation() and its like.  "sizes" are what is
 * declared of a linear layout's outputs; NULL: the least.  "invalid_too": as for
 * recognise_nested(). */
layout_cute *seen_cute(const struct seen *seen);
layout_linear *seen_linear(const struct seen *seen, const int64_t *sizes);
layout_nested *seen_nested(const struct seen *seen, int64_t subgroup_size,
	bool invalid_too);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts as sums of products: "128*ceil(M/128)*16*ceil(K/16) - M*K".
 *
 * All of it happens between bridge_enter() and bridge_leave(), where isl's failures
 * show. */
#ifndef LAYOUT_ALGEBRA_COUNT_FORMULA_H
#define LAYOUT_ALGEBRA_COUNT_FORMULA_H

#include "isl_bridge/bridge.h"

/* The least of the bounds, quasi-affine in the names; max(0, that) if "clipped". */
#define FACTOR_BOUNDS 4
struct factor {
	unsigned count;
	isl_aff *bounds[FACTOR_BOUNDS];
	bool clipped;
};

/* A number times the factors, in whose order it stands before number "at".  Starts as
 * { 0 } with term_start(). */
#define TERM_FACTORS 64
struct term {
	isl_val *number;
	unsigned at, count;
	struct factor factors[TERM_FACTORS];
};

/* A sum.  Starts as { .ctx = ctx }; "failed": memory ran out, on the context. */
struct formula {
	layout_context *ctx;
	struct term *terms;
	unsigned count, capacity;
	bool failed;
};

void factor_free(struct factor *factor);
isl_pw_aff *factor_least(const struct factor *factor);

/* Is it below 0, without the clipping, for some sizes >= 0? */
bool factor_is_negative(const struct factor *factor);

void term_start(struct term *term, layout_context *ctx);
void term_free(struct term *term);
struct term term_copy(const struct term *term);

/* Multiply, consuming the number, or the factor; a constant one joins the number.  False
 * where there are too many factors. */
void term_times_number(struct term *term, isl_val *number);
bool term_times(struct term *term, struct factor *factor);

/* The sum with one more term, consumed; 0 adds nothing, and the same factors add up. */
void formula_add(struct formula *formula, struct term *term);
void formula_free(struct formula *formula);

/* Terms that differ in one plain factor become one: M*K + 3*K is (M + 3)*K.  Where
 * several are left, their numbers come first. */
void formula_merge(struct formula *formula);

/* a - b, in "a"; consumes "b". */
void formula_subtract(struct formula *a, struct formula *b);

/* The sum where it has no names, else NULL. */
isl_val *formula_number(const struct formula *formula);

/* The sum as text; NULL with LAYOUT_ERROR_NO_ANSWER where a number is too large for
 * that. */
char *formula_str(const struct formula *formula);

#endif

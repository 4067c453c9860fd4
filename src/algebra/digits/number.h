/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Quasi-affine functions of an index as sums of its digits.
 *
 * isl has floor((128i + j)/16); with 0 <= j < 128 that is 8i + floor(j/16).  Digits say
 * so by arithmetic on their weights, where isl would have to be asked for every
 * simplification.  Unlike those of `struct digits` they may be open, in any order, and
 * beside them there is what depends on sizes. */
#ifndef LAYOUT_ALGEBRA_DIGITS_NUMBER_H
#define LAYOUT_ALGEBRA_DIGITS_NUMBER_H

#include "algebra/digits/digit.h"
#include "isl_bridge/bridge.h"

/* The index is x[dim] = i[dim] + low[dim] >= 0, where "low" depends on sizes alone, and
 * at most "most", INT64_MAX where that is not known. */
struct digit_scope {
	unsigned rank;
	isl_aff **low;
	int64_t *most;
};

enum { DIGIT_TERMS = 48 };

/* The sum of the terms and "rest", which depends on sizes alone. */
struct digit_number {
	unsigned count;
	struct digit_term terms[DIGIT_TERMS];
	isl_aff *rest;
};

/* Lows by which floors of the functions are floors of x, one a dimension.  NULL where
 * isl failed. */
isl_aff **digit_lows(layout_context *ctx, isl_multi_aff *functions);
void digit_lows_free(isl_aff **low, unsigned rank);

/* "function" of i, which it keeps, as a number.  False where it is none, or isl failed;
 * free in both cases. */
bool digit_number_read(struct digit_number *number, const struct digit_scope *scope,
	isl_aff *function);
void digit_number_free(struct digit_number *number);

#endif

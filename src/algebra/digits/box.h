/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts built from digits: a box of digits and two affine maps out of it.
 *
 *	digits[d0, d1, ..] -> X		where the digits come from
 *	digits[d0, d1, ..] -> Y		where they go
 *	result : X -> Y			through the same digits
 *
 * Affine both ways, so that isl never has to invert a floor. */
#ifndef LAYOUT_ALGEBRA_DIGITS_BOX_H
#define LAYOUT_ALGEBRA_DIGITS_BOX_H

#include "isl_bridge/aff.h"
#include "isl_bridge/objects.h"

struct digit_box {
	layout_context *ctx;
	isl_set *box;
};

/* "count" digits, no bounds yet. */
struct digit_box digit_box_new(layout_context *ctx, unsigned count);

/* 0 <= digit < extent */
void digit_box_bound(struct digit_box *digits, unsigned digit, int64_t extent);

/* 0; and "sum" + factor * digit, which consumes "sum". */
isl_aff *digit_box_zero(struct digit_box *digits);
isl_aff *digit_box_add(struct digit_box *digits, isl_aff *sum, unsigned digit,
	int64_t factor);

/* floor(digit / step) mod radix */
isl_aff *digit_box_digit(struct digit_box *digits, unsigned digit, int64_t step,
	int64_t radix);

/* The relation between the two images of the box, anonymous tuples of the lists'
 * lengths.  Consumes all three and closes a bridge_enter(). */
layout_relation *digit_box_relation(struct digit_box *digits, const char *doing,
	isl_aff_list *from, isl_aff_list *to);

#endif

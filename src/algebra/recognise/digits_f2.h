/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Digits as bits, and bits as digits. */
#ifndef LAYOUT_ALGEBRA_RECOGNISE_DIGITS_F2_H
#define LAYOUT_ALGEBRA_RECOGNISE_DIGITS_F2_H

#include "algebra/digits/digits.h"
#include "algebra/f2/f2.h"

/* A function over F2, if no two of its columns have a bit in common: else "clash" are
 * the first two input bits that have. */
bool digits_of_f2(struct digits *form, layout_context *ctx, const struct f2 *f2,
	unsigned clash[2]);

/* The form as a function over F2 into the least boxes: NULL, with LAYOUT_ERROR_NO_ANSWER
 * and numbers, where an input has no power of two of points, an image is negative, or
 * sums are no XORs. */
struct f2 *digits_f2(const struct digits *form);

#endif

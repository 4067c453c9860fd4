/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A digit: what all layouts are made of.
 *
 * A layout is P . X . D: D cuts the coordinates into digits, X changes digits by others,
 * and P gives each its place: a weight in memory, a place in the number of a lane or a
 * register, a coordinate. */
#ifndef LAYOUT_ALGEBRA_DIGITS_DIGIT_H
#define LAYOUT_ALGEBRA_DIGITS_DIGIT_H

#include <stdbool.h>
#include <stdint.h>

/* floor(x[dim] / step) mod radix; radix 0: no mod, the digit is open. */
struct digit {
	unsigned dim;
	int64_t step, radix;
};

/* factor * digit, in one of several sums. */
struct digit_term {
	struct digit digit;
	unsigned image;
	int64_t factor;
};

/* A digit that lanes or registers hold: it is floor(n / place) mod radix of the number n
 * of the lane, or else of the register. */
struct held_digit {
	struct digit digit;
	bool lane;
	int64_t place;
};

/* By dimension, then by step: for qsort(). */
static inline int held_digit_compare(const void *a, const void *b)
{
	const struct held_digit *x = a, *y = b;

	if (x->digit.dim != y->digit.dim)
		return x->digit.dim < y->digit.dim ? -1 : 1;
	return (x->digit.step > y->digit.step) - (x->digit.step < y->digit.step);
}

/* Where the digit ends in its dimension: step * radix; INT64_MAX where it is open or that
 * is beyond 64 bits. */
static inline int64_t digit_end(const struct digit *digit)
{
	int64_t end;

	return !digit->radix || __builtin_mul_overflow(digit->step, digit->radix, &end) ?
		INT64_MAX : end;
}

/* The digit of a coordinate x >= 0. */
static inline int64_t digit_value(const struct digit *digit, int64_t x)
{
	x /= digit->step;
	return digit->radix ? x % digit->radix : x;
}

/* The digit without its first "part" values, which divide its radix. */
static inline struct digit digit_above(const struct digit *digit, int64_t part)
{
	return (struct digit){ digit->dim, digit->step * part, digit->radix / part };
}

#endif

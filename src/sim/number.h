/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The elements that matrix instructions multiply: bits to numbers and back. */
#ifndef LAYOUT_SIM_NUMBER_H
#define LAYOUT_SIM_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* A type by its widths.  Finite small floats have no infinities; of "fnuz" ones the
 * negative zero is the only NaN, and those of less than 8 bits have none. */
struct number_type {
	const char *name;
	unsigned bits;
	unsigned exponent, mantissa;	/* bits; exponent 0: an integer */
	int bias;
	bool finite, fnuz;
};

/* NULL where there is no such type. */
const struct number_type *number_find(const char *name);

/* The number in the low bits; every one of a type is a double.  An integer is signed
 * if "is_signed". */
double number_decode(const struct number_type *type, uint64_t bits, bool is_signed);

/* The bits of a number rounded to nearest, ties to even; for f16, bf16, f32, f64. */
uint64_t number_encode(const struct number_type *type, double value);

#endif

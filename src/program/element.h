/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements as bits of their type, and as numbers.
 *
 * Numbers of floating point types are exact as a double; those of integer types are
 * 64 bits that wrap, of which "u64" has no sign.  Every NaN is written as the type's own,
 * and what is too large as an infinity, or where there is none as the largest number. */
#ifndef LAYOUT_PROGRAM_ELEMENT_H
#define LAYOUT_PROGRAM_ELEMENT_H

#include "algebra/storage/element.h"

/* Is it of floating point, powers of 2 included? */
bool element_is_float(const struct element_type *type);

/* Bits to numbers. */
double element_double(const struct element_type *type, uint64_t bits);
int64_t element_integer(const struct element_type *type, uint64_t bits);

/* Numbers to bits: the nearest, ties to even; the lowest bits, or of i1 "not 0". */
uint64_t element_of_double(const struct element_type *type, double value);
uint64_t element_of_integer(const struct element_type *type, int64_t value);

/* The number that the nearest element is. */
double element_rounded(const struct element_type *type, double value);

/* An element of type "from" as one of type "to": casts to floating point round to nearest
 * even, those to integers too, and saturate; NaN becomes 0.  i1 is "not 0". */
uint64_t element_cast(const struct element_type *to, const struct element_type *from,
	uint64_t bits);

/* a * b + c of a floating point type, rounded once. */
uint64_t element_fma(const struct element_type *type, uint64_t a, uint64_t b, uint64_t c);

/* Element e of memory, whose bits lie one after the other. */
uint64_t element_get(const struct element_type *type, const unsigned char *memory,
	int64_t e);
void element_set(const struct element_type *type, unsigned char *memory, int64_t e,
	uint64_t bits);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners over F2: bits of the hardware's numbers to bits of the coordinates, each set of
 * columns by the part of the hardware, and without memory of their own, unlike a
 * `struct f2`. */
#ifndef LAYOUT_ALGEBRA_OWNER_BITS_H
#define LAYOUT_ALGEBRA_OWNER_BITS_H

#include "algebra/owner/owner.h"

enum { OWNER_BITS = 24 };

/* The vector of a point is the constant, XOR the columns of the bits that are set in its
 * numbers; it has the bits of coordinate 0 from the lowest on, then those of 1, and so
 * on, as many of each as the box needs. */
struct owner_bits {
	unsigned counts[OWNER_PARTS], widths[OWNER_RANK];
	uint64_t columns[OWNER_PARTS][OWNER_BITS], constant;
};

/* False where the extents are no powers of two, or the function is no such XOR. */
LAYOUT_INTERNAL bool owner_bits_of(const struct owner *owner, struct owner_bits *bits)
	LAYOUT_SYMBOL(owner_bits_of);

/* The first bit of a coordinate in the vectors; coordinates as a vector. */
unsigned owner_bits_begin(const struct owner_bits *bits, unsigned dim);

/* Make the owner, whose rank, box and extents are there, what the bits say. */
bool owner_of_bits(struct owner *owner, const struct owner_bits *bits);

/* Bits of a number below "extent". */
static inline unsigned owner_width(int64_t extent)
{
	return extent > 1 ? 64 - (unsigned)__builtin_clzll((uint64_t)extent - 1) : 0;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* XOR swizzles of a tile in the LDS: searched, and proved free of bank conflicts.
 *
 * The tile has 2^bits elements, and the number of an element is a vector over F2; a bit
 * of a lane's or a register's number stands for such a vector, too.  The offset of an
 * element is a bijective linear function of its number.
 *
 * The low bits of an offset say where in a line of all banks the element lies; the
 * elements whose offsets have 0 there are a subspace K.  A group of lanes that access
 * vectors is without conflict where K has only 0 in common with the span of the group
 * and of the vector; being linear, what holds for one group holds for its cosets, and
 * for every register. */
#ifndef LAYOUT_ALGEBRA_LDS_SWIZZLE_H
#define LAYOUT_ALGEBRA_LDS_SWIZZLE_H

#include "algebra/lds/lds.h"

#define SWIZZLE_BITS 32

/* One side of the tile: what each bit of the register's and of the lane's number is
 * worth, and each further one of a number that goes through several waves; 0 where lanes
 * hold the same. */
struct swizzle_side {
	bool store;
	unsigned register_count, lane_count, wave_count;
	uint64_t registers[SWIZZLE_BITS], lanes[LDS_BASES], waves[SWIZZLE_BITS];
};

/* Both ways, and copied by assignment while it is searched, unlike a `struct f2`. */
struct lds_swizzle {
	unsigned bits;
	unsigned vectors[2];	/* by side: a lane accesses 2^that elements */
	uint64_t columns[SWIZZLE_BITS];	/* the element at offset 2^i */
	uint64_t rows[SWIZZLE_BITS];	/* bit i of the offset is the parity of these */
};

/* The widest accesses for which the search finds a swizzle without conflicts, under
 * every candidate grouping.  Their first elements' offsets are multiples of the vector.
 * False where there is none: three groupings may have no swizzle in common. */
bool swizzle_find(const layout_lds *lds, unsigned element_bits, unsigned bits,
	const struct swizzle_side sides[2], struct lds_swizzle *swizzle);

/* Exchange bits of the offset from "low" up to "line", and beyond it, which leaves every
 * access as free of conflicts, so that lanes compute their offsets in fewer steps. */
void swizzle_order(struct lds_swizzle *swizzle, const struct swizzle_side sides[2],
	unsigned low, unsigned line);

#endif

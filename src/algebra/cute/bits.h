/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts as functions of bits: each bit of the offset is the XOR of some bits of
 * the linear coordinate.  The small engine of the swizzles, on the stack; by rows, where a
 * `struct f2` has columns: so sums are added up, carry by carry. */
#ifndef LAYOUT_ALGEBRA_CUTE_BITS_H
#define LAYOUT_ALGEBRA_CUTE_BITS_H

#include "algebra/cute/swizzle.h"

#define CUTE_BITS_ONE ((uint64_t)1 << 63)	/* the constant 1 in a row */

/* Row j is bit j of the image: which of the "in" bits are XOR-ed, and whether with 1.
 * Rows from "out" on are 0. */
struct cute_bits {
	unsigned in, out;
	uint64_t rows[CUTE_SWIZZLE_BITS];
};

/* The layout on [0, 2^in), its last mode without end.  False where it is not seen to
 * be such a function; where it is true, it is exact. */
bool cute_bits_of(const layout_cute *cute, unsigned in, struct cute_bits *bits);

/* The layout on its whole domain, if its size is a power of two. */
bool cute_bits_of_all(const layout_cute *cute, struct cute_bits *bits);

/* outer(inner(x)), outer.in >= inner.out. */
struct cute_bits cute_bits_compose(const struct cute_bits *outer,
	const struct cute_bits *inner);

/* The image of a point. */
int64_t cute_bits_apply(const struct cute_bits *bits, uint64_t point);

/* The inputs of the images 0, 1, .., 2^in - 1, as many as there are; false if there is
 * none of 0. */
bool cute_bits_right_inverse(const struct cute_bits *bits, struct cute_bits *inverse);

/* An input of each image.  Bits of the image that no input has come from none; which of
 * two dependent ones is said to, the lower or the higher, "down", decides whether the
 * result is a layout. */
struct cute_bits cute_bits_left_inverse(const struct cute_bits *bits, bool down);

/* The inputs at which two functions of as many bits have the same image, numbered by
 * "domain"; false where there is none. */
bool cute_bits_agree(const struct cute_bits *a, const struct cute_bits *b,
	struct cute_bits *domain);

/* Sw o offset o L with the order of "like" and a shape that refines its shape, a box
 * of 2^in points.  There is exactly one plain layout or none; a swizzle with the
 * shift "prefer" is looked for first.  NULL with nothing on the context where there is
 * no such layout. */
layout_cute *cute_bits_layout(const struct cute_bits *bits, const layout_cute *like,
	int prefer);

/* The same from all offsets, "like" plain with the first mode fastest.  Looks at
 * swizzles by bits that the offsets have, and at none where one is below 0; none is as
 * far from 0 as the end, so that what they add up to fits 64 bits. */
static inline int64_t cute_values_end(const layout_cute *like)
{
	return INT64_MAX / 4 / like->size;
}
layout_cute *cute_values_layout(const int64_t *values, layout_cute *like, int prefer);

#endif

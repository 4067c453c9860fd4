/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the bits of an image are, as a reader would say it. */
#ifndef LAYOUT_ALGEBRA_F2_PIECE_H
#define LAYOUT_ALGEBRA_F2_PIECE_H

#include "algebra/f2/f2.h"

/* Bits begin .. begin + length - 1 of one coordinate of the image, length > 0.
 *
 *	sources 0	constant, all bits 0 or all 1
 *	sources 1	the digit of that length of coordinate "in", from "bit" on
 *	else		one bit, the sum of so many input bits
 *
 * "flipped": each bit the other way round. */
struct f2_piece {
	unsigned begin, length, sources;
	unsigned in, bit;
	bool flipped;
};

/* The longest piece of coordinate "out" that begins at bit "begin" of it. */
struct f2_piece f2_piece_at(const struct f2 *f2, unsigned out, unsigned begin);

/* The largest value of a piece. */
static inline int64_t f2_piece_last(const struct f2_piece *piece)
{
	return ((int64_t)1 << piece->length) - 1;
}

/* Does it go to the last bit of its input, so that no mod is needed? */
static inline bool f2_piece_is_last(const struct f2 *f2, const struct f2_piece *piece)
{
	return piece->bit + piece->length == f2->in_widths[piece->in];
}

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affine functions over F2: between two boxes whose extents are powers of two,
 * y = constant XOR the columns of the bits that are set in x.
 *
 * The exact engine for XOR swizzles, linear layouts and register layouts, where isl
 * pays one existential a bit. */
#ifndef LAYOUT_ALGEBRA_F2_H
#define LAYOUT_ALGEBRA_F2_H

#include "isl_bridge/context.h"

/* More bits on one side describe nothing that a machine could hold, and so few can be
 * solved without allocating. */
#define F2_BITS 512
#define F2_WORDS (F2_BITS / 64)

/* Bits of one coordinate: its extent is a positive int64_t. */
#define F2_WIDTH 62

/* Coordinates in the order of the tuple; bits are numbered from coordinate 0's
 * lowest upwards, coordinate after coordinate, on both sides.  A vector of bits is
 * "words" words, bit b in word b / 64.  One allocation; immutable once shared. */
struct f2 {
	unsigned references;
	unsigned in_rank, out_rank;
	unsigned in_bits, out_bits;	/* altogether, F2_BITS at most */
	unsigned in_words, words;	/* of a point, of an image: at least 1 */
	unsigned *in_widths, *out_widths;	/* bits of each coordinate */
	uint64_t *constant;		/* the image of 0 */
	uint64_t *columns;		/* see f2_column() */
};

/* The function that is 0 everywhere, to be filled in before it is shared.
 * NULL: no memory, or a width or their sum is too large, on the context. */
struct f2 *f2_new(layout_context *ctx, unsigned in_rank, const unsigned *in_widths,
	unsigned out_rank, const unsigned *out_widths);
struct f2 *f2_share(struct f2 *f2);
void f2_free(struct f2 *f2);

/* The number of an input coordinate's lowest bit. */
unsigned f2_in_begin(const struct f2 *f2, unsigned coordinate);

/* The column of input bit "bit", a vector of "words" words. */
static inline uint64_t *f2_column(const struct f2 *f2, unsigned bit)
{
	return f2->columns + (size_t)bit * f2->words;
}

/* The column of input bit "bit" is XOR-ed with "value" in coordinate "out"; and the
 * constant. */
void f2_toggle(struct f2 *f2, unsigned bit, unsigned out, uint64_t value);
void f2_toggle_constant(struct f2 *f2, unsigned out, uint64_t value);

/* Coordinate "out" of the column of input bit "bit", and of the constant. */
uint64_t f2_get(const struct f2 *f2, unsigned bit, unsigned out);
uint64_t f2_get_constant(const struct f2 *f2, unsigned out);

/* The image of a point inside the box. */
void f2_apply(const struct f2 *f2, const int64_t *in, int64_t *out);

/* outer(inner(x)); the widths in the middle must agree but that inner's may be
 * smaller, else LAYOUT_ERROR_SPACE.  Keeps both. */
struct f2 *f2_compose(layout_context *ctx, const struct f2 *outer,
	const struct f2 *inner);

/* The inverse of a bijection of the boxes, else NULL with nothing on the context. */
struct f2 *f2_inverse(layout_context *ctx, const struct f2 *f2);

/* R with a(R(x)) = b(x) on b's box: the columns of "a" that depend on earlier ones are
 * not used, so that R is the one whose free bits are 0.  The images' boxes need not
 * agree, only their ranks.  Where there is none, NULL with nothing on the context, and
 * "missed" is a point of b's box whose image "a" does not reach.  Keeps both. */
struct f2 *f2_solve(layout_context *ctx, const struct f2 *a, const struct f2 *b,
	int64_t *missed);

/* The bits whose columns depend on those of lower bits, as a mask for each input
 * coordinate. */
void f2_free_bits(const struct f2 *f2, uint64_t *masks);

/* The rank of the columns: injective where it is in_bits, surjective onto the box of
 * out_widths where it is out_bits. */
unsigned f2_rank(const struct f2 *f2);

/* The lexicographically least point other than 0 whose image is that of 0, into
 * "in"; false where there is none. */
bool f2_kernel(const struct f2 *f2, int64_t *in);

/* The lexicographically least point of the output box that nothing reaches; false
 * where there is none. */
bool f2_missing(const struct f2 *f2, int64_t *out);

/* The same function on the same box; else "in" (may be NULL) is a point where they
 * differ, 0 0 .. where the boxes do. */
bool f2_equal(const struct f2 *a, const struct f2 *b, int64_t *in);

#endif

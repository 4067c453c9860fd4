/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions by digits: every input of a box is cut into mixed-radix digits, and each
 * digit adds its multiple of a vector to the images.
 *
 *	y = constant + sum of adds[i] * (floor(x[input] / step) mod extent)
 *
 * What shape:stride, nested layouts and linear bases without XORs have in common. */
#ifndef LAYOUT_ALGEBRA_RECOGNISE_DIGITS_H
#define LAYOUT_ALGEBRA_RECOGNISE_DIGITS_H

#include "algebra/cute/cute.h"
#include "algebra/f2/f2.h"

struct digit {
	unsigned input;
	int64_t step, extent;	/* extent >= 2 */
};

/* On 0 <= x[d] < extents[d].  Of one input the digits have growing steps, each of them
 * beginning where the one before it ends, from 1 to the extent; none where that is 0 or
 * 1.  Neighbours that continue each other are one: the digits are a normal form. */
struct digit_form {
	layout_context *ctx;
	unsigned in_rank, out_rank, count, room;
	int64_t *extents, *constant;
	struct digit *digits;
	int64_t *adds;		/* out_rank numbers for each digit */
};

/* A form without digits and with extents and constant 0, to be filled in.  False
 * without memory; free in both cases. */
bool digit_form_begin(struct digit_form *form, layout_context *ctx, unsigned in_rank,
	unsigned out_rank);
void digit_form_free(struct digit_form *form);

/* One more digit, behind those of its input.  False without memory. */
bool digit_form_append(struct digit_form *form, struct digit digit, const int64_t *adds);

static inline const int64_t *digit_form_adds(const struct digit_form *form, unsigned i)
{
	return form->adds + (size_t)i * form->out_rank;
}

/* The image of a point of the box; false where it is beyond 64 bits. */
bool digit_form_apply(const struct digit_form *form, const int64_t *in, int64_t *out);

/* The same function on the same box, of forms that have as many inputs and images. */
bool digit_form_equal(const struct digit_form *a, const struct digit_form *b);

/* factor * (floor(x[input] / step) mod extent) in one image; extent 0: no mod. */
struct digit_part {
	unsigned input, image;
	int64_t factor, step, extent;
};

/* Fill in the digits of a form, whose extents are there, that add up to the parts: cut
 * where any of them begins or ends.  False where those are no digits of the box, or
 * numbers do not fit. */
bool digit_form_cut(struct digit_form *form, const struct digit_part *parts,
	size_t count);

/* A layout without a swizzle, and first mode fastest. */
bool digit_form_of_cute(struct digit_form *form, const layout_cute *cute);

/* A function over F2, if no two of its columns have a bit in common: else "clash" are
 * the first two input bits that have. */
bool digit_form_of_f2(struct digit_form *form, layout_context *ctx, const struct f2 *f2,
	unsigned clash[2]);

/* The same of a function that is given at points: "at" is the image of a point of the
 * box "extents", all inputs but one being 0.  It is not looked at elsewhere.  False,
 * with LAYOUT_ERROR_NO_ANSWER, where the points of an input are no digits. */
typedef const int64_t *digit_image(const void *user, unsigned input, int64_t x);
bool digit_form_probe(struct digit_form *form, digit_image *at, const void *user);

/* What goes to one of the images, in "part", as a form of its own. */
bool digit_form_part(struct digit_form *part, const struct digit_form *form,
	unsigned image);

/* The form as a function over F2 into the least boxes: NULL, with LAYOUT_ERROR_NO_ANSWER
 * and numbers, where an input has no power of two of points, an image is negative, or
 * sums are no XORs. */
struct f2 *digit_form_f2(const struct digit_form *form);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions by digits: every input of a box is cut into mixed-radix digits, and each
 * digit adds its multiple of a vector to the images.
 *
 *	y = constant + sum of adds[i] * (floor(x[dim] / step) mod radix)
 *
 * What shape:stride, nested layouts and linear bases without XORs have in common. */
#ifndef LAYOUT_ALGEBRA_DIGITS_DIGITS_H
#define LAYOUT_ALGEBRA_DIGITS_DIGITS_H

#include "algebra/digits/digit.h"
#include "isl_bridge/context.h"

/* On 0 <= x[d] < extents[d].  Of one input the digits have growing steps, each of them
 * beginning where the one before it ends, from 1 to the extent; none where that is 0 or
 * 1.  Neighbours that continue each other are one: the digits are a normal form. */
struct digits {
	layout_context *ctx;
	unsigned in_rank, out_rank, count, room;
	int64_t *extents, *constant;
	struct digit *digits;
	int64_t *adds;		/* out_rank numbers for each digit */
};

/* A form without digits and with extents and constant 0, to be filled in.  False
 * without memory; free in both cases. */
bool digits_begin(struct digits *form, layout_context *ctx, unsigned in_rank,
	unsigned out_rank);
void digits_free(struct digits *form);

/* One more digit, behind those of its input.  False without memory. */
bool digits_append(struct digits *form, struct digit digit, const int64_t *adds);

static inline const int64_t *digits_adds(const struct digits *form, unsigned i)
{
	return form->adds + (size_t)i * form->out_rank;
}

/* The image of a point of the box; false where it is beyond 64 bits. */
bool digits_apply(const struct digits *form, const int64_t *in, int64_t *out);

/* The same function on the same box, of forms that have as many inputs and images. */
bool digits_equal(const struct digits *a, const struct digits *b);

/* Fill in the digits of a form, whose extents are there, that add up to the terms: cut
 * where any of them begins or ends.  False where those are no digits of the box, or
 * numbers do not fit. */
bool digits_add_up(struct digits *form, const struct digit_term *terms, size_t count);

/* A function that is given at points: the image of one whose inputs are 0 but for this
 * one, of "rank" numbers. */
typedef const int64_t *digit_image(const void *user, unsigned input, int64_t x);

/* How large a digit at "place" could be by the images of 0, place, 2*place, .. below
 * "count", of which there are two: so many go in even steps, each of "adds".  0 where
 * one of those is beyond 64 bits. */
int64_t digits_even_steps(digit_image *at, const void *user, unsigned input, unsigned rank,
	int64_t place, int64_t count, int64_t *adds);

/* The digits of a function by its images on the axes of the box "extents", the first of
 * them its constant.  It is not looked at elsewhere.  False, with
 * LAYOUT_ERROR_NO_ANSWER, where the points of an input are no digits. */
bool digits_probe(struct digits *form, digit_image *at, const void *user);

/* What goes to one of the images, in "part", as a form of its own. */
bool digits_part(struct digits *part, const struct digits *form, unsigned image);

#endif

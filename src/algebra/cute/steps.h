/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The modes of a layout in the order of their strides: what inverses are made of.  That of
 * `struct digits` is the coordinate's. */
#ifndef LAYOUT_ALGEBRA_CUTE_STEPS_H
#define LAYOUT_ALGEBRA_CUTE_STEPS_H

#include "algebra/cute/cute.h"

/* A mode of more than one coordinate; "place" is what one step of it adds to the linear
 * coordinate.  "end" and "next" are for right inverses: where the offsets end that are
 * reached from here on, and by which mode next. */
struct cute_step {
	int64_t shape, stride, place, end;
	int next;
};

struct cute_steps {
	unsigned count;
	struct cute_step *list;
};

/* Those of a layout without a swizzle, first mode fastest; the list is to be freed in any
 * case.  False without memory. */
bool cute_steps_find(const layout_cute *cute, struct cute_steps *modes);

/* Is no stride within reach of the sum of smaller ones?  Then a layout of strides >= 0
 * is injective save its modes of stride 0. */
bool cute_steps_apart(const struct cute_steps *modes);

#endif

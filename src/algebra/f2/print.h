/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_F2_PRINT_H
#define LAYOUT_ALGEBRA_F2_PRINT_H

#include "algebra/f2/f2.h"

/* Is coordinate "out" of the image more than digits: a sum mod 2 somewhere? */
bool f2_has_parity(const struct f2 *f2, unsigned coordinate);

/* Coordinate "out" of the image as isl reads it, highest bits first,
 *
 *	16*floor(i/16) + 8*((floor(i/8) + j) mod 2) + j mod 8
 *
 * "names" are those of the inputs.  isl itself, once it holds a sum mod 2, does not
 * show it as one again. */
void f2_print(struct layout_buffer *out, const struct f2 *f2, unsigned coordinate,
	const char *const *names);

#endif

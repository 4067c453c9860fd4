/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Coordinates as CuTe writes them, "((1,0),3)". */
#ifndef LAYOUT_ALGEBRA_CUTE_COORDINATE_H
#define LAYOUT_ALGEBRA_CUTE_COORDINATE_H

#include "algebra/cute/cute.h"

/* The tree of "cute" with these numbers at its leaves. */
void cute_print_leaves(struct layout_buffer *out, const layout_cute *cute,
	const int64_t *leaves);

/* The coordinate with this number, which is >= 0; the slowest leaf has no end. */
void cute_print_coordinate(struct layout_buffer *out, const layout_cute *cute,
	int64_t number);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points that show why a function is no layout of a kind. */
#ifndef LAYOUT_ALGEBRA_RECOGNISE_EXAMPLE_H
#define LAYOUT_ALGEBRA_RECOGNISE_EXAMPLE_H

#include "algebra/f2/f2.h"

/* A point, made of two parts if they are there, its image, and another one that a layout
 * would have.  The lists are NULL without memory. */
struct recognise_example {
	layout_context *ctx;
	unsigned in_rank, out_rank;
	int64_t *point, *parts[2];
	int64_t *image, *other;
};

/* Make the lists; the points are those with the two input bits of "f2", each alone
 * and both, or 0 where that is NULL; without "bits" the point has no parts.  False
 * without memory. */
bool recognise_example_of(struct recognise_example *example, const struct f2 *f2,
	const unsigned bits[2]);

/* Fail with LAYOUT_ERROR_NO_ANSWER, "at (3) the value is 5, where (1) and (2) give 6",
 * and free the lists. */
void recognise_example_fail(struct recognise_example *example);

/* Append "5", or "(1, 2)" where there are several or "tuple". */
void recognise_print(struct layout_buffer *out, const int64_t *numbers, unsigned count,
	bool tuple);

#endif

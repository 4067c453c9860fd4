/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where a dimension is cut into digits: the common refinement of several splittings. */
#ifndef LAYOUT_ALGEBRA_DIGITS_CUTS_H
#define LAYOUT_ALGEBRA_DIGITS_CUTS_H

#include "algebra/digits/digit.h"

/* Room for the slots of two storages, each with its begin and its end. */
enum { CUTS = 256 };

/* In ascending order, each once. */
struct cuts {
	unsigned count;
	int64_t at[CUTS];
};

/* False where it was there, or there is no room. */
bool cuts_add(struct cuts *cuts, int64_t at);

/* Where a digit begins, and ends unless it is open, both if that is below "most". */
void cuts_add_digit(struct cuts *cuts, const struct digit *digit, int64_t most);

/* How many of the cuts, from the first on, divide each the next. */
unsigned cuts_chain(const struct cuts *cuts);

/* Are there digits from each cut to the next?  False where one does not divide the next,
 * or there was no room. */
bool cuts_are_digits(const struct cuts *cuts);

#endif

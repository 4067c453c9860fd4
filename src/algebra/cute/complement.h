/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_CUTE_COMPLEMENT_H
#define LAYOUT_ALGEBRA_CUTE_COMPLEMENT_H

#include "algebra/cute/modes.h"

/* The gaps between the modes of a plain layout that is not empty, sorted by stride.
 *
 *	end	where the last mode ends, and what is above repeats; INT64_MAX if that is
 *		beyond 64 bits
 *	reach	the cosize of the layout and its gaps: end, or less where a mode does not
 *		begin at a multiple of the end of the one before
 *
 * False with the error on the context where a mode begins before another one ends. */
struct cute_gaps {
	struct cute_modes modes;
	int64_t end, reach;
};
bool cute_find_gaps(const layout_cute *cute, int64_t cotarget, struct cute_gaps *gaps);

/* One more mode of "count" repetitions, unless that is 1. */
void cute_repeat_gaps(struct cute_gaps *gaps, int64_t count);

#endif

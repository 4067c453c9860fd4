/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements that vector registers hold in one order, in another. */
#ifndef LAYOUT_LOWER_TURN_H
#define LAYOUT_LOWER_TURN_H

#include <llvm-c/Core.h>

enum { TURN_ELEMENTS = 4096 };

/* Element q of the result is element from[q] of what is given.  Both are vectors of so
 * many elements each, both numbers powers of two. */
struct turn {
	LLVMBuilderRef builder;
	unsigned elements, bytes;	/* all of them; of one */
	unsigned given, wanted;		/* elements of a vector */
	unsigned from[TURN_ELEMENTS];
};

/* "values" has the given vectors, and then those of the result; it has room for either,
 * and for one an element of the narrower. */
void turn_lower(const struct turn *turn, LLVMValueRef *values);

#endif

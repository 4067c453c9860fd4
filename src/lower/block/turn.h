/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements that vector registers hold in one order, in another. */
#ifndef LAYOUT_LOWER_TURN_H
#define LAYOUT_LOWER_TURN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum { TURN_ELEMENTS = 4096, TURN_BITS = 12, TURN_LANES = 64, TURN_PASSES = 2 };

/* Element q of the result is element from[q] of what is given.  Both are vectors of so
 * many elements each, both numbers powers of two.  Where "before" is not NULL, from[q] is
 * before[order[after[q]]]. */
struct turn {
	LLVMBuilderRef builder;
	unsigned elements, bytes;	/* all of them; of one */
	unsigned given, wanted;		/* elements of a vector */
	unsigned from[TURN_ELEMENTS];
	const unsigned *before, *order, *after;
};

/* "values" has the given vectors, and then those of the result; it has room for either,
 * and for one an element of the narrower. */
void turn_lower(const struct turn *turn, LLVMValueRef *values);

/* Two vectors whose numbers differ in a bit become two others. */
struct turn_exchange {
	unsigned bit;
	unsigned lane[2][TURN_LANES];
};

/* Some of these: vectors whose numbers have the same in all bits but these have nothing to
 * do with others. */
struct turn_pass {
	unsigned bits, count;
	struct turn_exchange list[TURN_BITS];
};

/* A turn of more vectors than registers hold, as passes over all of them; false where it is
 * none or cannot be.  In the end bit i of a vector's number is bit to[i] of the result's. */
bool turn_in_passes(const struct turn *turn, struct turn_pass pass[TURN_PASSES],
	unsigned *to);

/* A pass for the vectors whose numbers have 0 in all other bits. */
void turn_pass_lower(const struct turn *turn, const struct turn_pass *pass,
	LLVMValueRef *values);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements from the vectors that a lane loaded to those that it stores.
 *
 * Where whole words move, the words of a stored vector take the place of a loaded
 * vector's, chosen so that most of them are there already; the others arrive by
 * exchanges, one less than the length of each cycle.  Smaller pieces are picked by byte
 * permutes, which also put them where the store wants them. */
#ifndef LAYOUT_LOWER_PERMUTE_H
#define LAYOUT_LOWER_PERMUTE_H

#include "lower/target.h"

/* Vectors are integers of 8, 16 or 32 bits, or vectors of the latter. */
LLVMTypeRef permute_type(LLVMContextRef llvm, unsigned bytes);

/* Element s of the stored vectors, counted from the first vector's first, is element
 * from[s] of the loaded ones. */
struct permute {
	LLVMBuilderRef builder;
	const struct target_hooks *hooks;
	unsigned bits;				/* of an element */
	unsigned load_vector, store_vector;	/* elements in each */
	unsigned load_count, store_count;
	const unsigned *from;
	LLVMValueRef *loaded;

	struct permute_work *work;		/* of permute_open() */
};

/* Look at what moves.  False with the error on the context; close if true. */
bool permute_open(layout_context *ctx, struct permute *permute);

/* Stored vector s, of permute_type(); each is asked for once. */
LLVMValueRef permute_take(struct permute *permute, unsigned s);

void permute_close(struct permute *permute);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of an access share: its addresses, its conditions and its ways. */
#ifndef LAYOUT_LOWER_PROGRAM_ACCESS_PARTS_H
#define LAYOUT_LOWER_PROGRAM_ACCESS_PARTS_H

#include "lower/program_lanes/access.h"

/* Conditions, i1: both, where the first may be NULL for none; NULL is yes. */
static inline LLVMValueRef both(const program_scope *body, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildAnd(body->b, a, b, "") : b;
}

static inline LLVMValueRef yes(const program_scope *body, LLVMValueRef condition)
{
	return condition ? condition : lower_int(LLVMInt1TypeInContext(
		LLVMGetBuilderContext(body->b)), 1);
}

static inline LLVMValueRef compare(const program_scope *body, LLVMIntPredicate predicate,
	LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildICmp(body->b, predicate, a, b, "");
}

static inline unsigned element_bytes(const struct program_access *access)
{
	return access->type->bits / 8;
}

/* How far a step of the loop moves the position in this dimension; 0: not at all, -1: not
 * by a constant, or not upwards.  The position at its first step. */
int64_t program_access_step(const struct program_access *access, unsigned d);
LLVMValueRef program_access_first(const struct program_access *access, unsigned d);

/* Is the tile inside of the memory for all sizes? */
bool program_access_always_inside(const struct program_access *access, unsigned d);

/* One of the ways that a load or a store goes. */
typedef void access_way(struct program_access *access, LLVMValueRef *values);

/* One way or the other, as the condition says; values are what registers are behind it. */
void access_ways(struct program_access *access, LLVMValueRef condition, access_way *one,
	access_way *other, LLVMValueRef *values);

/* Runs of vectors; two ways of them where the target wants to know that they are aligned. */
void access_runs(struct program_access *access, access_way *wide, access_way *split,
	LLVMValueRef *values);

/* Is the tile inside of the memory, as it is at run time? */
LLVMValueRef access_is_whole(const struct program_access *access);

/* Where the program has another version for whole tiles, what is masked is as wide. */
bool access_is_edge(const struct program_access *access);

/* Elements of the widest access, and of those that are inside or outside as one; and where an
 * element is. */
unsigned access_most(const struct program_access *access);
unsigned access_even_vector(const struct program_access *access);
LLVMValueRef access_element(const struct program_access *access, LLVMValueRef offset);

/* Where the run that begins with split->order[i] is, found before where alignment is asked for;
 * and bytes that its vectors are aligned to. */
LLVMValueRef access_start(struct program_access *access, unsigned i);
unsigned access_align(const struct program_access *access, unsigned run);

/* So many elements; the same as words, or as one integer of less. */
LLVMTypeRef access_vector_type(const struct program_access *access, unsigned count);
LLVMTypeRef access_words_type(const struct program_access *access, unsigned count);

/* Element i of a vector, and the registers "order" has as one. */
LLVMValueRef access_part(const struct program_access *access, LLVMValueRef vector,
	unsigned count, unsigned i);
LLVMValueRef access_join(const struct program_access *access, const unsigned *order,
	unsigned count, LLVMValueRef *values);

#endif

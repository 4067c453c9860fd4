/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests as room that is left, so that one comparison decides them all.  What it compares
 * with, "limit", is what most of them would have to subtract otherwise. */
#ifndef LAYOUT_LOWER_TILE_ROOM_H
#define LAYOUT_LOWER_TILE_ROOM_H

#include <llvm-c/Core.h>
#include <stdint.h>

/* The least room is an i32, at least "limit" where all tests hold; NULL: there are none.
 * "pin" makes a scalar value that LLVM cannot see through. */
struct rooms {
	LLVMBuilderRef builder;
	LLVMValueRef (*pin)(LLVMBuilderRef builder, LLVMValueRef value);
	int64_t limit;
	LLVMValueRef least;
};

/* Test that value - part is not negative, or most - value; of an i32 or an i64 value.
 * With the limit, an i32 must not overflow. */
void rooms_add_above(struct rooms *rooms, LLVMValueRef value, int64_t part);
void rooms_add_below(struct rooms *rooms, LLVMValueRef value, int64_t most);

/* The lesser of two scalar values; "a" may be NULL. */
LLVMValueRef rooms_lesser(const struct rooms *rooms, LLVMValueRef a, LLVMValueRef b);

/* A scalar i64 as an i32 between 0 and INT32_MAX. */
LLVMValueRef room_narrow(LLVMBuilderRef builder,
	LLVMValueRef (*pin)(LLVMBuilderRef builder, LLVMValueRef value), LLVMValueRef value);

/* Do all tests hold?  NULL: there are none. */
LLVMValueRef rooms_hold(const struct rooms *rooms);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What lanes learn from each other, in a wave and through the LDS. */
#ifndef LAYOUT_LOWER_PROGRAM_LOCAL_H
#define LAYOUT_LOWER_PROGRAM_LOCAL_H

#include "lower/program_lanes/parts.h"
#include "lower/scopes.h"

/* The same value of another lane of the wave, of any integer type: of lane "lane", or with
 * NULL of the lane whose number differs by an XOR with "mask". */
LLVMValueRef program_lane_value(const program_scope *body, LLVMValueRef value,
	LLVMValueRef lane, unsigned mask);

/* What a tile takes of the workgroup's part of the LDS while it is made; and an object. */
LLVMValueRef program_local_memory(const program_scope *body, const layout_tile *tile);
LLVMValueRef program_local_object(const program_scope *body, const layout_memory *local);
const struct plan_local *program_find_local(const program_scope *body,
	const layout_memory *local);

/* The bytes up to the copy that the step of the object's loop has, an i32; NULL: 0. */
LLVMValueRef program_local_stage(const program_scope *body, const layout_memory *local);

/* Say of an access that it is one of this object, and of the copy that the step has, where that
 * is known: no other one is what it may be of.  Begin with what there is to be told apart. */
bool program_local_begin(program_scope *body);
void program_local_tell(const program_scope *body, LLVMValueRef access,
	const layout_memory *local);

/* The scopes of accesses to what a tile takes, which is no object where it lies over none. */
struct scopes program_local_scopes(const program_scope *body, const layout_tile *tile);

/* Slot n of what a tile takes has 8 bytes for every lane of the workgroup: put a value in the lane's
 * own; and get what the lane of this number has put in another wave. */
void program_local_put(const program_scope *body, const layout_tile *tile, LLVMValueRef value,
	unsigned n);
LLVMValueRef program_local_get(const program_scope *body, const layout_tile *tile,
	LLVMTypeRef type, LLVMValueRef wave, unsigned n);
void program_local_barrier(program_scope *body);

/* Wait until nobody accesses what a tile takes any more. */
void program_local_await(program_scope *body, const layout_tile *tile);

#endif

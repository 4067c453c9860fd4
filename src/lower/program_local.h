/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What lanes learn from each other, in a wave and through the LDS. */
#ifndef LAYOUT_LOWER_PROGRAM_LOCAL_H
#define LAYOUT_LOWER_PROGRAM_LOCAL_H

#include "lower/program_parts.h"

/* The same value of another lane of the wave, of any integer type: of lane "lane", or with
 * NULL of the lane whose number differs by an XOR with "mask". */
LLVMValueRef program_lane_value(const program_scope *body, LLVMValueRef value,
	LLVMValueRef lane, unsigned mask);

/* The workgroup's part of the LDS. */
LLVMValueRef program_local_memory(const program_scope *body);

/* Slot n of the LDS has 8 bytes for every lane of the workgroup: put a value in the lane's
 * own; and get what the lane of this number has put in another wave. */
void program_local_put(const program_scope *body, LLVMValueRef value, unsigned n);
LLVMValueRef program_local_get(const program_scope *body, LLVMTypeRef type,
	LLVMValueRef wave, unsigned n);
void program_local_barrier(const program_scope *body);

#endif

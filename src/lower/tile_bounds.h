/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where tiles end: is a tile whole, and which lanes are inside. */
#ifndef LAYOUT_LOWER_TILE_BOUNDS_H
#define LAYOUT_LOWER_TILE_BOUNDS_H

#include "lower/iteration.h"
#include "lower/tile_address.h"

/* The dims, as bits, in which a tile may reach beyond what the source or the destination
 * has. */
uint64_t bounds_unread(const struct plan_tile *tile);
uint64_t bounds_unwritten(const struct plan_tile *tile);

/* An i32 that is negative where the workgroup's tile sticks out of the source in the dims
 * "unread", or of the destination in "unwritten".  NULL: there are none. */
LLVMValueRef bounds_sign(const struct iteration *iteration, uint64_t unread,
	uint64_t unwritten);

/* Two signs as one; either may be NULL. */
LLVMValueRef bounds_either(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b);

/* The part first <= t[d] < last that one side has of the workgroup's tile, and what the
 * lane's digits add to t[d].  First and lanes may be NULL, for 0. */
struct bounds {
	const struct form *form;
	LLVMBuilderRef builder;
	uint64_t ragged;
	LLVMValueRef first[64], last[64], lanes[64];
};

/* Of the source, else of the destination; for the dims that may stick out. */
void bounds_open(struct bounds *bounds, const struct iteration *iteration,
	const struct form *form, bool source, const struct lane_number *lane);

/* Is the element inside?  NULL: always. */
LLVMValueRef bounds_inside(const struct bounds *bounds,
	const struct address_digits *digits);

#endif

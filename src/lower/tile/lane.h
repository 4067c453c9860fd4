/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the digits of the lane's number are worth. */
#ifndef LAYOUT_LOWER_TILE_LANE_H
#define LAYOUT_LOWER_TILE_LANE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* factor * (floor(lane / place) mod radix).  "flips": it is combined by xor with what
 * comes before it, whose bits it may share. */
struct lane_item {
	int64_t place, radix, factor;
	bool flips;
};

enum { LANE_ITEMS = 64 };

/* Does the item do no more than move bits? */
bool lane_item_is_bits(const struct lane_item *item);

/* The lane's number, which is below "count".  "hide" makes a value that LLVM cannot see
 * through. */
struct lane_number {
	LLVMValueRef value;
	int64_t count;
	LLVMValueRef (*hide)(LLVMBuilderRef builder, LLVMValueRef value);
};

/* The items' combination, of the type of the number.  NULL for no items.  Where all of
 * them only move bits, and those that do not flip to different places, items whose bits
 * move alike go together. */
LLVMValueRef lane_sum(LLVMBuilderRef builder, const struct lane_number *lane,
	const struct lane_item *items, unsigned count);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile_lane.h"
#include "isl_bridge/arithmetic.h"

#include <stddef.h>

bool lane_item_is_bits(const struct lane_item *item)
{
	return int_is_power2(item->place) && int_is_power2(item->radix) &&
		int_is_power2(item->factor);
}

/* Where the item's bits go; and how far, positive to the left. */
static uint64_t item_mask(const struct lane_item *item)
{
	return (uint64_t)(item->radix - 1) * (uint64_t)item->factor;
}

static int item_shift(const struct lane_item *item)
{
	return int_log2(item->factor) - int_log2(item->place);
}

static bool only_moves_bits(const struct lane_item *items, unsigned count)
{
	uint64_t taken = 0;

	for (unsigned i = 0; i < count; i++) {
		if (!lane_item_is_bits(&items[i]))
			return false;
		if (!items[i].flips && taken & item_mask(&items[i]))
			return false;
		taken |= item_mask(&items[i]);
	}
	return true;
}

static LLVMValueRef constant(LLVMValueRef like, int64_t value)
{
	return LLVMConstInt(LLVMTypeOf(like), (unsigned long long)value, true);
}

/* The bits of the lane's number, moved, that are in the mask. */
static LLVMValueRef move_bits(LLVMBuilderRef builder, const struct lane_number *lane,
	int shift, uint64_t mask)
{
	uint64_t all = int_is_power2(lane->count) ?
		(uint64_t)lane->count - 1 : UINT64_MAX;
	LLVMValueRef moved = lane->value;

	if (shift > 0)
		moved = LLVMBuildShl(builder, moved, constant(moved, shift), "moved");
	if (shift < 0)
		moved = LLVMBuildLShr(builder, moved, constant(moved, -shift), "moved");
	if ((shift > 0 ? all << shift : all >> -shift) == mask)
		return moved;
	return LLVMBuildAnd(builder, moved, constant(moved, (int64_t)mask), "bits");
}

/* Or the next bits in; xor those that share places. */
static LLVMValueRef join_bits(LLVMBuilderRef builder, LLVMValueRef sum, LLVMValueRef bits,
	bool shares)
{
	LLVMValueRef joined;

	if (!sum)
		return bits;
	if (shares)
		return LLVMBuildXor(builder, sum, bits, "bits");
	joined = LLVMBuildOr(builder, sum, bits, "bits");
	if (LLVMIsAInstruction(joined))
		LLVMSetIsDisjoint(joined, true);
	return joined;
}

/* Join the bits that move to the left by the instruction that shifts one of its operands
 * and has another for the rest.  LLVM would rather mask what was shifted, and join three
 * at a time. */
static LLVMValueRef shift_in(LLVMBuilderRef builder, const struct lane_number *lane,
	LLVMValueRef sum, int shift, uint64_t mask)
{
	LLVMValueRef bits = move_bits(builder, lane, 0, mask >> shift);

	if (bits != lane->value)
		bits = lane->hide(builder, bits);
	if (LLVMIsAInstruction(sum) && LLVMGetInstructionOpcode(sum) == LLVMOr)
		sum = lane->hide(builder, sum);
	bits = LLVMBuildShl(builder, bits, constant(bits, shift), "moved");
	return join_bits(builder, sum, bits, false);
}

/* The mask of the items that move as far as the first of those not done, without two for
 * one place. */
static uint64_t take_group(const struct lane_item *items, unsigned count, unsigned first,
	uint64_t *done)
{
	uint64_t mask = 0;

	for (unsigned i = first; i < count; i++)
		if (!(*done >> i & 1) &&
		    item_shift(&items[i]) == item_shift(&items[first]) &&
		    !(mask & item_mask(&items[i]))) {
			mask |= item_mask(&items[i]);
			*done |= UINT64_C(1) << i;
		}
	return mask;
}

/* Items whose bits move alike go together, those that flip too: where the others share no
 * places, all of it is one xor.  Bits that move to the left come last. */
static LLVMValueRef sum_bits(LLVMBuilderRef builder, const struct lane_number *lane,
	const struct lane_item *items, unsigned count)
{
	uint64_t done = 0, taken = 0, mask;
	LLVMValueRef sum = NULL;

	for (unsigned n = 0; n < 2 * count; n++) {
		unsigned i = n % count;
		int shift = item_shift(&items[i]);

		if (done >> i & 1 || (n < count && shift > 0))
			continue;
		mask = take_group(items, count, i, &done);
		if (sum && shift > 0 && !(taken & mask))
			sum = shift_in(builder, lane, sum, shift, mask);
		else
			sum = join_bits(builder, sum, move_bits(builder, lane, shift,
				mask), taken & mask);
		taken |= mask;
	}
	return sum;
}

static LLVMValueRef item_value(LLVMBuilderRef builder, const struct lane_number *lane,
	const struct lane_item *item)
{
	LLVMValueRef value = lane->value;

	if (item->place > 1)
		value = LLVMBuildUDiv(builder, value, constant(value, item->place),
			"quotient");
	if (item->place * item->radix < lane->count)
		value = LLVMBuildURem(builder, value, constant(value, item->radix),
			"digit");
	if (item->factor == 1)
		return value;
	return LLVMBuildMul(builder, value, constant(value, item->factor), "part");
}

LLVMValueRef lane_sum(LLVMBuilderRef builder, const struct lane_number *lane,
	const struct lane_item *items, unsigned count)
{
	LLVMValueRef sum = NULL, part;

	if (only_moves_bits(items, count))
		return sum_bits(builder, lane, items, count);
	for (unsigned i = 0; i < count; i++) {
		part = item_value(builder, lane, &items[i]);
		sum = !sum ? part : items[i].flips ?
			LLVMBuildXor(builder, sum, part, "sum") :
			LLVMBuildNUWAdd(builder, sum, part, "sum");
	}
	return sum;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/lane.h"
#include "isl_bridge/arithmetic.h"
#include "lower/llvm.h"

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

/* The bits that the lane's number may have. */
static uint64_t number_bits(const struct lane_number *lane)
{
	uint64_t all = 1;

	while (all < (uint64_t)lane->count)
		all *= 2;
	return all - 1;
}

/* Bits that move alike: those of the lane's number in "from", by "shift" to the left.
 * "copies" has the distances at which the number stands, itself at 0: with more than
 * one, "from" is of all of them together. */
struct bit_group {
	uint64_t from, copies;
	int shift;
	bool shares;		/* places of groups before it, by xor */
};

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
static unsigned find_groups(const struct lane_item *items, unsigned count,
	struct bit_group *groups)
{
	uint64_t done = 0, taken = 0, mask;
	unsigned used = 0;

	for (unsigned n = 0; n < 2 * count; n++) {
		unsigned i = n % count;
		int shift = item_shift(&items[i]);

		if (done >> i & 1 || (n < count && shift > 0))
			continue;
		mask = take_group(items, count, i, &done);
		groups[used++] = (struct bit_group){
			shift > 0 ? mask >> shift : mask << -shift, 1, shift,
			taken & mask };
		taken |= mask;
	}
	return used;
}

/* Does every bit of the group come from one copy of the number? */
static bool is_clean(const struct bit_group *group, uint64_t all)
{
	for (uint64_t bits = group->from; bits; bits &= bits - 1) {
		unsigned found = 0;

		for (uint64_t copies = group->copies; copies; copies &= copies - 1)
			found += (bits & -bits & all << __builtin_ctzll(copies)) != 0;
		if (found != 1)
			return false;
	}
	return true;
}

/* Let a group be of the bits of "other" too, which move farther.  False where bits of
 * two copies would meet, or be lost. */
static bool join_group(struct bit_group *group, const struct bit_group *other,
	uint64_t all)
{
	int farther = other->shift - group->shift;
	struct bit_group joined = *group;

	if (farther <= 0 || farther > 31)
		return false;
	joined.from |= other->from << farther;
	joined.copies |= other->copies << farther;
	if (joined.from > INT32_MAX || joined.copies > INT32_MAX ||
	    !is_clean(&joined, all))
		return false;
	*group = joined;
	return true;
}

/* Two groups in one spare a mask; those that share places stay in their order. */
static unsigned join_groups(struct bit_group *groups, unsigned count, uint64_t all)
{
	for (unsigned i = 0; i < count; i++)
		if (groups[i].shares)
			return count;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < count; k++) {
			if (i == k || !join_group(&groups[i], &groups[k], all))
				continue;
			for (unsigned j = k; j + 1 < count; j++)
				groups[j] = groups[j + 1];
			return join_groups(groups, count - 1, all);
		}
	return count;
}

/* The lane's number, at all the distances.  LLVM would rather mask each. */
static LLVMValueRef copy_number(LLVMBuilderRef builder, const struct lane_number *lane,
	uint64_t copies)
{
	LLVMValueRef value = lane->value, copy;

	for (copies &= copies - 1; copies; copies &= copies - 1) {
		copy = LLVMBuildShl(builder, lane->value, lower_int_like(lane->value,
			__builtin_ctzll(copies)), "copy");
		value = lane->hide(builder, LLVMBuildOr(builder, copy, value, "copies"));
	}
	return value;
}

static LLVMValueRef shifted(LLVMBuilderRef builder, LLVMValueRef value, int shift)
{
	if (shift > 0)
		return LLVMBuildShl(builder, value, lower_int_like(value, shift), "moved");
	if (shift < 0)
		return LLVMBuildLShr(builder, value, lower_int_like(value, -shift), "moved");
	return value;
}

static uint64_t shifted_mask(uint64_t mask, int shift)
{
	return shift > 0 ? mask << shift : mask >> -shift;
}

/* The bits of a group where they belong. */
static LLVMValueRef move_bits(LLVMBuilderRef builder, const struct lane_number *lane,
	const struct bit_group *group)
{
	uint64_t mask = shifted_mask(group->from, group->shift);
	LLVMValueRef moved = shifted(builder, copy_number(builder, lane, group->copies),
		group->shift);

	if (group->copies == 1 && shifted_mask(number_bits(lane), group->shift) == mask)
		return moved;
	return LLVMBuildAnd(builder, moved, lower_int_like(moved, (int64_t)mask), "bits");
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
	LLVMValueRef sum, const struct bit_group *group)
{
	struct bit_group still = { group->from, group->copies, 0, false };
	LLVMValueRef bits = move_bits(builder, lane, &still);

	if (LLVMIsAInstruction(sum) && (LLVMGetInstructionOpcode(sum) == LLVMOr ||
	    LLVMGetInstructionOpcode(sum) == LLVMXor))
		sum = lane->hide(builder, sum);
	return join_bits(builder, sum, shifted(builder, bits, group->shift), false);
}

static LLVMValueRef sum_bits(LLVMBuilderRef builder, const struct lane_number *lane,
	const struct lane_item *items, unsigned count)
{
	struct bit_group groups[LANE_ITEMS];
	unsigned used = find_groups(items, count, groups);
	LLVMValueRef sum = NULL;

	used = join_groups(groups, used, number_bits(lane));
	for (unsigned i = 0; i < used; i++) {
		const struct bit_group *group = &groups[i];

		if (sum && group->shift > 0 && !group->shares)
			sum = shift_in(builder, lane, sum, group);
		else
			sum = join_bits(builder, sum, move_bits(builder, lane, group),
				group->shares);
	}
	return sum;
}

static LLVMValueRef item_value(LLVMBuilderRef builder, const struct lane_number *lane,
	const struct lane_item *item)
{
	LLVMValueRef value = lane->value;

	if (item->place > 1)
		value = LLVMBuildUDiv(builder, value, lower_int_like(value, item->place),
			"quotient");
	if (item->place * item->radix < lane->count)
		value = LLVMBuildURem(builder, value, lower_int_like(value, item->radix),
			"digit");
	if (item->factor == 1)
		return value;
	return LLVMBuildMul(builder, value, lower_int_like(value, item->factor), "part");
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

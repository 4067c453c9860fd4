/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What there is of a block that dimensions end inside of:
 *
 *	if (that is as much as vectors of 8 bytes in both directions, and the source has it)
 *		blocks of these, the last ones begin earlier
 *	else
 *		for each element
 *			store it, or the pad value */
#include "lower/block/parts.h"
#include "isl_bridge/index_sum.h"
#include "lower/branch.h"
#include "lower/convert.h"

/* Vectors of 16 bytes are hardly faster, and there is less that has them. */
enum { PART_BYTES = 8 };

static LLVMValueRef load_element(const struct block_lowering *l, LLVMValueRef offset)
{
	LLVMTypeRef type = LLVMGetElementType(block_vector_type(l, FACTOR_LOAD));
	LLVMValueRef value = LLVMBuildLoad2(l->b, type, block_address(l, FACTOR_LOAD, offset),
		"element");

	LLVMSetAlignment(value, block_alignment(l, FACTOR_LOAD));
	return convert_value(l->b, &l->part.kernel->plan->conversion, value);
}

/* Steps of a piece whose elements exist, from an index of its dimension on. */
static LLVMValueRef count_steps(const struct block_lowering *l, unsigned at, LLVMValueRef index)
{
	const struct digit *digit = &l->block->pieces[at].digit;
	LLVMValueRef radix = block_number(l, digit->radix);
	LLVMValueRef left = block_steps(l, index, l->dims[digit->dim].end, digit->step);

	return LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, left, radix, ""), left,
		radix, "steps");
}

/* Has the source all that the destination has? */
static bool has_all(const struct block_lowering *l)
{
	for (unsigned d = 0; d < l->block->dim_count; d++) {
		const struct block_dim *dim = &l->block->dims[d];

		if (!index_is(dim->low, 0) || !index_equal(dim->high, dim->end))
			return false;
	}
	return true;
}

/* An element, or the pad value where the source has none at this index. */
static LLVMValueRef load_padded(const struct block_lowering *l, LLVMValueRef offset,
	const LLVMValueRef *index)
{
	LLVMValueRef value, pad;
	struct branch inside;

	if (has_all(l))
		return load_element(l, offset);
	inside = branch_open(&l->part, block_is_below(l, index, true), "inside");
	value = load_element(l, offset);
	pad = LLVMConstInt(LLVMTypeOf(value), block_pad_bits(l), false);
	return branch_value(&l->part, &inside, value, pad);
}

/* The element of these own digits, at this index. */
static void move_element(const struct block_lowering *l, const LLVMValueRef *own,
	const LLVMValueRef *index)
{
	LLVMValueRef offset[] = { l->offset[0], l->offset[1] }, digit[BLOCK_PIECES];
	LLVMValueRef value, store;

	for (unsigned i = 0; i < l->block->piece_count; i++)
		digit[i] = l->flip[i] ? LLVMBuildXor(l->b, own[i], l->flip[i], "digit") : own[i];
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned i = 0; i < l->block->piece_count; i++)
			offset[side] = block_add(l, offset[side], block_stored_digit(l, side, i,
				digit), l->step[i][side]);
	value = load_padded(l, offset[FACTOR_LOAD], index);
	store = LLVMBuildStore(l->b, value, block_address(l, FACTOR_STORE, offset[FACTOR_STORE]));
	LLVMSetAlignment(store, block_alignment(l, FACTOR_STORE));
}

/* Those of the block's elements that exist, one by one, the innermost loop along a side; "index"
 * has room for one. */
static void move_along(const struct block_lowering *l, enum factor_side side, LLVMValueRef *index)
{
	struct block_turns loops[BLOCK_PIECES];
	LLVMValueRef own[BLOCK_PIECES];

	for (unsigned d = 0; d < l->block->dim_count; d++)
		index[d] = l->dims[d].start;
	for (unsigned i = l->block->piece_count; i-- > 0;) {
		unsigned at = l->block->order[side][i];
		const struct digit *digit = &l->block->pieces[at].digit;

		loops[i] = block_loop_open(l, block_number(l, 0), count_steps(l, at,
			index[digit->dim]));
		own[at] = loops[i].counter;
		index[digit->dim] = block_add(l, index[digit->dim], own[at],
			block_number(l, digit->step));
	}
	move_element(l, own, index);
	for (unsigned i = 0; i < l->block->piece_count; i++)
		block_loop_close(l, &loops[i]);
}

/* Along the side where more follow each other. */
static void move_elements(const struct block_lowering *l, LLVMValueRef *index)
{
	LLVMValueRef count[FACTOR_SIDES];
	struct block_turns choice;

	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		unsigned at = l->block->order[side][0];

		count[side] = count_steps(l, at, l->dims[l->block->pieces[at].digit.dim].start);
	}
	choice = block_choose(l, LLVMBuildICmp(l->b, LLVMIntSGE, count[FACTOR_STORE],
		count[FACTOR_LOAD], "along"));
	move_along(l, FACTOR_STORE, index);
	block_otherwise(l, &choice);
	move_along(l, FACTOR_LOAD, index);
	block_choice_close(l, &choice);
}

/* ---- by parts */

/* A block of two pieces, one a vector of the source and one of the destination: the same of vectors
 * of fewer bytes.  False where it is another, or they have no more. */
static bool find_part(const struct block_lowering *l, struct plan_block *part)
{
	const struct plan_block *block = l->block;
	unsigned bytes = block_bytes(l, FACTOR_LOAD) > block_bytes(l, FACTOR_STORE) ?
		block_bytes(l, FACTOR_LOAD) : block_bytes(l, FACTOR_STORE);
	int64_t width = PART_BYTES / bytes;

	if (block->piece_count != 2 || block->xor_count || block->flip_count || block->packed > 1 ||
	    block->order[FACTOR_LOAD][0] == block->order[FACTOR_STORE][0] ||
	    block->pieces[0].digit.dim == block->pieces[1].digit.dim || width < 2)
		return false;
	*part = *block;
	part->elements = width * width;
	for (unsigned i = 0; i < 2; i++) {
		int64_t radix = block->pieces[i].digit.radix;

		if (radix <= width || radix % width || block->vector[i] % width)
			return false;
		part->pieces[i].digit.radix = width;
		part->vector[i] = width;
	}
	return true;
}

/* Has the source all of so many steps of the pieces? */
static LLVMValueRef is_given(const struct block_lowering *l, const LLVMValueRef *count,
	LLVMValueRef *index)
{
	LLVMValueRef all;

	for (unsigned d = 0; d < l->block->dim_count; d++)
		index[d] = l->dims[d].start;
	all = block_is_below(l, index, true);
	for (unsigned i = 0; i < l->block->piece_count; i++) {
		const struct digit *digit = &l->block->pieces[i].digit;
		LLVMValueRef last = LLVMBuildNSWSub(l->b, count[i], block_number(l, 1), "last");

		index[digit->dim] = block_add(l, index[digit->dim], last,
			block_number(l, digit->step));
	}
	return LLVMBuildAnd(l->b, all, block_is_below(l, index, true), "given");
}

/* for (turns of so many steps) of a piece of which there are "count": where one begins. */
static struct block_turns open_parts(const struct block_lowering *l, LLVMValueRef count, int64_t width,
	LLVMValueRef *begin)
{
	LLVMValueRef turns = LLVMBuildSDiv(l->b, LLVMBuildNSWAdd(l->b, count,
		block_number(l, width - 1), ""), block_number(l, width), "turns");
	LLVMValueRef latest = LLVMBuildNSWSub(l->b, count, block_number(l, width), "latest");
	struct block_turns loop = block_loop_open(l, block_number(l, 0), turns);

	*begin = LLVMBuildNSWMul(l->b, loop.counter, block_number(l, width), "begin");
	*begin = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, *begin, latest, ""), *begin,
		latest, "begin");
	return loop;
}

static void move_parts(const struct block_lowering *l, const struct plan_block *part,
	const LLVMValueRef *count)
{
	struct block_lowering of = *l;
	struct block_turns loops[2];

	of.block = part;
	of.stage = NULL;
	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef begin;

		loops[i] = open_parts(l, count[i], part->pieces[i].digit.radix, &begin);
		block_step(l, of.offset, begin, l->step[i]);
		of.load_step[i] = l->step[i][FACTOR_LOAD];
		of.store_step[i] = l->step[i][FACTOR_STORE];
	}
	of.load_base = l->base[FACTOR_LOAD];
	of.load_first = of.offset[FACTOR_LOAD];
	of.store_base = l->base[FACTOR_STORE];
	block_move_part(&of);
	for (unsigned i = 2; i-- > 0;)
		block_loop_close(l, &loops[i]);
}

void block_move_rest(const struct block_lowering *l, LLVMValueRef *index)
{
	LLVMValueRef count[2], enough;
	struct plan_block part;
	struct block_turns choice;

	if (!find_part(l, &part)) {
		move_elements(l, index);
		return;
	}
	for (unsigned i = 0; i < 2; i++)
		count[i] = count_steps(l, i, l->dims[part.pieces[i].digit.dim].start);
	enough = is_given(l, count, index);
	for (unsigned i = 0; i < 2; i++)
		enough = LLVMBuildAnd(l->b, enough, LLVMBuildICmp(l->b, LLVMIntSGE, count[i],
			block_number(l, part.pieces[i].digit.radix), ""), "enough");
	choice = block_choose(l, enough);
	move_parts(l, &part, count);
	block_otherwise(l, &choice);
	move_elements(l, index);
	block_choice_close(l, &choice);
}

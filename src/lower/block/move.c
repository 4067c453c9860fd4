/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/block/parts.h"
#include "lower/branch.h"

LLVMValueRef block_stored_digit(const struct block_lowering *l, unsigned side,
	unsigned piece, const LLVMValueRef *digit)
{
	LLVMValueRef stored = digit[piece];

	if (block_flip_of(l, side, piece))
		return LLVMBuildXor(l->b, stored, l->flip[piece], "stored");
	for (unsigned i = 0; i < l->block->xor_count; i++)
		if (l->block->xors[i].side == side && l->block->xors[i].to == piece)
			stored = LLVMBuildXor(l->b, stored, digit[l->block->xors[i].from],
				"stored");
	return stored;
}

void block_place(const struct block_lowering *l, LLVMValueRef n, LLVMValueRef *index,
	LLVMValueRef *offset)
{
	const struct plan_block *block = l->block;
	LLVMValueRef digit[BLOCK_PIECES], own;

	for (unsigned d = 0; d < block->dim_count; d++)
		index[d] = l->dims[d].start;
	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[FACTOR_STORE][i];
		const struct block_piece *piece = &block->pieces[at];

		digit[at] = LLVMBuildURem(l->b, n, block_number(l, piece->digit.radix), "digit");
		own = l->flip[at] ? LLVMBuildXor(l->b, digit[at], l->flip[at], "own") :
			digit[at];
		index[piece->digit.dim] = block_add(l, index[piece->digit.dim], own,
			block_number(l, piece->digit.step));
		n = LLVMBuildUDiv(l->b, n, block_number(l, piece->digit.radix), "rest");
	}
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned i = 0; i < block->piece_count; i++)
			offset[side] = block_add(l, offset[side], block_stored_digit(l, side, i,
				digit), l->step[i][side]);
}

LLVMValueRef block_steps(const struct block_lowering *l, LLVMValueRef from, LLVMValueRef to,
	int64_t step)
{
	LLVMValueRef rest = LLVMBuildNSWAdd(l->b, LLVMBuildNSWSub(l->b, to, from, "rest"),
		block_number(l, step - 1), "");

	return LLVMBuildSDiv(l->b, rest, block_number(l, step), "count");
}

LLVMValueRef block_has_begun(const struct block_lowering *l, unsigned d, LLVMValueRef index)
{
	if (index_is(l->block->dims[d].low, 0))
		return LLVMConstInt(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)), 1, false);
	return LLVMBuildICmp(l->b, LLVMIntSGE, index, l->dims[d].low, "begun");
}

LLVMValueRef block_is_below(const struct block_lowering *l, const LLVMValueRef *index,
	bool source)
{
	LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)),
		1, false);

	for (unsigned d = 0; d < l->block->dim_count; d++) {
		all = LLVMBuildAnd(l->b, all, LLVMBuildICmp(l->b, LLVMIntSLT, index[d],
			source ? l->dims[d].high : l->dims[d].end, ""), "below");
		if (source)
			all = LLVMBuildAnd(l->b, all, block_has_begun(l, d, index[d]), "");
	}
	return all;
}

LLVMValueRef block_settled(const struct block_lowering *l, unsigned d, int64_t reach)
{
	const struct dim *dim = &l->dims[d];
	LLVMValueRef latest, fits, later;

	if (!dim->pitch[0])
		return dim->start;
	latest = LLVMBuildNSWSub(l->b, dim->end, block_number(l, reach), "latest");
	fits = LLVMBuildICmp(l->b, LLVMIntSGE, latest, block_number(l, 0), "fits");
	later = LLVMBuildICmp(l->b, LLVMIntSGT, dim->start, latest, "later");
	return LLVMBuildSelect(l->b, LLVMBuildAnd(l->b, fits, later, ""), latest,
		dim->start, "start");
}

/* Settle the starts, and add what indices of even dimensions are worth. */
static void settle_starts(struct block_lowering *l)
{
	for (unsigned d = 0; d < l->block->dim_count; d++) {
		l->dims[d].start = block_settled(l, d, l->block->dims[d].reach);
		if (l->dims[d].pitch[0])
			block_step(l, l->offset, l->dims[d].start, l->dims[d].pitch);
	}
}

/* Are all the block's elements in the destination, or in the source? */
static LLVMValueRef is_whole(const struct block_lowering *l, LLVMValueRef *index, bool source)
{
	LLVMValueRef all;

	for (unsigned d = 0; d < l->block->dim_count; d++)
		index[d] = LLVMBuildNSWAdd(l->b, l->dims[d].start,
			block_number(l, l->block->dims[d].reach - 1), "last");
	all = block_is_below(l, index, source);
	for (unsigned d = 0; source && d < l->block->dim_count; d++)
		all = LLVMBuildAnd(l->b, all, block_has_begun(l, d, l->dims[d].start), "");
	return all;
}

/* What is xored with the pieces of a block that begins at "start". */
static void find_flips(struct block_lowering *l)
{
	for (unsigned i = 0; i < l->block->flip_count; i++) {
		const struct block_flip *flip = &l->block->flips[i];

		l->flip[flip->piece] = LLVMBuildAnd(l->b, LLVMBuildUDiv(l->b,
			l->dims[flip->digit.dim].start, block_number(l, flip->digit.step), ""),
			block_number(l, flip->digit.radix - 1), "flip");
	}
}

/* A vector that the source has some elements of is loaded so; larger blocks of the kind are
 * put together, and are whole. */
static void move_whole(struct block_lowering *l, LLVMValueRef whole, LLVMValueRef edge,
	LLVMValueRef *index)
{
	LLVMValueRef some = block_edge_count(l, index);
	LLVMValueRef filled = block_edge_fill(l, some ? LLVMConstNull(LLVMTypeOf(edge)) : edge,
		index);
	struct block_turns choice = block_choose(l, LLVMBuildOr(l->b, whole, filled, "vectors"));
	struct block_turns part;

	block_move_vectors(l);
	block_otherwise(l, &choice);
	if (some) {
		part = block_choose(l, edge);
		l->some = some;
		block_move_vectors(l);
		l->some = NULL;
		block_otherwise(l, &part);
	}
	(l->block->packed > 1 ? block_move_bytes : block_move_rest)(l, index);
	if (some)
		block_choice_close(l, &part);
	block_choice_close(l, &choice);
}

void block_move(struct block_lowering *l, LLVMValueRef *index)
{
	LLVMValueRef whole, edge;
	struct branch exists;

	if (l->block->row) {
		block_move_row(l);
		return;
	}
	for (unsigned d = 0; d < l->block->dim_count; d++)
		index[d] = l->dims[d].start;
	exists = branch_open(&l->part, block_is_below(l, index, false), "block");
	settle_starts(l);
	find_flips(l);
	if (l->shifts) {
		block_edge_fill(l, LLVMConstNull(LLVMInt1TypeInContext(LLVMGetBuilderContext(
			l->b))), index);
		block_move_vectors(l);
		branch_close(&l->part, &exists);
		return;
	}
	whole = is_whole(l, index, true);
	edge = LLVMBuildAnd(l->b, LLVMBuildNot(l->b, whole, ""), is_whole(l, index, false),
		"edge");
	move_whole(l, whole, edge, index);
	branch_close(&l->part, &exists);
}

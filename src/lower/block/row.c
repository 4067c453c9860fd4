/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A row of elements that follow each other on both sides:
 *
 *	the pad value, as far as the source begins later
 *	if (no cache holds the destination, and the source has some lines of the row)
 *		those past the caches
 *	else
 *		memcpy()
 *	the pad value, as far as the destination goes on */
#include "lower/block/parts.h"
#include "lower/branch.h"
#include "lower/stream.h"

/* Bytes of a row that is stored past the caches: of a known length, or of any.  Rows that follow each
 * other have lines in common. */
enum { LEAST_KNOWN = 2 * STREAM_LINE, LEAST_STREAM = 16 * STREAM_LINE };

static LLVMValueRef clamp(const struct block_lowering *l, LLVMValueRef value, int64_t most)
{
	LLVMValueRef none = block_number(l, 0), all = block_number(l, most);

	value = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, value, none, ""), none,
		value, "");
	return LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, value, all, ""), value,
		all, "");
}

/* Where the source has no more, or the destination. */
static LLVMValueRef end_of(const struct block_lowering *l, enum factor_side side, unsigned d)
{
	return side == FACTOR_LOAD ? l->dims[d].high : l->dims[d].end;
}

/* Does a side have the row's index in dimension d? */
static LLVMValueRef has(const struct block_lowering *l, enum factor_side side, unsigned d)
{
	LLVMValueRef start = l->dims[d].start;
	LLVMValueRef below = LLVMBuildICmp(l->b, LLVMIntSLT, start, end_of(l, side, d), "");

	return side == FACTOR_STORE ? below :
		LLVMBuildAnd(l->b, below, block_has_begun(l, d, start), "has");
}

/* How many of the row's bytes lie before an index of its dimension. */
static LLVMValueRef bytes_to(const struct block_lowering *l, LLVMValueRef index,
	enum factor_side side)
{
	const struct block_piece *row = &l->block->pieces[0];
	LLVMValueRef count = block_steps(l, l->dims[row->digit.dim].start, index,
		row->digit.step);

	return LLVMBuildNSWMul(l->b, clamp(l, count, row->digit.radix), block_number(l,
		block_bytes(l, side)), "bytes");
}

/* Up to which byte a side has the row. */
static LLVMValueRef count_bytes(const struct block_lowering *l, enum factor_side side)
{
	const struct block_piece *row = &l->block->pieces[0];
	LLVMValueRef count = bytes_to(l, end_of(l, side, row->digit.dim), side);

	for (unsigned d = 0; d < l->block->dim_count; d++)
		if (d != row->digit.dim)
			count = LLVMBuildSelect(l->b, has(l, side, d), count,
				block_number(l, 0), "count");
	return count;
}

/* So many bytes from "first" on. */
static void copy_row(const struct block_lowering *l, LLVMValueRef first, LLVMValueRef bytes)
{
	LLVMValueRef to = block_address(l, FACTOR_STORE, LLVMBuildNSWAdd(l->b,
		l->offset[FACTOR_STORE], first, ""));
	LLVMValueRef from = block_address(l, FACTOR_LOAD, LLVMBuildNSWAdd(l->b,
		l->offset[FACTOR_LOAD], first, ""));
	bool known = l->block->dims[l->block->pieces[0].digit.dim].end->op == INDEX_INT;
	struct block_turns choice = block_choose(l, LLVMBuildAnd(l->b, l->large, LLVMBuildICmp(l->b,
		LLVMIntSGE, bytes, block_number(l, known ? LEAST_KNOWN : LEAST_STREAM), ""),
		"streams"));

	stream_row(&l->part, to, from, bytes);
	block_otherwise(l, &choice);
	LLVMBuildMemCpy(l->b, to, 1, from, 1, bytes);
	block_choice_close(l, &choice);
}

/* The pad value, so many times, at byte "at" of the row. */
static void fill(const struct block_lowering *l, LLVMValueRef at, unsigned count)
{
	LLVMTypeRef element = LLVMIntTypeInContext(LLVMGetBuilderContext(l->b),
		8 * block_bytes(l, FACTOR_STORE));
	LLVMValueRef list[TURN_LANES], store;

	for (unsigned i = 0; i < count; i++)
		list[i] = LLVMConstInt(element, block_pad_bits(l), false);
	store = LLVMBuildStore(l->b, LLVMConstVector(list, count), block_address(l, FACTOR_STORE,
		LLVMBuildNSWAdd(l->b, l->offset[FACTOR_STORE], at, "")));
	LLVMSetAlignment(store, 1);
}

/* From a byte of the row on to its end, of which there is more: by so many elements at once,
 * the last ones as often as they fit. */
static void fill_steps(const struct block_lowering *l, LLVMValueRef first, LLVMValueRef end,
	unsigned count)
{
	LLVMValueRef step = block_number(l, (int64_t)count * block_bytes(l, FACTOR_STORE));
	LLVMValueRef last = LLVMBuildNSWSub(l->b, end, step, "last"), turns, at;
	struct block_turns loop;

	turns = LLVMBuildSDiv(l->b, LLVMBuildNSWSub(l->b, last, first, ""), step, "turns");
	loop = block_loop_open(l, block_number(l, 0), LLVMBuildNSWAdd(l->b, turns,
		block_number(l, 1), ""));
	at = block_add(l, first, loop.counter, step);
	fill(l, at, count);
	block_loop_close(l, &loop);
	fill(l, last, count);
}

/* The pad value from one byte of the row to another. */
static void pad_row(const struct block_lowering *l, LLVMValueRef first, LLVMValueRef end)
{
	const layout_kernel *kernel = l->part.kernel;
	unsigned bytes = kernel->hooks->vector_bytes(kernel->cpu);
	struct branch some = branch_open(&l->part, LLVMBuildICmp(l->b, LLVMIntSLT, first, end,
		""), "padding");
	struct block_turns choice = block_choose(l, LLVMBuildICmp(l->b, LLVMIntSGE,
		LLVMBuildNSWSub(l->b, end, first, ""), block_number(l, bytes), "wide"));

	fill_steps(l, first, end, bytes / block_bytes(l, FACTOR_STORE));
	block_otherwise(l, &choice);
	fill_steps(l, first, end, 1);
	block_choice_close(l, &choice);
	branch_close(&l->part, &some);
}

void block_move_row(const struct block_lowering *l)
{
	const struct block_piece *row = &l->block->pieces[0];
	LLVMValueRef given = count_bytes(l, FACTOR_LOAD), stored = count_bytes(l, FACTOR_STORE);
	LLVMValueRef first = block_number(l, 0);

	given = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, given, stored, ""), given,
		stored, "given");
	if (!index_is(l->block->dims[row->digit.dim].low, 0)) {
		first = bytes_to(l, l->dims[row->digit.dim].low, FACTOR_LOAD);
		first = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, first, given, ""),
			first, given, "first");
		pad_row(l, block_number(l, 0), first);
	}
	copy_row(l, first, LLVMBuildNSWSub(l->b, given, first, "copied"));
	pad_row(l, given, stored);
}

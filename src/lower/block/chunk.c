/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A destination that no cache holds is stored past them, in whole lines, wherever its rows
 * begin:
 *
 *	if (no cache holds the destination, and the chunk is whole)
 *		its blocks, to a stage in the nearest cache
 *		for every row of it
 *			whole lines, past the caches; the rest as it is
 *	else
 *		its blocks, to the destination */
#include "lower/block/parts.h"
#include "lower/branch.h"
#include "lower/stream.h"

enum { LEAST_CHUNK = 2 * STREAM_LINE, MOST_STAGE = 1 << 17 };	/* bytes */

static int64_t chunk_bytes(const struct block_lowering *l)
{
	return l->block->chunk * block_bytes(l, FACTOR_STORE) / l->block->packed;
}

/* Is this a step within a row? */
static bool is_along(const struct block_lowering *l, const struct block_piece *piece)
{
	const struct index *weight = piece->weight[FACTOR_STORE];

	return weight->op == INDEX_INT && weight->value > 0 &&
		weight->value < l->block->chunk;
}

static int64_t row_count(const struct block_lowering *l)
{
	int64_t rows = 1;

	for (unsigned i = 0; i < l->block->piece_count; i++)
		if (!is_along(l, &l->block->pieces[i]))
			rows *= l->block->pieces[i].radix;
	for (unsigned i = l->block->line_loop; i < l->block->loop_count; i++)
		rows *= l->block->loops[i].piece.radix;
	return rows;
}

/* Are the steps along a row those of its elements? */
static bool is_dense(const struct block_lowering *l)
{
	int64_t count = 1;

	for (unsigned i = 0; i < l->block->piece_count; i++)
		if (is_along(l, &l->block->pieces[i]))
			count *= l->block->pieces[i].radix;
	for (unsigned i = l->block->chunk_loop; i < l->block->line_loop; i++)
		count *= l->block->loops[i].piece.radix;
	return count == l->block->chunk;
}

void block_chunk_enter(struct block_lowering *l)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	int64_t bytes = chunk_bytes(l), most = row_count(l) * bytes;

	if (l->block->row || bytes < LEAST_CHUNK || most > MOST_STAGE || !is_dense(l))
		return;
	l->stage = block_memory(l, LLVMArrayType2(byte, (uint64_t)most), "stage");
}

/* Where the chunk begins in the destination. */
static LLVMValueRef chunk_offset(const struct block_lowering *l)
{
	LLVMValueRef offset = l->offset[FACTOR_STORE];

	for (unsigned d = 0; d < l->block->dim_count; d++)
		if (l->dims[d].pitch[0])
			offset = block_add(l, offset, block_settled(l, d),
				l->dims[d].pitch[FACTOR_STORE]);
	return offset;
}

/* Are all elements of the chunk in the source? */
static LLVMValueRef is_whole(const struct block_lowering *l)
{
	LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)),
		1, false);

	for (unsigned d = 0; d < l->block->dim_count; d++) {
		LLVMValueRef last = LLVMBuildNSWAdd(l->b, block_settled(l, d),
			block_number(l, l->block->dims[d].span - 1), "last");

		all = LLVMBuildAnd(l->b, all, LLVMBuildICmp(l->b, LLVMIntSLT, last,
			l->dims[d].high, ""), "whole");
	}
	return all;
}

/* Are its blocks stored in whole lines as they are? */
static LLVMValueRef is_direct(const struct block_lowering *l)
{
	LLVMValueRef at;

	if (l->block->vector[FACTOR_STORE] * block_bytes(l, FACTOR_STORE) !=
	    l->block->packed * STREAM_LINE)
		return LLVMConstNull(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)));
	at = LLVMBuildPtrToInt(l->b, block_address(l, FACTOR_STORE, l->chunk), l->i64, "");
	return LLVMBuildAnd(l->b, l->streams, LLVMBuildICmp(l->b, LLVMIntEQ, LLVMBuildAnd(
		l->b, at, block_number(l, STREAM_LINE - 1), ""), block_number(l, 0), ""),
		"direct");
}

/* Where row n of the stage goes. */
static LLVMValueRef row_offset(const struct block_lowering *l, LLVMValueRef n)
{
	LLVMValueRef offset = l->chunk;

	for (unsigned i = 0; i < l->block->piece_count; i++) {
		LLVMValueRef radix = block_number(l, l->block->pieces[i].radix);

		if (is_along(l, &l->block->pieces[i]))
			continue;
		offset = block_add(l, offset, LLVMBuildURem(l->b, n, radix, "digit"),
			l->step[i][FACTOR_STORE]);
		n = LLVMBuildUDiv(l->b, n, radix, "rest");
	}
	for (unsigned i = l->block->line_loop; i < l->block->loop_count; i++)
		offset = block_add(l, offset, n, l->loop_step[i][FACTOR_STORE]);
	return offset;
}

/* The lines that rows begin and end in are stored in part, and are read before: in time. */
static void fetch_ends(const struct block_lowering *l)
{
	struct branch staged = branch_open(&l->part, l->staged, "ends");
	struct turns rows = block_loop_open(l, block_number(l, 0),
		block_number(l, row_count(l)));
	LLVMValueRef row = row_offset(l, rows.counter), last = block_number(l,
		l->block->chunk * block_bytes(l, FACTOR_STORE) - l->block->packed);

	stream_prefetch(l->b, block_address(l, FACTOR_STORE, row), true);
	stream_prefetch(l->b, block_address(l, FACTOR_STORE, LLVMBuildNSWAdd(l->b, row, last,
		"end")), true);
	block_loop_close(l, &rows);
	branch_close(&l->part, &staged);
}

void block_chunk_open(struct block_lowering *l)
{
	int64_t bytes = block_bytes(l, FACTOR_STORE), row = l->block->chunk * bytes;

	l->store_base = l->base[FACTOR_STORE];
	for (unsigned i = 0; i < l->block->piece_count; i++)
		l->store_step[i] = l->step[i][FACTOR_STORE];
	if (!l->stage)
		return;
	l->chunk = chunk_offset(l);
	l->staged = LLVMBuildAnd(l->b, LLVMBuildAnd(l->b, l->large, is_whole(l), ""),
		LLVMBuildNot(l->b, is_direct(l), ""), "staged");
	l->store_base = LLVMBuildSelect(l->b, l->staged, l->stage, l->store_base, "base");
	for (unsigned i = 0; i < l->block->piece_count; i++) {
		const struct block_piece *piece = &l->block->pieces[i];
		bool along = is_along(l, piece);
		int64_t step = along ? piece->weight[FACTOR_STORE]->value * bytes : row;

		l->store_step[i] = LLVMBuildSelect(l->b, l->staged, block_number(l, step),
			l->store_step[i], "step");
		row *= along ? 1 : piece->radix;
	}
	fetch_ends(l);
}

LLVMValueRef block_chunk_offset(const struct block_lowering *l)
{
	LLVMValueRef sum = block_number(l, 0);

	if (!l->stage)
		return l->offset[FACTOR_STORE];
	for (unsigned i = l->block->chunk_loop; i < l->block->line_loop; i++)
		sum = block_add(l, sum, l->counter[i], l->loop_step[i][FACTOR_STORE]);
	for (unsigned i = l->block->line_loop; i < l->block->loop_count; i++)
		sum = block_add(l, sum, l->counter[i], block_number(l, row_count(l) /
			l->block->loops[i].piece.radix * l->block->chunk *
			block_bytes(l, FACTOR_STORE)));
	return LLVMBuildSelect(l->b, l->staged, sum, l->offset[FACTOR_STORE], "offset");
}

void block_chunk_close(struct block_lowering *l)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	struct branch staged;
	struct turns rows;
	LLVMValueRef at;

	if (!l->stage)
		return;
	staged = branch_open(&l->part, l->staged, "rows");
	rows = block_loop_open(l, block_number(l, 0), block_number(l, row_count(l)));
	at = LLVMBuildNSWMul(l->b, rows.counter, block_number(l, chunk_bytes(l)), "at");
	stream_row(&l->part, block_address(l, FACTOR_STORE, row_offset(l, rows.counter)),
		LLVMBuildInBoundsGEP2(l->b, byte, l->stage, &at, 1, "row"),
		block_number(l, chunk_bytes(l)));
	block_loop_close(l, &rows);
	branch_close(&l->part, &staged);
}

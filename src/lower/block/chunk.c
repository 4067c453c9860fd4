/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A destination that no cache holds is stored past them, in whole lines, wherever its rows
 * begin:
 *
 *	if (no cache holds the destination, and the chunk is whole)
 *		its blocks, to a stage in the nearest cache
 *		for every row of it
 *			whole lines, past the caches; the rest as it is
 *	else
 *		its blocks, to the destination
 *
 * Lines that two chunks have parts of are read, and written twice.  Where rows go on behind a
 * chunk it has some more of their elements in the stage, and stores the lines that they end
 * with whole: the next chunk begins behind these. */
#include "lower/block/parts.h"
#include "lower/branch.h"
#include "lower/stream.h"

enum { LEAST_CHUNK = 2 * STREAM_LINE, MOST_STAGE = 3 << 16 };	/* bytes */

static int64_t bytes_of(const struct block_lowering *l, int64_t elements)
{
	return elements * block_bytes(l, FACTOR_STORE) / l->block->packed;
}

static int64_t chunk_bytes(const struct block_lowering *l)
{
	return bytes_of(l, l->block->chunk);
}

/* The chunk's loop, where it can go on. */
static const struct block_loop *loop_of(const struct block_lowering *l)
{
	return &l->block->loops[l->block->chunk_loop];
}

/* Turns of that loop that have a line more, or 0. */
static int64_t more_turns(const struct block_lowering *l)
{
	int64_t turn;

	if (!l->block->goes_on)
		return 0;
	turn = chunk_bytes(l) / loop_of(l)->piece.digit.radix;
	return (STREAM_LINE + turn - 1) / turn;
}

/* Elements of a row in the stage. */
static int64_t row_elements(const struct block_lowering *l)
{
	int64_t more = more_turns(l);

	return l->block->chunk + (more ? more * (l->block->chunk / loop_of(l)->piece.digit.radix) : 0);
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
			rows *= l->block->pieces[i].digit.radix;
	for (unsigned i = l->block->line_loop; i < l->block->loop_count; i++)
		rows *= l->block->loops[i].piece.digit.radix;
	return rows;
}

/* Are the steps along a row those of its elements? */
static bool is_dense(const struct block_lowering *l)
{
	int64_t count = 1;

	for (unsigned i = 0; i < l->block->piece_count; i++)
		if (is_along(l, &l->block->pieces[i]))
			count *= l->block->pieces[i].digit.radix;
	for (unsigned i = l->block->chunk_loop; i < l->block->line_loop; i++)
		count *= l->block->loops[i].piece.digit.radix;
	return count == l->block->chunk;
}

void block_chunk_enter(struct block_lowering *l)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	int64_t bytes;

	if (l->block->row || chunk_bytes(l) < LEAST_CHUNK || !is_dense(l))
		return;
	bytes = row_count(l) * bytes_of(l, row_elements(l));
	if (bytes <= MOST_STAGE)
		l->stage = block_memory(l, LLVMArrayType2(byte, (uint64_t)bytes), "stage");
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

/* Are all elements of the chunk in the source, and those of so many turns more? */
static LLVMValueRef is_whole(const struct block_lowering *l, int64_t more)
{
	LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)),
		1, false);

	for (unsigned d = 0; d < l->block->dim_count; d++) {
		int64_t beyond = more && loop_of(l)->piece.digit.dim == d ?
			more * loop_of(l)->piece.digit.step : 0;
		LLVMValueRef last = LLVMBuildNSWAdd(l->b, block_settled(l, d),
			block_number(l, l->block->dims[d].span + beyond - 1), "last");

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
		LLVMValueRef radix = block_number(l, l->block->pieces[i].digit.radix);

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

/* Has another chunk the lines that rows begin in, and this one those that they end in? */
static void find_lines(struct block_lowering *l)
{
	l->behind = l->goes_on = LLVMConstNull(LLVMTypeOf(l->staged));
	if (!more_turns(l))
		return;
	l->behind = LLVMBuildAnd(l->b, l->staged, LLVMBuildICmp(l->b, LLVMIntSGE,
		l->dims[loop_of(l)->piece.digit.dim].start, block_number(l, loop_of(l)->piece.digit.step *
			loop_of(l)->piece.digit.radix), ""), "behind");
	l->goes_on = LLVMBuildAnd(l->b, l->staged, is_whole(l, more_turns(l)), "goes.on");
	l->loop_count[l->block->chunk_loop] = LLVMBuildSelect(l->b, l->goes_on,
		block_number(l, loop_of(l)->piece.digit.radix + more_turns(l)),
		block_number(l, loop_of(l)->piece.digit.radix), "turns");
}

/* The lines that rows begin and end in are stored in part, and are read before: in time. */
static void fetch_ends(const struct block_lowering *l)
{
	struct branch staged = branch_open(&l->part, LLVMBuildAnd(l->b, l->staged,
		LLVMBuildNot(l->b, LLVMBuildAnd(l->b, l->behind, l->goes_on, ""), ""), ""), "ends");
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
	int64_t bytes = block_bytes(l, FACTOR_STORE), row = row_elements(l) * bytes;

	l->store_base = l->base[FACTOR_STORE];
	for (unsigned i = 0; i < l->block->piece_count; i++)
		l->store_step[i] = l->step[i][FACTOR_STORE];
	if (!l->stage)
		return;
	l->chunk = chunk_offset(l);
	l->staged = LLVMBuildAnd(l->b, LLVMBuildAnd(l->b, l->large, is_whole(l, 0), ""),
		LLVMBuildNot(l->b, is_direct(l), ""), "staged");
	l->store_base = LLVMBuildSelect(l->b, l->staged, l->stage, l->store_base, "base");
	for (unsigned i = 0; i < l->block->piece_count; i++) {
		const struct block_piece *piece = &l->block->pieces[i];
		bool along = is_along(l, piece);
		int64_t step = along ? piece->weight[FACTOR_STORE]->value * bytes : row;

		l->store_step[i] = LLVMBuildSelect(l->b, l->staged, block_number(l, step),
			l->store_step[i], "step");
		row *= along ? 1 : piece->digit.radix;
	}
	find_lines(l);
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
			l->block->loops[i].piece.digit.radix * row_elements(l) *
			block_bytes(l, FACTOR_STORE)));
	return LLVMBuildSelect(l->b, l->staged, sum, l->offset[FACTOR_STORE], "offset");
}

/* From "at" up to the next line, in bytes; 0 where it begins one. */
static LLVMValueRef up_to_line(const struct block_lowering *l, LLVMValueRef at)
{
	return LLVMBuildAnd(l->b, LLVMBuildNeg(l->b, LLVMBuildPtrToInt(l->b, at, l->i64, ""), ""),
		block_number(l, STREAM_LINE - 1), "up");
}

/* Row n of the stage, or what of it is in the chunk's lines. */
static void store_row(const struct block_lowering *l, LLVMValueRef n)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef none = block_number(l, 0), first, end;
	LLVMValueRef from = LLVMBuildNSWMul(l->b, n, block_number(l,
		bytes_of(l, row_elements(l))), "at");
	LLVMValueRef to = block_address(l, FACTOR_STORE, row_offset(l, n));

	end = block_number(l, chunk_bytes(l));
	first = LLVMBuildSelect(l->b, l->behind, up_to_line(l, to), none, "first");
	end = LLVMBuildNSWAdd(l->b, end, LLVMBuildSelect(l->b, l->goes_on, up_to_line(l,
		LLVMBuildInBoundsGEP2(l->b, byte, to, &end, 1, "")), none, ""), "end");
	from = LLVMBuildNSWAdd(l->b, from, first, "from");
	stream_row(&l->part, LLVMBuildInBoundsGEP2(l->b, byte, to, &first, 1, "to"),
		LLVMBuildInBoundsGEP2(l->b, byte, l->stage, &from, 1, "row"),
		LLVMBuildNSWSub(l->b, end, first, "bytes"));
}

void block_chunk_close(struct block_lowering *l)
{
	struct branch staged;
	struct turns rows;

	if (!l->stage)
		return;
	staged = branch_open(&l->part, l->staged, "rows");
	rows = block_loop_open(l, block_number(l, 0), block_number(l, row_count(l)));
	store_row(l, rows.counter);
	block_loop_close(l, &rows);
	branch_close(&l->part, &staged);
}

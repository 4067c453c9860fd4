/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*	NAME.part(operands.., sizes.., first, end)
 *		for the turns of the loops, those of the outermost ones from first to end
 *			if (the block begins in the destination)
 *				if (it is whole, or what lacks is padding)
 *					load, turn and store it
 *				else
 *					for each element
 *						if (it is in the destination)
 *							store it, or the pad value */
#include "lower/block/parts.h"
#include "lower/branch.h"
#include "lower/convert.h"
#include "lower/shared.h"
#include "lower/stream.h"

#include <stdlib.h>
#include <string.h>

LLVMValueRef block_number(const struct block_lowering *l, int64_t value)
{
	return LLVMConstInt(l->i64, (unsigned long long)value, true);
}

unsigned block_bytes(const struct block_lowering *l, unsigned side)
{
	const struct visit *visit = &l->part.kernel->plan->visit;

	return ((side == FACTOR_LOAD ? visit->load.bits : visit->store.bits) + 7) / 8;
}

struct turns block_loop_open(const struct block_lowering *l, LLVMValueRef first, LLVMValueRef end)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(l->b);
	LLVMBasicBlockRef body = iteration_block(&l->part, "body");
	struct turns loop = { iteration_block(&l->part, "loop"),
		iteration_block(&l->part, "exit"), NULL };

	LLVMBuildBr(l->b, loop.header);
	LLVMPositionBuilderAtEnd(l->b, loop.header);
	loop.counter = LLVMBuildPhi(l->b, l->i64, "counter");
	LLVMAddIncoming(loop.counter, &first, &before, 1);
	LLVMBuildCondBr(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, loop.counter, end, "more"),
		body, loop.exit);
	LLVMPositionBuilderAtEnd(l->b, body);
	return loop;
}

void block_loop_close(const struct block_lowering *l, const struct turns *loop)
{
	LLVMValueRef next = LLVMBuildNSWAdd(l->b, loop->counter, block_number(l, 1), "next");
	LLVMBasicBlockRef from = LLVMGetInsertBlock(l->b);

	LLVMAddIncoming(loop->counter, &next, &from, 1);
	LLVMBuildBr(l->b, loop->header);
	LLVMPositionBuilderAtEnd(l->b, loop->exit);
}

LLVMValueRef block_add(const struct block_lowering *l, LLVMValueRef sum, LLVMValueRef a,
	LLVMValueRef b)
{
	return LLVMBuildNSWAdd(l->b, sum, LLVMBuildNSWMul(l->b, a, b, ""), "sum");
}

/* The same on both sides. */
static void move(const struct block_lowering *l, LLVMValueRef *offset, LLVMValueRef counter,
	const LLVMValueRef *step)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		offset[side] = block_add(l, offset[side], counter, step[side]);
}

LLVMValueRef block_address(const struct block_lowering *l, unsigned side, LLVMValueRef offset)
{
	return LLVMBuildInBoundsGEP2(l->b, LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b)),
		l->base[side], &offset, 1, "address");
}

static unsigned alignment(const struct block_lowering *l, unsigned side)
{
	unsigned bytes = block_bytes(l, side), base = l->part.kernel->base_align;

	return bytes < base ? bytes : base;
}

LLVMValueRef block_offset(const struct block_lowering *l, unsigned side,
	LLVMValueRef first, int64_t n)
{
	const struct plan_block *block = l->block;
	LLVMValueRef sum = first;

	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[side][i];
		int64_t radix = block->pieces[at].radix;

		if (n % radix)
			sum = block_add(l, sum, block_number(l, n % radix), side ==
				FACTOR_LOAD ? l->load_step[at] : l->store_step[at]);
		n /= radix;
	}
	return sum;
}

/* What digits are xored with where they are stored on a side, if these are their own. */
static void add_xors(const struct plan_block *block, unsigned side, const int64_t *own,
	int64_t *digit)
{
	for (unsigned i = 0; i < block->xor_count; i++)
		if (block->xors[i].side == side)
			digit[block->xors[i].to] ^= own[block->xors[i].from];
}

/* Digits as they are stored on a side become the elements' own: those that nothing is xored
 * with are already, then those that are xored with these, and so on. */
static void own_digits(const struct plan_block *block, unsigned side, int64_t *digit)
{
	int64_t own[BLOCK_PIECES], stored[BLOCK_PIECES];

	memcpy(stored, digit, sizeof(stored));
	for (unsigned i = 0; i < block->xor_count; i++) {
		memcpy(own, digit, sizeof(own));
		memcpy(digit, stored, sizeof(stored));
		add_xors(block, side, own, digit);
	}
}

/* Where element "q" in the order of the destination is in that of the source. */
static unsigned source_number(const struct plan_block *block, int64_t q)
{
	int64_t digit[BLOCK_PIECES] = { 0 }, own[BLOCK_PIECES], place = 1, sum = 0;

	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[FACTOR_STORE][i];

		digit[at] = q % block->pieces[at].radix;
		q /= block->pieces[at].radix;
	}
	own_digits(block, FACTOR_STORE, digit);
	memcpy(own, digit, sizeof(own));
	add_xors(block, FACTOR_LOAD, own, digit);
	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[FACTOR_LOAD][i];

		sum += place * digit[at];
		place *= block->pieces[at].radix;
	}
	return (unsigned)sum;
}

static LLVMTypeRef vector_type(const struct block_lowering *l, unsigned side)
{
	LLVMTypeRef element = LLVMIntTypeInContext(LLVMGetBuilderContext(l->b),
		8 * block_bytes(l, side));

	return LLVMVectorType(element, (unsigned)l->block->vector[side]);
}

static unsigned store_bytes(const struct block_lowering *l)
{
	return (unsigned)l->block->vector[FACTOR_STORE] * block_bytes(l, FACTOR_STORE);
}

LLVMValueRef block_load(const struct block_lowering *l, LLVMValueRef offset)
{
	LLVMValueRef from = LLVMBuildGEP2(l->b, LLVMInt8TypeInContext(
		LLVMGetBuilderContext(l->b)), l->load_base, &offset, 1, "address");
	LLVMValueRef value = LLVMBuildLoad2(l->b, vector_type(l, FACTOR_LOAD), from, "vector");

	LLVMSetAlignment(value, alignment(l, FACTOR_LOAD));
	return convert_value(l->b, &l->part.kernel->plan->conversion, value);
}

/* The pad value as often as it fits what moves. */
static uint64_t pad_bits(const struct block_lowering *l)
{
	const struct plan *plan = l->part.kernel->plan;
	uint64_t bits = 0;

	for (int64_t i = 0; i < l->block->unit; i++)
		bits |= plan->pad_bits << (unsigned)i * plan->visit.store.bits;
	return bits;
}

LLVMValueRef block_pad(const struct block_lowering *l)
{
	LLVMTypeRef type = vector_type(l, FACTOR_LOAD);
	LLVMValueRef list[TURN_LANES];

	for (int64_t i = 0; i < l->block->vector[FACTOR_LOAD]; i++)
		list[i] = LLVMConstInt(LLVMGetElementType(type), pad_bits(l), false);
	return LLVMConstVector(list, (unsigned)l->block->vector[FACTOR_LOAD]);
}

void block_store(const struct block_lowering *l, LLVMValueRef value, LLVMValueRef offset,
	bool streams)
{
	LLVMValueRef to = LLVMBuildGEP2(l->b, LLVMInt8TypeInContext(
		LLVMGetBuilderContext(l->b)), l->store_base, &offset, 1, "address");

	if (streams)
		stream_store(l->b, value, to, store_bytes(l));
	else
		LLVMSetAlignment(LLVMBuildStore(l->b, value, to),
			alignment(l, FACTOR_STORE));
}

static void load_vectors(const struct block_lowering *l, LLVMValueRef *values)
{
	int64_t vector = l->block->vector[FACTOR_LOAD];

	for (int64_t n = 0; n < l->block->elements; n += vector)
		values[n / vector] = block_load(l, block_offset(l, FACTOR_LOAD,
			l->load_first, n));
}

static void store_vectors(const struct block_lowering *l, const LLVMValueRef *values,
	bool streams)
{
	int64_t vector = l->block->vector[FACTOR_STORE];
	LLVMValueRef first = block_chunk_offset(l);

	for (int64_t n = 0; n < l->block->elements; n += vector)
		block_store(l, values[n / vector], block_offset(l, FACTOR_STORE, first, n),
			streams);
}

LLVMValueRef block_memory(const struct block_lowering *l, LLVMTypeRef type, const char *name)
{
	LLVMBasicBlockRef now = LLVMGetInsertBlock(l->b);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->part.function);
	LLVMValueRef memory;

	LLVMPositionBuilder(l->b, entry, LLVMGetFirstInstruction(entry));
	memory = LLVMBuildAlloca(l->b, type, name);
	LLVMSetAlignment(memory, STREAM_LINE);
	LLVMPositionBuilderAtEnd(l->b, now);
	return memory;
}

struct turns block_choose(const struct block_lowering *l, LLVMValueRef condition)
{
	LLVMBasicBlockRef yes = iteration_block(&l->part, "yes");
	struct turns choice = { iteration_block(&l->part, "no"),
		iteration_block(&l->part, "join"), NULL };

	LLVMBuildCondBr(l->b, condition, yes, choice.header);
	LLVMPositionBuilderAtEnd(l->b, yes);
	return choice;
}

void block_otherwise(const struct block_lowering *l, const struct turns *choice)
{
	LLVMBuildBr(l->b, choice->exit);
	LLVMPositionBuilderAtEnd(l->b, choice->header);
}

void block_choice_close(const struct block_lowering *l, const struct turns *choice)
{
	LLVMBuildBr(l->b, choice->exit);
	LLVMPositionBuilderAtEnd(l->b, choice->exit);
}

LLVMValueRef block_streams(const struct block_lowering *l)
{
	LLVMValueRef at = LLVMBuildPtrToInt(l->b, block_address(l, FACTOR_STORE,
		l->offset[FACTOR_STORE]), l->i64, "");

	return LLVMBuildAnd(l->b, l->streams, LLVMBuildICmp(l->b, LLVMIntEQ, LLVMBuildAnd(
		l->b, at, block_number(l, store_bytes(l) - 1), ""), block_number(l, 0), ""),
		"stream");
}

/* What is loaded so far ahead is there in time: measured. */
enum { AHEAD_BYTES = 2048 };

/* Blocks of the innermost loop that make up what is fetched ahead, at most all of it. */
static int64_t blocks_ahead(const struct block_lowering *l)
{
	int64_t most = l->block->loops[l->block->loop_count - 1].piece.radix, ahead = 1;
	int64_t bytes = l->block->elements * block_bytes(l, FACTOR_LOAD);

	while (2 * ahead <= most && ahead * bytes < AHEAD_BYTES)
		ahead *= 2;
	return ahead;
}

LLVMValueRef block_ahead(const struct block_lowering *l)
{
	LLVMValueRef sum = block_number(l, 0), carry = NULL;
	int64_t ahead = blocks_ahead(l);

	for (unsigned i = l->block->loop_count; i-- > l->block->outer_count;) {
		LLVMValueRef next = LLVMBuildNSWAdd(l->b, l->counter[i],
			block_number(l, ahead), "next"), moved;
		LLVMValueRef last = LLVMBuildICmp(l->b, LLVMIntSGE, next, l->loop_count[i],
			"last");

		next = LLVMBuildSelect(l->b, last, LLVMBuildNSWSub(l->b, next,
			l->loop_count[i], ""), next, "next");
		moved = LLVMBuildNSWMul(l->b, LLVMBuildNSWSub(l->b, next, l->counter[i],
			""), l->loop_step[i][FACTOR_LOAD], "moved");
		if (carry)
			moved = LLVMBuildSelect(l->b, carry, moved, block_number(l, 0), "");
		sum = LLVMBuildNSWAdd(l->b, sum, moved, "ahead");
		carry = carry ? LLVMBuildAnd(l->b, carry, last, "carry") : last;
		ahead = 1;
	}
	return sum;
}

LLVMValueRef block_last_byte(const struct block_lowering *l)
{
	return block_number(l, l->block->vector[FACTOR_LOAD] * block_bytes(l, FACTOR_LOAD) - 1);
}

static void prefetch_vectors(const struct block_lowering *l)
{
	int64_t vector = l->block->vector[FACTOR_LOAD];
	LLVMValueRef first = LLVMBuildNSWAdd(l->b, l->offset[FACTOR_LOAD], LLVMBuildNSWAdd(
		l->b, block_ahead(l), block_last_byte(l), ""), "ahead");

	for (int64_t n = 0; n < l->block->elements; n += vector)
		stream_prefetch(l->b, block_address(l, FACTOR_LOAD,
			block_offset(l, FACTOR_LOAD, first, n)), false);
}

static void turn_vectors(const struct block_lowering *l, const struct turn *turn)
{
	LLVMValueRef values[TURN_ELEMENTS];
	struct turns choice;
	struct branch large;

	load_vectors(l, values);
	turn_lower(turn, values);
	large = branch_open(&l->part, l->large, "large");
	prefetch_vectors(l);
	branch_close(&l->part, &large);
	choice = block_choose(l, block_streams(l));
	store_vectors(l, values, true);
	block_otherwise(l, &choice);
	store_vectors(l, values, false);
	block_choice_close(l, &choice);
}

static void move_vectors(const struct block_lowering *l)
{
	struct turn turn = { l->b, (unsigned)l->block->elements,
		block_bytes(l, FACTOR_STORE), (unsigned)l->block->vector[FACTOR_LOAD],
		(unsigned)l->block->vector[FACTOR_STORE], { 0 } };

	for (unsigned q = 0; q < turn.elements; q++)
		turn.from[q] = source_number(l->block, q);
	if (!block_move_passes(l, &turn))
		turn_vectors(l, &turn);
}

/* What a piece's digit is on a side. */
static LLVMValueRef stored_digit(const struct block_lowering *l, unsigned side,
	unsigned piece, const LLVMValueRef *digit)
{
	LLVMValueRef stored = digit[piece];

	for (unsigned i = 0; i < l->block->xor_count; i++)
		if (l->block->xors[i].side == side && l->block->xors[i].to == piece)
			stored = LLVMBuildXor(l->b, stored, digit[l->block->xors[i].from],
				"stored");
	return stored;
}

/* Element "n" of the block: its index in each dimension, and where it is. */
static void place_element(const struct block_lowering *l, LLVMValueRef n, LLVMValueRef *index,
	LLVMValueRef *offset)
{
	const struct plan_block *block = l->block;
	LLVMValueRef digit[BLOCK_PIECES];

	for (unsigned d = 0; d < block->dim_count; d++)
		index[d] = l->dims[d].start;
	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[FACTOR_STORE][i];
		const struct block_piece *piece = &block->pieces[at];

		digit[at] = LLVMBuildURem(l->b, n, block_number(l, piece->radix), "digit");
		index[piece->dim] = block_add(l, index[piece->dim], digit[at],
			block_number(l, piece->step));
		n = LLVMBuildUDiv(l->b, n, block_number(l, piece->radix), "rest");
	}
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned i = 0; i < block->piece_count; i++)
			offset[side] = block_add(l, offset[side], stored_digit(l, side, i,
				digit), l->step[i][side]);
}

/* Are indices below the ends, or below where the source ends? */
static LLVMValueRef is_below(const struct block_lowering *l, const LLVMValueRef *index,
	bool source)
{
	LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)),
		1, false);

	for (unsigned d = 0; d < l->block->dim_count; d++)
		all = LLVMBuildAnd(l->b, all, LLVMBuildICmp(l->b, LLVMIntSLT, index[d],
			source ? l->dims[d].high : l->dims[d].end, ""), "below");
	return all;
}

static LLVMValueRef load_element(const struct block_lowering *l, LLVMValueRef offset)
{
	LLVMTypeRef type = LLVMGetElementType(vector_type(l, FACTOR_LOAD));
	LLVMValueRef value = LLVMBuildLoad2(l->b, type, block_address(l, FACTOR_LOAD, offset),
		"element");

	LLVMSetAlignment(value, alignment(l, FACTOR_LOAD));
	return convert_value(l->b, &l->part.kernel->plan->conversion, value);
}

/* Those of the block's elements that exist, one by one; "index" has room for one. */
static void move_elements(const struct block_lowering *l, LLVMValueRef *index)
{
	struct turns loop = block_loop_open(l, block_number(l, 0), block_number(l, l->block->elements));
	LLVMValueRef offset[] = { l->offset[0], l->offset[1] }, value, store, pad;
	struct branch exists, inside;

	place_element(l, loop.counter, index, offset);
	exists = branch_open(&l->part, is_below(l, index, false), "exists");
	inside = branch_open(&l->part, is_below(l, index, true), "inside");
	value = load_element(l, offset[FACTOR_LOAD]);
	pad = LLVMConstInt(LLVMTypeOf(value), pad_bits(l), false);
	value = branch_value(&l->part, &inside, value, pad);
	store = LLVMBuildStore(l->b, value, block_address(l, FACTOR_STORE, offset[FACTOR_STORE]));
	LLVMSetAlignment(store, alignment(l, FACTOR_STORE));
	branch_close(&l->part, &exists);
	block_loop_close(l, &loop);
}

LLVMValueRef block_settled(const struct block_lowering *l, unsigned d)
{
	const struct dim *dim = &l->dims[d];
	LLVMValueRef latest, fits, later;

	if (!dim->pitch[0])
		return dim->start;
	latest = LLVMBuildNSWSub(l->b, dim->end, block_number(l, l->block->dims[d].reach),
		"latest");
	fits = LLVMBuildICmp(l->b, LLVMIntSGE, latest, block_number(l, 0), "fits");
	later = LLVMBuildICmp(l->b, LLVMIntSGT, dim->start, latest, "later");
	return LLVMBuildSelect(l->b, LLVMBuildAnd(l->b, fits, later, ""), latest,
		dim->start, "start");
}

/* Settle the starts, and add what indices of even dimensions are worth. */
static void settle_starts(struct block_lowering *l)
{
	for (unsigned d = 0; d < l->block->dim_count; d++) {
		l->dims[d].start = block_settled(l, d);
		if (l->dims[d].pitch[0])
			move(l, l->offset, l->dims[d].start, l->dims[d].pitch);
	}
}

/* Are all the block's elements in the destination, or in the source? */
static LLVMValueRef is_whole(const struct block_lowering *l, LLVMValueRef *index, bool source)
{
	for (unsigned d = 0; d < l->block->dim_count; d++)
		index[d] = LLVMBuildNSWAdd(l->b, l->dims[d].start,
			block_number(l, l->block->dims[d].reach - 1), "last");
	return is_below(l, index, source);
}

/* A block at "start"; "index" has room for one. */
static void move_block(struct block_lowering *l, LLVMValueRef *index)
{
	LLVMValueRef whole, edge;
	struct branch exists;
	struct turns choice;

	for (unsigned d = 0; d < l->block->dim_count; d++)
		index[d] = l->dims[d].start;
	exists = branch_open(&l->part, is_below(l, index, false), "block");
	settle_starts(l);
	whole = is_whole(l, index, true);
	edge = LLVMBuildAnd(l->b, LLVMBuildNot(l->b, whole, ""), is_whole(l, index, false),
		"edge");
	edge = block_edge_fill(l, edge, index);
	choice = block_choose(l, LLVMBuildOr(l->b, whole, edge, "vectors"));
	move_vectors(l);
	block_otherwise(l, &choice);
	move_elements(l, index);
	block_choice_close(l, &choice);
	branch_close(&l->part, &exists);
}

static void enter_turn(struct block_lowering *l, unsigned i, LLVMValueRef counter)
{
	const struct block_piece *piece = &l->block->loops[i].piece;
	struct dim *dim = &l->dims[piece->dim];

	l->counter[i] = counter;
	dim->start = block_add(l, dim->start, counter, block_number(l, piece->step));
	if (!dim->pitch[0])
		move(l, l->offset, counter, l->loop_step[i]);
}

/* One loop for the turns of the first "shared" ones. */
static void open_shared(struct block_lowering *l, unsigned shared, struct turns *loop)
{
	LLVMValueRef rest;

	*loop = block_loop_open(l, l->first, l->last);
	rest = loop->counter;
	for (unsigned i = shared; i-- > 1;) {
		enter_turn(l, i, LLVMBuildURem(l->b, rest, l->loop_count[i], "turn"));
		rest = LLVMBuildUDiv(l->b, rest, l->loop_count[i], "rest");
	}
	if (shared)
		enter_turn(l, 0, rest);
}

static LLVMValueRef bytes_of(const struct block_lowering *l, const struct index *weight,
	unsigned side)
{
	return LLVMBuildNSWMul(l->b, expression_lower(&l->part.scope, weight),
		block_number(l, block_bytes(l, side)), "step");
}

static void enter_steps(const struct block_lowering *l, const struct block_piece *piece,
	LLVMValueRef *step)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		step[side] = bytes_of(l, piece->weight[side], side);
}

static void enter_dim(struct block_lowering *l, unsigned d)
{
	const struct block_dim *dim = &l->block->dims[d];

	l->dims[d].start = block_number(l, 0);
	l->dims[d].high = expression_lower(&l->part.scope, dim->high);
	l->dims[d].end = expression_lower(&l->part.scope, dim->end);
	for (unsigned side = 0; side < FACTOR_SIDES && dim->pitch[0]; side++)
		l->dims[d].pitch[side] = bytes_of(l, dim->pitch[side], side);
}

/* Are all lines of the destination whole where a block's first one is? */
static LLVMValueRef is_whole_lines(const struct block_lowering *l)
{
	LLVMValueRef steps = block_number(l, store_bytes(l) == STREAM_LINE ? 0 : 1);

	for (unsigned i = 0; i < l->block->piece_count; i++) {
		const struct index *weight = l->block->pieces[i].weight[FACTOR_STORE];

		if (weight->op != INDEX_INT ||
		    weight->value >= l->block->vector[FACTOR_STORE])
			steps = LLVMBuildOr(l->b, steps, l->step[i][FACTOR_STORE], "steps");
	}
	return LLVMBuildICmp(l->b, LLVMIntEQ, LLVMBuildAnd(l->b, steps,
		block_number(l, STREAM_LINE - 1), ""), block_number(l, 0), "whole");
}

/* What is the same for all blocks. */
static void enter(struct block_lowering *l)
{
	const struct plan_block *block = l->block;

	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		l->base[side] = LLVMGetParam(l->part.function, side);
		l->offset[side] = block_number(l, 0);
	}
	for (unsigned d = 0; d < block->dim_count; d++)
		enter_dim(l, d);
	for (unsigned i = 0; i < block->piece_count; i++)
		enter_steps(l, &block->pieces[i], l->step[i]);
	for (unsigned i = 0; i < block->loop_count; i++) {
		enter_steps(l, &block->loops[i].piece, l->loop_step[i]);
		l->loop_count[i] = expression_lower(&l->part.scope, block->loops[i].count);
	}
	l->large = stream_is_large(&l->part, LLVMBuildUDiv(l->b, bytes_of(l, l->part.kernel->
		plan->visit.store.elements, FACTOR_STORE), block_number(l, block->unit), ""));
	l->streams = LLVMBuildAnd(l->b, l->large, is_whole_lines(l), "streams");
	block_chunk_enter(l);
	block_edge_enter(l);
}

/* Turns of loop i from where the loops around it are: those that begin in the destination. */
static LLVMValueRef count_turns(const struct block_lowering *l, unsigned i)
{
	const struct block_piece *piece = &l->block->loops[i].piece;
	const struct dim *dim = &l->dims[piece->dim];
	LLVMValueRef rest = LLVMBuildNSWSub(l->b, dim->end, dim->start, "rest"), turns;

	rest = LLVMBuildNSWAdd(l->b, rest, block_number(l, piece->step - 1), "");
	turns = LLVMBuildSDiv(l->b, rest, block_number(l, piece->step), "turns");
	return LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, turns,
		l->loop_count[i], ""), turns, l->loop_count[i], "count");
}

/* The loops from "first" on, and what is in them. */
static void fill_loops(struct block_lowering *l, unsigned first, LLVMValueRef *index)
{
	struct turns loops[BLOCK_LOOPS];

	for (unsigned i = first; i < l->block->loop_count; i++) {
		if (i == l->block->chunk_loop)
			block_chunk_open(l);
		l->loop_count[i] = count_turns(l, i);
		loops[i] = block_loop_open(l, block_number(l, 0), l->loop_count[i]);
		enter_turn(l, i, loops[i].counter);
	}
	if (l->block->chunk_loop == l->block->loop_count)
		block_chunk_open(l);
	move_block(l, index);
	if (l->block->chunk_loop == l->block->loop_count)
		block_chunk_close(l);
	for (unsigned i = l->block->loop_count; i-- > first;) {
		block_loop_close(l, &loops[i]);
		if (i == l->block->chunk_loop)
			block_chunk_close(l);
	}
}

/* The body of NAME.part. */
static void fill_part(struct block_lowering *l, LLVMValueRef *index)
{
	const struct index *counts[SHARED_LOOPS];
	unsigned shared = shared_counts(l->part.kernel, counts);
	struct turns turns;

	LLVMPositionBuilderAtEnd(l->b, iteration_block(&l->part, "entry"));
	enter(l);
	open_shared(l, shared, &turns);
	fill_loops(l, shared, index);
	block_loop_close(l, &turns);
	stream_end(l->b);
	LLVMBuildRetVoid(l->b);
}

bool block_lower(layout_context *ctx, struct iteration *whole)
{
	const layout_kernel *kernel = whole->kernel;
	unsigned count = plan_arguments(kernel->plan);
	struct block_lowering l = { .part = { .kernel = kernel }, .block = kernel->plan->block,
		.b = whole->scope.builder };
	LLVMValueRef *args = layout_alloc(ctx, count + 2, sizeof(*args));
	LLVMValueRef *index = layout_alloc(ctx, l.block->dim_count, sizeof(*index));
	LLVMTypeRef *params = layout_alloc(ctx, count + 2, sizeof(*params));
	bool ok;

	l.dims = layout_alloc(ctx, l.block->dim_count, sizeof(*l.dims));
	ok = args && index && params && l.dims;
	if (ok) {
		l.i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(l.b));
		l.part.function = shared_declare(kernel, whole->function, params);
		LLVMSetLinkage(l.part.function, LLVMInternalLinkage);
		l.part.scope = (struct expression_scope){ .builder = l.b, .vars = args };
		for (unsigned i = 0; i < kernel->plan->size_count; i++)
			args[i] = LLVMGetParam(l.part.function,
				kernel->plan->operand_count + i);
		l.first = LLVMGetParam(l.part.function, count);
		l.last = LLVMGetParam(l.part.function, count + 1);
		fill_part(&l, index);
		LLVMPositionBuilderAtEnd(l.b, LLVMGetEntryBasicBlock(whole->function));
		shared_call(kernel, &whole->scope, whole->function, l.part.function, args);
	}
	free(l.dims);
	free(params);
	free(index);
	free(args);
	return ok;
}

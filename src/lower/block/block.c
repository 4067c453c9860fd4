/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*	NAME.part(operands.., sizes.., first, end)
 *		if (blocks do not begin with bytes for these sizes)
 *			the first turn: every element, one by one
 *			return
 *		for the turns of the loops, those of the outermost ones from first to end
 *			if (the block begins in the destination)
 *				if (it is whole, or what lacks is padding)
 *					load, turn and store it
 *				else
 *					for each element
 *						if (it is in the destination)
 *							store it, or the pad value */
#include "lower/block/parts.h"
#include "isl_bridge/arithmetic.h"
#include "lower/branch.h"
#include "lower/convert.h"
#include "lower/pointwise.h"
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

LLVMValueRef block_byte(const struct block_lowering *l, LLVMValueRef base, LLVMValueRef offset)
{
	if (l->block->packed > 1)
		offset = LLVMBuildLShr(l->b, offset, block_number(l,
			int_log2(l->block->packed)), "byte");
	return LLVMBuildGEP2(l->b, LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b)), base,
		&offset, 1, "address");
}

LLVMValueRef block_address(const struct block_lowering *l, unsigned side, LLVMValueRef offset)
{
	return block_byte(l, l->base[side], offset);
}

static unsigned alignment(const struct block_lowering *l, unsigned side)
{
	unsigned bytes = block_bytes(l, side), base = l->part.kernel->base_align;

	return bytes < base ? bytes : base;
}

static LLVMValueRef step_of(const struct block_lowering *l, unsigned side, unsigned piece)
{
	return side == FACTOR_LOAD ? l->load_step[piece] : l->store_step[piece];
}

/* What is xored with a piece on a side; NULL: nothing. */
static LLVMValueRef flip_of(const struct block_lowering *l, unsigned side, unsigned piece)
{
	for (unsigned i = 0; i < l->block->flip_count; i++)
		if (l->block->flips[i].piece == piece && l->block->flips[i].side == side)
			return l->flip[piece];
	return NULL;
}

/* Where a bit of "flip" is set, that of a digit counts down. */
static LLVMValueRef flipped_offset(const struct block_lowering *l, LLVMValueRef sum,
	int64_t digit, LLVMValueRef flip, LLVMValueRef step)
{
	for (int64_t bit = 1; bit <= digit; bit *= 2) {
		LLVMValueRef set;

		if (!(digit & bit))
			continue;
		set = LLVMBuildICmp(l->b, LLVMIntNE, LLVMBuildAnd(l->b, flip,
			block_number(l, bit), ""), block_number(l, 0), "flips");
		sum = block_add(l, sum, LLVMBuildSelect(l->b, set, block_number(l, -bit),
			block_number(l, bit), ""), step);
	}
	return sum;
}

LLVMValueRef block_offset(const struct block_lowering *l, unsigned side,
	LLVMValueRef first, int64_t n)
{
	const struct plan_block *block = l->block;
	LLVMValueRef sum = first;

	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[side][i];
		int64_t radix = block->pieces[at].digit.radix;
		LLVMValueRef flip = flip_of(l, side, at);

		if (n % radix && flip)
			sum = flipped_offset(l, sum, n % radix, flip, step_of(l, side, at));
		else if (n % radix)
			sum = block_add(l, sum, block_number(l, n % radix),
				step_of(l, side, at));
		n /= radix;
	}
	return sum;
}

/* An offset of the block on a side -> that of its first element. */
static LLVMValueRef add_flips(const struct block_lowering *l, unsigned side,
	LLVMValueRef first)
{
	for (unsigned i = 0; i < l->block->piece_count; i++)
		if (flip_of(l, side, i))
			first = block_add(l, first, l->flip[i], step_of(l, side, i));
	return first;
}

LLVMValueRef block_first(const struct block_lowering *l, unsigned side)
{
	return add_flips(l, side, side == FACTOR_LOAD ? l->load_first : block_chunk_offset(l));
}

LLVMValueRef block_fetched(const struct block_lowering *l)
{
	return LLVMBuildNSWAdd(l->b, add_flips(l, FACTOR_LOAD, l->offset[FACTOR_LOAD]),
		block_number(l, l->block->vector[FACTOR_LOAD] * block_bytes(l, FACTOR_LOAD) -
			l->block->packed), "fetched");
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

/* The digits of number "n" in the order of a side; and the number. */
static void split_number(const struct plan_block *block, unsigned side, int64_t n,
	int64_t *digit)
{
	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[side][i];

		digit[at] = n % block->pieces[at].digit.radix;
		n /= block->pieces[at].digit.radix;
	}
}

static unsigned join_number(const struct plan_block *block, unsigned side,
	const int64_t *digit)
{
	int64_t place = 1, sum = 0;

	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[side][i];

		sum += place * digit[at];
		place *= block->pieces[at].digit.radix;
	}
	return (unsigned)sum;
}

/* The orders between a block's elements as the destination stores them, by their own digits on
 * either side, and as the source does. */
struct orders {
	unsigned after[TURN_ELEMENTS], order[TURN_ELEMENTS], before[TURN_ELEMENTS];
};

static void find_orders(const struct plan_block *block, struct orders *orders)
{
	int64_t digit[BLOCK_PIECES] = { 0 }, own[BLOCK_PIECES];

	for (int64_t q = 0; q < block->elements; q++) {
		split_number(block, FACTOR_STORE, q, digit);
		orders->order[q] = join_number(block, FACTOR_LOAD, digit);
		own_digits(block, FACTOR_STORE, digit);
		orders->after[q] = join_number(block, FACTOR_STORE, digit);
		split_number(block, FACTOR_LOAD, q, digit);
		memcpy(own, digit, sizeof(own));
		add_xors(block, FACTOR_LOAD, own, digit);
		orders->before[q] = join_number(block, FACTOR_LOAD, digit);
	}
}

static LLVMTypeRef vector_type(const struct block_lowering *l, unsigned side)
{
	LLVMTypeRef element = LLVMIntTypeInContext(LLVMGetBuilderContext(l->b),
		8 * block_bytes(l, side));

	return LLVMVectorType(element, (unsigned)l->block->vector[side]);
}

/* The same in memory. */
static LLVMTypeRef memory_type(const struct block_lowering *l, unsigned side)
{
	LLVMTypeRef type = vector_type(l, side);

	return LLVMVectorType(LLVMGetElementType(type),
		(unsigned)(l->block->vector[side] / l->block->packed));
}

static unsigned store_bytes(const struct block_lowering *l)
{
	return (unsigned)(l->block->vector[FACTOR_STORE] / l->block->packed) *
		block_bytes(l, FACTOR_STORE);
}

LLVMValueRef block_load(const struct block_lowering *l, LLVMValueRef offset)
{
	LLVMValueRef value;

	if (l->some)
		return block_load_some(l, offset, l->some);
	if (l->shifts)
		return block_unpack(l, block_load_shifted(l, offset,
			memory_type(l, FACTOR_LOAD)));
	value = LLVMBuildLoad2(l->b, memory_type(l, FACTOR_LOAD),
		block_byte(l, l->load_base, offset), "vector");
	LLVMSetAlignment(value, alignment(l, FACTOR_LOAD));
	if (l->block->packed > 1)
		return block_unpack(l, value);
	return convert_value(l->b, &l->part.kernel->plan->conversion, value);
}

uint64_t block_pad_bits(const struct block_lowering *l)
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
		list[i] = LLVMConstInt(LLVMGetElementType(type), block_pad_bits(l), false);
	return LLVMConstVector(list, (unsigned)l->block->vector[FACTOR_LOAD]);
}

void block_store(const struct block_lowering *l, LLVMValueRef value, LLVMValueRef offset,
	bool streams)
{
	LLVMValueRef to = block_byte(l, l->store_base, offset);

	if (l->block->packed > 1)
		value = block_pack(l, value);
	if (l->shifts)
		block_store_shifted(l, value, offset);
	else if (streams)
		stream_store(l->b, value, to, store_bytes(l));
	else
		LLVMSetAlignment(LLVMBuildStore(l->b, value, to),
			alignment(l, FACTOR_STORE));
}

static void load_vectors(const struct block_lowering *l, LLVMValueRef *values)
{
	int64_t vector = l->block->vector[FACTOR_LOAD];
	LLVMValueRef first = block_first(l, FACTOR_LOAD);

	for (int64_t n = 0; n < l->block->elements; n += vector)
		values[n / vector] = block_load(l, block_offset(l, FACTOR_LOAD, first, n));
}

static void store_vectors(const struct block_lowering *l, const LLVMValueRef *values,
	bool streams)
{
	int64_t vector = l->block->vector[FACTOR_STORE];
	LLVMValueRef first = block_first(l, FACTOR_STORE);

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
enum { AHEAD_BYTES = 8192 };

/* The turns of a loop that make up what is fetched ahead, at most all of them; those of a
 * loop around it where its own are less. */
static int64_t turns_ahead(const struct block_lowering *l, unsigned *loop)
{
	int64_t bytes = l->block->elements * block_bytes(l, FACTOR_LOAD), ahead = 1;
	const struct block_loop *loops = l->block->loops;

	*loop = l->block->loop_count - 1;
	while (*loop > l->block->outer_count && bytes * loops[*loop].piece.digit.radix <= AHEAD_BYTES)
		bytes *= loops[(*loop)--].piece.digit.radix;
	while (ahead * bytes < AHEAD_BYTES && (!loops[*loop].piece.digit.radix ||
	       2 * ahead <= loops[*loop].piece.digit.radix))
		ahead *= 2;
	return ahead;
}

/* From where loop "loop" and those around it are to so many turns of it later: an offset in the
 * source. */
static LLVMValueRef turns_later(const struct block_lowering *l, unsigned loop, int64_t ahead)
{
	unsigned least = l->block->outer_count ? l->block->outer_count - 1 : 0;
	LLVMValueRef sum = block_number(l, 0), carry = NULL;

	for (unsigned i = loop + 1; i-- > least;) {
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

LLVMValueRef block_ahead(const struct block_lowering *l)
{
	unsigned loop;
	int64_t ahead = turns_ahead(l, &loop);

	return turns_later(l, loop, ahead);
}

LLVMValueRef block_chunk_ahead(const struct block_lowering *l)
{
	return turns_later(l, l->block->chunk_loop - 1, 1);
}

static void prefetch_vectors(const struct block_lowering *l)
{
	int64_t vector = l->block->vector[FACTOR_LOAD];
	LLVMValueRef first = LLVMBuildNSWAdd(l->b, block_fetched(l), block_ahead(l), "ahead");

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
	struct orders orders;
	struct turn turn = { l->b, (unsigned)l->block->elements,
		block_bytes(l, FACTOR_STORE), (unsigned)l->block->vector[FACTOR_LOAD],
		(unsigned)l->block->vector[FACTOR_STORE], { 0 }, orders.before, orders.order,
		orders.after };

	find_orders(l->block, &orders);
	for (unsigned q = 0; q < turn.elements; q++)
		turn.from[q] = orders.before[orders.order[orders.after[q]]];
	if (!block_move_passes(l, &turn))
		turn_vectors(l, &turn);
}

/* What a piece's digit is on a side. */
static LLVMValueRef stored_digit(const struct block_lowering *l, unsigned side,
	unsigned piece, const LLVMValueRef *digit)
{
	LLVMValueRef stored = digit[piece];

	if (flip_of(l, side, piece))
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
			offset[side] = block_add(l, offset[side], stored_digit(l, side, i,
				digit), l->step[i][side]);
}

LLVMValueRef block_is_below(const struct block_lowering *l, const LLVMValueRef *index,
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

	block_place(l, loop.counter, index, offset);
	exists = branch_open(&l->part, block_is_below(l, index, false), "exists");
	inside = branch_open(&l->part, block_is_below(l, index, true), "inside");
	value = load_element(l, offset[FACTOR_LOAD]);
	pad = LLVMConstInt(LLVMTypeOf(value), block_pad_bits(l), false);
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
	return block_is_below(l, index, source);
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
	struct turns choice = block_choose(l, LLVMBuildOr(l->b, whole, filled, "vectors")), part;

	move_vectors(l);
	block_otherwise(l, &choice);
	if (some) {
		part = block_choose(l, edge);
		l->some = some;
		move_vectors(l);
		l->some = NULL;
		block_otherwise(l, &part);
	}
	(l->block->packed > 1 ? block_move_bytes : move_elements)(l, index);
	if (some)
		block_choice_close(l, &part);
	block_choice_close(l, &choice);
}

/* A block at "start"; "index" has room for one. */
static void move_block(struct block_lowering *l, LLVMValueRef *index)
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
		move_vectors(l);
		branch_close(&l->part, &exists);
		return;
	}
	whole = is_whole(l, index, true);
	edge = LLVMBuildAnd(l->b, LLVMBuildNot(l->b, whole, ""), is_whole(l, index, false),
		"edge");
	move_whole(l, whole, edge, index);
	branch_close(&l->part, &exists);
}

static void enter_turn(struct block_lowering *l, unsigned i, LLVMValueRef counter)
{
	const struct block_piece *piece = &l->block->loops[i].piece;
	struct dim *dim = &l->dims[piece->digit.dim];

	l->counter[i] = counter;
	dim->start = block_add(l, dim->start, counter, block_number(l, piece->digit.step));
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
	return LLVMBuildICmp(l->b, LLVMIntEQ, LLVMBuildAnd(l->b, steps, block_number(l,
		l->block->packed * STREAM_LINE - 1), ""), block_number(l, 0), "whole");
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
		plan->visit.store.elements, FACTOR_STORE), block_number(l, block->unit *
		block->packed), ""));
	l->streams = LLVMBuildAnd(l->b, l->large, is_whole_lines(l), "streams");
	if (l->shifts)
		return;
	block_chunk_enter(l);
	block_edge_enter(l);
}

/* Turns of loop i from where the loops around it are: those that begin in the destination. */
static LLVMValueRef count_turns(const struct block_lowering *l, unsigned i)
{
	const struct block_piece *piece = &l->block->loops[i].piece;
	const struct dim *dim = &l->dims[piece->digit.dim];
	LLVMValueRef rest = LLVMBuildNSWSub(l->b, dim->end, dim->start, "rest"), turns;

	rest = LLVMBuildNSWAdd(l->b, rest, block_number(l, piece->digit.step - 1), "");
	turns = LLVMBuildSDiv(l->b, rest, block_number(l, piece->digit.step), "turns");
	return LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, turns,
		l->loop_count[i], ""), turns, l->loop_count[i], "count");
}

/* Blocks of so few vectors that the turns of the innermost loop have a part of their own, in which
 * all blocks are whole and none is looked at. */
enum { FEW_VECTORS = 4 };

static bool has_few(const struct block_lowering *l)
{
	const struct plan_block *block = l->block;

	return !block->row && !l->shifts && !block->flip_count &&
		block->chunk_loop < block->loop_count &&
		block->elements <= FEW_VECTORS * block->vector[FACTOR_LOAD];
}

/* The first turns of the innermost loop that have blocks which are whole. */
static LLVMValueRef count_whole(const struct block_lowering *l, unsigned i)
{
	const struct block_piece *piece = &l->block->loops[i].piece;
	LLVMValueRef none = block_number(l, 0), count = none, rest = none;

	for (unsigned d = 0; d < l->block->dim_count; d++) {
		LLVMValueRef room = LLVMBuildNSWSub(l->b, LLVMBuildNSWSub(l->b,
			l->dims[d].high, l->dims[d].start, ""), block_number(l,
			l->block->dims[d].reach), "room");

		if (d == piece->digit.dim)
			count = LLVMBuildNSWAdd(l->b, LLVMBuildSDiv(l->b, room, block_number(l,
				piece->digit.step), ""), block_number(l, 1), "count");
		rest = LLVMBuildOr(l->b, rest, room, "least");
	}
	count = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, rest, none, ""), none,
		count, "");
	return LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, count, l->loop_count[i],
		""), count, l->loop_count[i], "whole");
}

/* These turns; "index" has room for one. */
static void move_few(struct block_lowering *l, unsigned i, LLVMValueRef end,
	LLVMValueRef *index)
{
	struct dim *dim = &l->dims[l->block->loops[i].piece.digit.dim];
	LLVMValueRef start = dim->start, offset[] = { l->offset[0], l->offset[1] };
	struct turns loop = block_loop_open(l, block_number(l, 0), end);

	enter_turn(l, i, loop.counter);
	for (unsigned d = 0; d < l->block->dim_count; d++)
		if (l->dims[d].pitch[0])
			move(l, l->offset, l->dims[d].start, l->dims[d].pitch);
	block_edge_fill(l, LLVMConstNull(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b))),
		index);
	move_vectors(l);
	block_loop_close(l, &loop);
	dim->start = start;
	memcpy(l->offset, offset, sizeof(offset));
}

/* The loops from "first" on, and what is in them. */
static void fill_loops(struct block_lowering *l, unsigned first, LLVMValueRef *index)
{
	struct turns loops[BLOCK_LOOPS];

	for (unsigned i = first; i < l->block->loop_count; i++) {
		LLVMValueRef begin = block_number(l, 0);

		if (i == l->block->chunk_loop)
			block_chunk_open(l);
		l->loop_count[i] = count_turns(l, i);
		if (i + 1 == l->block->loop_count && has_few(l)) {
			begin = count_whole(l, i);
			move_few(l, i, begin, index);
		}
		loops[i] = block_loop_open(l, begin, l->loop_count[i]);
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

/* Elements in the destination. */
static LLVMValueRef count_all(const struct block_lowering *l)
{
	return expression_lower(&l->part.scope, l->part.kernel->plan->visit.store.elements);
}

/* Are there blocks, and all whole? */
static LLVMValueRef is_all_whole(const struct block_lowering *l)
{
	LLVMValueRef all = LLVMBuildICmp(l->b, LLVMIntSGT, count_all(l), block_number(l, 0), "");

	for (unsigned d = 0; d < l->block->dim_count; d++) {
		const struct dim *dim = &l->dims[d];

		all = LLVMBuildAnd(l->b, all, LLVMBuildAnd(l->b, LLVMBuildICmp(l->b, LLVMIntSGE,
			dim->end, block_number(l, l->block->dims[d].reach), ""), LLVMBuildICmp(
			l->b, LLVMIntSGE, dim->high, dim->end, ""), ""), "whole");
	}
	return all;
}

static void call_all(const struct block_lowering *l, LLVMValueRef function)
{
	LLVMBuildCall2(l->b, LLVMGlobalGetValueType(function), function, l->arguments,
		plan_arguments(l->part.kernel->plan), "");
}

/* Sizes for which blocks begin within bytes: the first turn is all of it, element by element
 * where blocks are not whole. */
static void choose_points(struct block_lowering *l)
{
	LLVMBasicBlockRef blocks = iteration_block(&l->part, "blocks");
	LLVMBasicBlockRef points = iteration_block(&l->part, "points");
	LLVMBasicBlockRef all = iteration_block(&l->part, "all"), done;

	done = iteration_block(&l->part, "done");
	LLVMBuildCondBr(l->b, expression_lower_condition(&l->part.scope, l->block->whole),
		blocks, points);
	LLVMPositionBuilderAtEnd(l->b, points);
	LLVMBuildCondBr(l->b, LLVMBuildAnd(l->b, LLVMBuildICmp(l->b, LLVMIntEQ, l->first,
		block_number(l, 0), ""), LLVMBuildICmp(l->b, LLVMIntSLT, l->first, l->last, ""),
		""), all, done);
	LLVMPositionBuilderAtEnd(l->b, all);
	LLVMGetParams(l->part.function, l->arguments);
	if (l->shifted) {
		struct turns choice = block_choose(l, is_all_whole(l));

		call_all(l, l->shifted);
		block_otherwise(l, &choice);
		call_all(l, l->points);
		block_choice_close(l, &choice);
	} else {
		call_all(l, l->points);
	}
	LLVMBuildBr(l->b, done);
	LLVMPositionBuilderAtEnd(l->b, done);
	LLVMBuildRetVoid(l->b);
	LLVMPositionBuilderAtEnd(l->b, blocks);
}

/* The body of NAME.part. */
static void fill_part(struct block_lowering *l, LLVMValueRef *index)
{
	const struct index *counts[SHARED_LOOPS];
	unsigned shared = shared_counts(l->part.kernel, counts);
	struct turns turns;

	LLVMPositionBuilderAtEnd(l->b, iteration_block(&l->part, "entry"));
	enter(l);
	if (l->points)
		choose_points(l);
	open_shared(l, shared, &turns);
	fill_loops(l, shared, index);
	block_loop_close(l, &turns);
	stream_end(l->b);
	LLVMBuildRetVoid(l->b);
}

/* A function of NAME's type. */
static LLVMValueRef add_function(const struct iteration *whole, const char *name)
{
	LLVMValueRef function = LLVMAddFunction(LLVMGetGlobalParent(whole->function), name,
		LLVMGlobalGetValueType(whole->function));

	LLVMSetLinkage(function, LLVMInternalLinkage);
	whole->kernel->hooks->prologue(whole->kernel, function);
	return function;
}

/* The scope of a function that the kernel's sizes are parameters of. */
static void enter_function(struct block_lowering *l, LLVMValueRef function, LLVMValueRef *args)
{
	const struct plan *plan = l->part.kernel->plan;

	l->part.function = function;
	l->part.scope = (struct expression_scope){ .builder = l->b, .vars = args };
	for (unsigned i = 0; i < plan->size_count; i++)
		args[i] = LLVMGetParam(function, plan->operand_count + i);
}

/* Bits behind the last element are 0, and there is one. */
static void clear_last(const struct block_lowering *l)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef last = LLVMBuildNSWSub(l->b, count_all(l), block_number(l, 1), "last");

	LLVMSetAlignment(LLVMBuildStore(l->b, LLVMConstNull(byte), block_byte(l,
		l->base[FACTOR_STORE], last)), 1);
}

/* The body of a function that moves all blocks, wherever in bytes they begin. */
static void fill_shifted(struct block_lowering *l, LLVMValueRef *index)
{
	const struct index *counts[SHARED_LOOPS];
	unsigned shared = shared_counts(l->part.kernel, counts);
	struct turns turns;

	LLVMPositionBuilderAtEnd(l->b, iteration_block(&l->part, "entry"));
	l->spare = LLVMBuildAlloca(l->b, LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b)),
		"spare");
	LLVMBuildStore(l->b, LLVMConstNull(LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b))),
		l->spare);
	enter(l);
	clear_last(l);
	l->first = block_number(l, 0);
	l->last = block_number(l, 1);
	for (unsigned i = 0; i < shared; i++)
		l->last = LLVMBuildNSWMul(l->b, l->last, l->loop_count[i], "turns");
	open_shared(l, shared, &turns);
	fill_loops(l, shared, index);
	block_loop_close(l, &turns);
	LLVMBuildRetVoid(l->b);
}

/* What is called where blocks begin within bytes. */
static bool add_others(layout_context *ctx, const struct iteration *whole,
	struct block_lowering *l, LLVMValueRef *args, LLVMValueRef *index)
{
	l->points = add_function(whole, "points");
	if (!pointwise_define(ctx, whole->kernel, l->points, l->b))
		return false;
	if (!l->block->shifts)
		return true;
	l->shifts = true;
	l->shifted = add_function(whole, "shifted");
	enter_function(l, l->shifted, args);
	fill_shifted(l, index);
	l->shifts = false;
	return true;
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
	l.arguments = layout_alloc(ctx, count + 2, sizeof(*l.arguments));
	ok = args && index && params && l.dims && l.arguments;
	l.i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(l.b));
	if (ok && l.block->whole)
		ok = add_others(ctx, whole, &l, args, index);
	if (ok) {
		enter_function(&l, shared_declare(kernel, whole->function, params), args);
		LLVMSetLinkage(l.part.function, LLVMInternalLinkage);
		l.first = LLVMGetParam(l.part.function, count);
		l.last = LLVMGetParam(l.part.function, count + 1);
		fill_part(&l, index);
		LLVMPositionBuilderAtEnd(l.b, LLVMGetEntryBasicBlock(whole->function));
		shared_call(kernel, &whole->scope, whole->function, l.part.function, args);
	}
	free(l.arguments);
	free(l.dims);
	free(params);
	free(index);
	free(args);
	return ok;
}

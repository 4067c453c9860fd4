/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/block/parts.h"
#include "lower/branch.h"
#include "lower/convert.h"
#include "lower/stream.h"

#include <string.h>

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

LLVMTypeRef block_vector_type(const struct block_lowering *l, unsigned side)
{
	LLVMTypeRef element = LLVMIntTypeInContext(LLVMGetBuilderContext(l->b),
		8 * block_bytes(l, side));

	return LLVMVectorType(element, (unsigned)l->block->vector[side]);
}

/* The same in memory. */
static LLVMTypeRef memory_type(const struct block_lowering *l, unsigned side)
{
	LLVMTypeRef type = block_vector_type(l, side);

	return LLVMVectorType(LLVMGetElementType(type),
		(unsigned)(l->block->vector[side] / l->block->packed));
}

unsigned block_store_bytes(const struct block_lowering *l)
{
	return (unsigned)(l->block->vector[FACTOR_STORE] / l->block->packed) *
		block_bytes(l, FACTOR_STORE);
}

LLVMValueRef block_load(const struct block_lowering *l, LLVMValueRef offset)
{
	LLVMValueRef value;

	if (l->some)
		return block_load_some(l, offset, block_number(l, 0), l->some);
	if (l->shifts)
		return block_unpack(l, block_load_shifted(l, offset,
			memory_type(l, FACTOR_LOAD)));
	value = LLVMBuildLoad2(l->b, memory_type(l, FACTOR_LOAD),
		block_byte(l, l->load_base, offset), "vector");
	LLVMSetAlignment(value, block_alignment(l, FACTOR_LOAD));
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
	LLVMTypeRef type = block_vector_type(l, FACTOR_LOAD);
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
		stream_store(l->b, value, to, block_store_bytes(l));
	else
		LLVMSetAlignment(LLVMBuildStore(l->b, value, to),
			block_alignment(l, FACTOR_STORE));
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

LLVMValueRef block_streams(const struct block_lowering *l)
{
	LLVMValueRef at = LLVMBuildPtrToInt(l->b, block_address(l, FACTOR_STORE,
		l->offset[FACTOR_STORE]), l->i64, "");
	LLVMValueRef streams = LLVMBuildAnd(l->b, l->streams, LLVMBuildICmp(l->b, LLVMIntEQ,
		LLVMBuildAnd(l->b, at, block_number(l, block_store_bytes(l) - 1), ""),
		block_number(l, 0), ""), "stream");

	return l->stage ? LLVMBuildAnd(l->b, streams, LLVMBuildNot(l->b, l->staged, ""), "stream") :
		streams;
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
	struct block_turns choice;
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

/* The turn of a block between its vectors on both sides. */
static void find_turn(const struct block_lowering *l, struct orders *orders, struct turn *turn)
{
	*turn = (struct turn){ l->b, (unsigned)l->block->elements, block_bytes(l, FACTOR_STORE),
		(unsigned)l->block->vector[FACTOR_LOAD], (unsigned)l->block->vector[FACTOR_STORE],
		{ 0 }, orders->before, orders->order, orders->after };
	find_orders(l->block, orders);
	for (unsigned q = 0; q < turn->elements; q++)
		turn->from[q] = orders->before[orders->order[orders->after[q]]];
}

void block_move_vectors(const struct block_lowering *l)
{
	struct orders orders;
	struct turn turn;

	find_turn(l, &orders, &turn);
	if (!block_move_passes(l, &turn))
		turn_vectors(l, &turn);
}

void block_move_part(const struct block_lowering *l)
{
	LLVMValueRef values[TURN_ELEMENTS];
	struct orders orders;
	struct turn turn;

	find_turn(l, &orders, &turn);
	load_vectors(l, values);
	turn_lower(&turn, values);
	store_vectors(l, values, false);
}

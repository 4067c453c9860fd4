/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where all radices are powers of two, the order is a permutation of the bits of an
 * element's number: the low ones say which lane of a vector has it, the others which
 * vector.  A bit that the result has in a lane changes places with one that it has not, by
 * two shuffles of two vectors for every pair of them:
 *
 *	a0 a1 a2 a3	a0 b0 a1 b1
 *	b0 b1 b2 b3	a2 b2 a3 b3
 *
 * Within 16 bytes bits move up as the new one comes in, as above: these are the
 * interleavings that every processor has. */
#include "lower/block/turn.h"
#include "isl_bridge/arithmetic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BITS = TURN_BITS, LANES = TURN_LANES, GROUP_BITS = 4 };

#define ANY UINT32_MAX

/* place[i] is the bit of the given order that bit i of a value's place holds; the first
 * "lanes" of them are within a vector. */
struct state {
	const struct turn *turn;
	LLVMValueRef *values;
	unsigned bits, lanes;
	unsigned place[BITS];
	unsigned wanted[BITS];		/* what they hold in the end */
	unsigned count;
	struct turn_exchange list[BITS];	/* that are yet to be made */
};

/* The lanes of two vectors, or ANY. */
static LLVMValueRef shuffle(const struct turn *turn, LLVMValueRef a, LLVMValueRef b,
	const unsigned *lane, unsigned count)
{
	LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetBuilderContext(turn->builder));
	LLVMValueRef mask[LANES];

	for (unsigned i = 0; i < count; i++)
		mask[i] = lane[i] == ANY ? LLVMGetPoison(type) :
			LLVMConstInt(type, lane[i], false);
	return LLVMBuildShuffleVector(turn->builder, a, b, LLVMConstVector(mask, count),
		"turned");
}

/* The lane of a pair of vectors, the second one's from "width" on, that lane "l" of the
 * result has where a bit of the vectors' numbers comes in at "low", those up to "high" move
 * up and the last of them leaves, being "half". */
static unsigned lane_up(unsigned l, unsigned width, unsigned low, unsigned high,
	unsigned half)
{
	unsigned below = l & ((1u << low) - 1), above = l & ~((2u << high) - 1);
	unsigned moved = (l >> (low + 1)) & ((1u << (high - low)) - 1);

	return (l >> low & 1) * width + (below | moved << low | half << high | above);
}

/* The same where it comes in at "high", those from there to "low" move down and the last of
 * them leaves. */
static unsigned lane_down(unsigned l, unsigned width, unsigned low, unsigned high,
	unsigned half)
{
	unsigned below = l & ((1u << low) - 1), above = l & ~((2u << high) - 1);
	unsigned moved = (l >> low) & ((1u << (high - low)) - 1);

	return (l >> high & 1) * width + (below | half << low | moved << (low + 1) | above);
}

static void apply(const struct turn *turn, LLVMValueRef *values, unsigned width,
	const struct turn_exchange *exchange, unsigned i)
{
	LLVMValueRef a = values[i], b = values[i | exchange->bit];

	values[i] = shuffle(turn, a, b, exchange->lane[0], width);
	values[i | exchange->bit] = shuffle(turn, a, b, exchange->lane[1], width);
}

/* Those of the vectors that exchange with each other, and then others: registers hold no
 * more at a time. */
static void apply_group(const struct state *state, const struct turn_exchange *list,
	unsigned count, unsigned bits)
{
	unsigned width = 1u << state->lanes, vectors = state->turn->elements / width;

	for (unsigned group = 0; group < vectors; group++) {
		if (group & bits)
			continue;
		for (unsigned k = 0; k < count; k++)
			for (unsigned i = 0; i < vectors; i++)
				if ((i & ~bits) == group && !(i & list[k].bit))
					apply(state->turn, state->values, width, &list[k], i);
	}
}

/* The next ones of the list, from "first" on, whose vectors registers can hold: where they
 * end, and the bits. */
static unsigned find_pass(const struct state *state, unsigned first, unsigned *bits)
{
	unsigned end = first;

	*bits = 0;
	for (; end < state->count && __builtin_popcount(*bits | state->list[end].bit) <=
	     GROUP_BITS; end++)
		*bits |= state->list[end].bit;
	return end;
}

static void apply_all(struct state *state)
{
	unsigned first = 0, end, bits;

	while (first < state->count) {
		end = find_pass(state, first, &bits);
		apply_group(state, state->list + first, end - first, bits);
		first = end;
	}
}

/* Where a bit of the vectors' numbers comes in at one end of some lanes' bits, and that at
 * the other end leaves. */
static void exchange(struct state *state, unsigned slot, unsigned low, unsigned high,
	bool up)
{
	struct turn_exchange *step = &state->list[state->count++];
	unsigned width = 1u << state->lanes, out = state->place[up ? high : low];

	step->bit = 1u << (slot - state->lanes);
	for (unsigned half = 0; half < 2; half++)
		for (unsigned l = 0; l < width; l++)
			step->lane[half][l] = (up ? lane_up : lane_down)(l, width, low,
				high, half);
	for (unsigned i = high; up && i > low; i--)
		state->place[i] = state->place[i - 1];
	for (unsigned i = low; !up && i < high; i++)
		state->place[i] = state->place[i + 1];
	state->place[up ? low : high] = state->place[slot];
	state->place[slot] = out;
}

static unsigned find(const unsigned *list, unsigned count, unsigned bit)
{
	unsigned i = 0;

	while (i < count && list[i] != bit)
		i++;
	return i;
}

static bool stays(const struct state *state, unsigned lane, unsigned lanes)
{
	return find(state->wanted, lanes, state->place[lane]) < lanes;
}

/* Bring wanted bit "to" in where it pushes out one that is not: up to the end of 16 bytes,
 * or in the place of a single one. */
static void place_bit(struct state *state, unsigned to, unsigned lanes)
{
	unsigned slot = find(state->place, state->bits, state->wanted[to]), at = to;
	unsigned top = (unsigned)int_log2(16 / state->turn->bytes);
	bool moves;

	if (slot < state->lanes)
		return;
	top = top < state->lanes ? top : state->lanes;
	moves = to < top;
	for (unsigned i = to; i < top; i++)
		moves = moves && !stays(state, i, lanes);
	for (unsigned i = 0; stays(state, at, lanes); i++)
		at = i;
	exchange(state, slot, at, moves ? top - 1 : at, true);
}

/* All wanted ones.  Where none of them is beyond 16 bytes, those that are to be come in at
 * the end: whole 16 bytes of one vector, then of the other. */
static void place_bits(struct state *state, unsigned lanes)
{
	unsigned top = (unsigned)int_log2(16 / state->turn->bytes), i;
	bool moves = lanes == state->lanes;

	for (i = 0; i < lanes && i < top; i++)
		place_bit(state, i, lanes);
	for (unsigned k = i; k < lanes; k++)
		moves = moves && !stays(state, k, lanes);
	for (unsigned low = i; i < lanes; i++)
		if (moves)
			exchange(state, find(state->place, state->bits, state->wanted[i]),
				low, lanes - 1, false);
		else
			place_bit(state, i, lanes);
}

/* Pairs of vectors become one: the bits that tell them apart are the nearest wanted ones. */
static void widen(struct state *state, unsigned lanes)
{
	while (state->lanes < lanes) {
		unsigned width = 1u << state->lanes, lane[LANES], slot = state->lanes, bit;
		LLVMValueRef joined[TURN_ELEMENTS];
		unsigned count = state->turn->elements / width, n = 0;

		for (unsigned i = state->bits; i-- > state->lanes;)
			if (stays(state, i, lanes))
				slot = i;
		bit = 1u << (slot - state->lanes);
		for (unsigned l = 0; l < 2 * width; l++)
			lane[l] = l;
		for (unsigned i = 0; i < count; i++)
			if (!(i & bit))
				joined[n++] = shuffle(state->turn, state->values[i],
					state->values[i | bit], lane, 2 * width);
		for (unsigned i = 0; i < n; i++)
			state->values[i] = joined[i];
		bit = state->place[slot];
		for (unsigned i = slot; i > state->lanes; i--)
			state->place[i] = state->place[i - 1];
		state->place[state->lanes++] = bit;
	}
}

/* The bits of the lanes as they are to be: the wanted ones, then the others. */
static void list_lanes(const struct state *state, unsigned lanes, unsigned *bits)
{
	unsigned count = lanes;

	for (unsigned i = 0; i < lanes; i++)
		bits[i] = state->wanted[i];
	for (unsigned i = 0; i < state->lanes; i++)
		if (!stays(state, i, lanes))
			bits[count++] = state->place[i];
}

/* The lanes of every vector in the wanted order. */
static void order_lanes(struct state *state, unsigned lanes)
{
	unsigned width = 1u << state->lanes, lane[LANES], bits[BITS];
	bool same = true;

	list_lanes(state, lanes, bits);
	for (unsigned i = 0; i < state->lanes; i++)
		same = same && bits[i] == state->place[i];
	if (same)
		return;
	for (unsigned l = 0; l < width; l++) {
		lane[l] = 0;
		for (unsigned i = 0; i < state->lanes; i++)
			lane[l] |= (l >> i & 1) << find(state->place, state->lanes, bits[i]);
	}
	for (unsigned i = 0; i < state->turn->elements / width; i++)
		state->values[i] = shuffle(state->turn, state->values[i],
			LLVMGetPoison(LLVMTypeOf(state->values[i])), lane, width);
	for (unsigned i = 0; i < state->lanes; i++)
		state->place[i] = bits[i];
}

/* The vectors of the result, parts of those that there are, in their order. */
static void take_parts(struct state *state, unsigned lanes)
{
	const struct turn *turn = state->turn;
	LLVMValueRef result[TURN_ELEMENTS];
	unsigned count = turn->elements >> lanes;

	for (unsigned v = 0; v < count; v++) {
		unsigned place = 0, lane[LANES], width = 1u << state->lanes;

		for (unsigned i = lanes; i < state->bits; i++)
			if ((v << lanes) >> i & 1)
				place |= 1u << find(state->place, state->bits,
					state->wanted[i]);
		for (unsigned l = 0; l < 1u << lanes; l++)
			lane[l] = (place & (width - 1)) | l;
		result[v] = state->values[place >> state->lanes];
		if (lanes < state->lanes)
			result[v] = shuffle(turn, result[v],
				LLVMGetPoison(LLVMTypeOf(result[v])), lane, 1u << lanes);
	}
	for (unsigned v = 0; v < count; v++)
		state->values[v] = result[v];
}

/* Is the order one of the bits of the numbers? */
static bool permutes_bits(const struct turn *turn)
{
	if (!int_is_power2(turn->elements))
		return false;
	for (unsigned q = 0; q < turn->elements; q++) {
		unsigned sum = 0;

		for (unsigned bit = 1; bit < turn->elements; bit *= 2)
			sum |= q & bit ? turn->from[bit] : 0;
		if (sum != turn->from[q] || (q && !(q & (q - 1)) &&
		    !int_is_power2(turn->from[q])))
			return false;
	}
	return true;
}

static struct state state_of(const struct turn *turn, LLVMValueRef *values)
{
	struct state state = { turn, values, (unsigned)int_log2(turn->elements),
		(unsigned)int_log2(turn->given), { 0 }, { 0 }, 0, { { 0 } } };

	for (unsigned i = 0; i < state.bits; i++) {
		state.place[i] = i;
		state.wanted[i] = (unsigned)int_log2(turn->from[1u << i]);
	}
	return state;
}

static void turn_bits(const struct turn *turn, LLVMValueRef *values)
{
	unsigned lanes = (unsigned)int_log2(turn->wanted);
	struct state state = state_of(turn, values);

	widen(&state, lanes);
	place_bits(&state, lanes);
	apply_all(&state);
	order_lanes(&state, lanes);
	take_parts(&state, lanes);
}

/* The same and further bits: as many vectors as registers hold, so that what is done once for
 * all of them costs less. */
static unsigned fill_pass(const struct state *state, unsigned bits)
{
	for (unsigned i = 0; i < state->bits - state->lanes &&
	     __builtin_popcount(bits) < GROUP_BITS; i++)
		bits |= 1u << i;
	return bits;
}

bool turn_in_passes(const struct turn *turn, struct turn_pass pass[TURN_PASSES],
	unsigned *to)
{
	unsigned first = 0;
	struct state state;

	if (!permutes_bits(turn) || turn->given != turn->wanted ||
	    turn->elements / turn->given <= 2u << GROUP_BITS)
		return false;
	state = state_of(turn, NULL);
	place_bits(&state, state.lanes);
	for (unsigned i = 0; i < state.lanes; i++)
		if (state.place[i] != state.wanted[i])
			return false;
	for (unsigned i = state.lanes; i < state.bits; i++)
		to[i - state.lanes] = find(state.wanted, state.bits, state.place[i]) -
			state.lanes;
	for (unsigned k = 0; k < TURN_PASSES; k++) {
		unsigned end = find_pass(&state, first, &pass[k].bits);

		pass[k].bits = fill_pass(&state, pass[k].bits);
		pass[k].count = end - first;
		for (unsigned i = first; i < end; i++)
			pass[k].list[i - first] = state.list[i];
		first = end;
	}
	return first == state.count;
}

void turn_pass_lower(const struct turn *turn, const struct turn_pass *pass,
	LLVMValueRef *values)
{
	for (unsigned k = 0; k < pass->count; k++)
		for (unsigned i = 0; i <= pass->bits; i++)
			if (!(i & ~pass->bits) && !(i & pass->list[k].bit))
				apply(turn, values, turn->given, &pass->list[k], i);
}

/* The elements of vector "v" of the result that vector "u" has, into "to", which has
 * those of the vectors before it. */
static LLVMValueRef take_from(const struct turn *turn, LLVMValueRef to,
	LLVMValueRef value, unsigned v, unsigned u)
{
	unsigned pick[LANES], merge[LANES], found = 0;

	for (unsigned l = 0; l < turn->wanted; l++) {
		unsigned from = turn->from[v * turn->wanted + l];
		bool mine = from / turn->given == u;

		pick[l] = mine ? from % turn->given : ANY;
		merge[l] = mine ? turn->wanted + l : from / turn->given < u ? l : ANY;
		found += mine;
	}
	if (!found)
		return to;
	value = shuffle(turn, value, LLVMGetPoison(LLVMTypeOf(value)), pick, turn->wanted);
	return to ? shuffle(turn, to, value, merge, turn->wanted) : value;
}

/* Each vector of the result is put together from all that have some of it. */
static void turn_any(const struct turn *turn, LLVMValueRef *values)
{
	LLVMValueRef result[TURN_ELEMENTS];
	unsigned count = turn->elements / turn->wanted;

	for (unsigned v = 0; v < count; v++) {
		result[v] = NULL;
		for (unsigned u = 0; u < turn->elements / turn->given; u++)
			result[v] = take_from(turn, result[v], values[u], v, u);
	}
	for (unsigned v = 0; v < count; v++)
		values[v] = result[v];
}

/* Does the order leave what a vector has together? */
static bool keeps_vectors(const struct turn *turn, const unsigned *from, unsigned width)
{
	for (unsigned q = 0; q < turn->elements; q++)
		if (from[q] / width != from[q - q % width] / width)
			return false;
	return true;
}

/* Whole vectors, and lanes within each of them, change places. */
static void move_vectors(const struct turn *turn, LLVMValueRef *values, const unsigned *from,
	unsigned width)
{
	LLVMValueRef result[TURN_ELEMENTS];
	unsigned count = turn->elements / width;

	for (unsigned v = 0; v < count; v++) {
		unsigned lane[LANES];
		bool same = true;

		for (unsigned l = 0; l < width; l++) {
			lane[l] = from[v * width + l] % width;
			same = same && lane[l] == l;
		}
		result[v] = values[from[v * width] / width];
		if (!same)
			result[v] = shuffle(turn, result[v], LLVMGetPoison(LLVMTypeOf(
				result[v])), lane, width);
	}
	for (unsigned v = 0; v < count; v++)
		values[v] = result[v];
}

/* An order of bits between two that keep vectors; false, and nothing built, where it is
 * not. */
static bool turn_between(const struct turn *turn, LLVMValueRef *values)
{
	struct turn bits = *turn;

	if (!turn->before || !keeps_vectors(turn, turn->before, turn->given) ||
	    !keeps_vectors(turn, turn->after, turn->wanted))
		return false;
	for (unsigned q = 0; q < turn->elements; q++)
		bits.from[q] = turn->order[q];
	if (!permutes_bits(&bits))
		return false;
	move_vectors(turn, values, turn->before, turn->given);
	turn_bits(&bits, values);
	move_vectors(turn, values, turn->after, turn->wanted);
	return true;
}

void turn_lower(const struct turn *turn, LLVMValueRef *values)
{
	if (permutes_bits(turn))
		turn_bits(turn, values);
	else if (!turn_between(turn, values))
		turn_any(turn, values);
}

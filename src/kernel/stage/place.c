/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/stage/place.h"
#include "isl_bridge/arithmetic.h"
#include "algebra/lds/swizzle.h"
#include "kernel/choose/parts.h"

#include <string.h>

#define MAX_VECTOR_BITS 128

/* What gets a weight of its own: a digit that both moves have; or what is left of a
 * dimension besides those, floor(rest / unit) < span, which each move has in digits of
 * its own. */
struct part {
	unsigned dim;
	int64_t unit, span;
	uint64_t digits;
};

struct parts {
	unsigned count;
	struct part parts[TILE_DIGITS];
};

static const struct factor_digit *digit_at(const struct choice *choice, unsigned i)
{
	return &choice->factors->digits[choice->pieces[i].digit];
}

/* The digit of the stage like piece i of a move, or the count. */
static unsigned find_digit(const struct stage *stage, unsigned move, unsigned i)
{
	const struct choice_piece *piece = &stage->moves[move].pieces[i];
	unsigned k = 0;

	while (k < stage->digit_count &&
	       (stage->digits[k].digit.dim != digit_at(&stage->moves[move], i)->digit.dim ||
		stage->digits[k].digit.step != piece->step ||
		stage->digits[k].digit.radix != piece->radix))
		k++;
	return k;
}

static bool collect_move(struct stage *stage, unsigned move)
{
	const struct choice *choice = &stage->moves[move];

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		unsigned k = find_digit(stage, move, i);

		if (piece->where == CHOICE_GRID)
			continue;
		if (k == TILE_DIGITS)
			return false;
		if (k == stage->digit_count)
			stage->digits[stage->digit_count++] = (struct stage_digit){
				{ digit_at(choice, i)->digit.dim, piece->step, piece->radix },
				{ NULL, NULL } };
		stage->digits[k].pieces[move] = piece;
	}
	return true;
}

static bool is_common(const struct stage_digit *digit)
{
	return digit->pieces[0] && digit->pieces[1];
}

static bool is_bit(const struct stage_digit *digit)
{
	return is_common(digit) && digit->digit.radix == 2;
}

/* What is left of a dimension by the common digits, as the second move has it. */
static void find_rest(const struct stage *stage, unsigned dim, struct parts *parts)
{
	struct part rest = { dim, 0, 1, 0 };
	int64_t most = 0;

	for (unsigned k = 0; k < stage->digit_count; k++) {
		const struct stage_digit *digit = &stage->digits[k];

		if (digit->digit.dim != dim || is_common(digit))
			continue;
		rest.unit = int_gcd(rest.unit, digit->digit.step);
		rest.digits |= (uint64_t)1 << k;
		if (digit->pieces[1])
			most += digit->digit.step * (digit->digit.radix - 1);
	}
	if (!rest.digits)
		return;
	rest.span = most / rest.unit + 1;
	parts->parts[parts->count++] = rest;
}

static void find_parts(const struct stage *stage, struct parts *parts)
{
	parts->count = 0;
	for (unsigned k = 0; k < stage->digit_count; k++)
		if (is_common(&stage->digits[k]))
			parts->parts[parts->count++] = (struct part){
				stage->digits[k].digit.dim, stage->digits[k].digit.step,
				stage->digits[k].digit.radix, (uint64_t)1 << k };
	for (unsigned d = 0; d < stage->moves[0].factors->dim_count; d++)
		find_rest(stage, d, parts);
}

/* A step of the part is worth "weight". */
static void add_part(struct stage *stage, const struct part *part, int64_t weight)
{
	for (uint64_t set = part->digits; set; set &= set - 1) {
		unsigned k = (unsigned)__builtin_ctzll(set);

		stage->terms[stage->term_count++] = (struct stage_term){
			(uint64_t)1 << k, weight * (stage->digits[k].digit.step / part->unit) };
	}
}

/* Counting */

static uint32_t digit_of(const struct choice_piece *piece, uint32_t lane, uint32_t reg)
{
	return !piece ? 0 : (piece->where == CHOICE_LANE ? lane : reg) /
		(uint32_t)piece->place % (uint32_t)piece->radix;
}

static uint64_t offset_of(const struct stage *stage, unsigned move, int64_t lane,
	int64_t reg)
{
	uint64_t offset = 0;

	for (unsigned i = 0; (lane || reg) && i < stage->term_count; i++) {
		uint32_t value = 0;

		for (uint64_t set = stage->terms[i].digits; set; set &= set - 1)
			value ^= digit_of(stage->digits[__builtin_ctzll(set)].pieces[move],
				(uint32_t)lane, (uint32_t)reg);
		offset += value * (uint64_t)stage->terms[i].weight;
	}
	return offset;
}

/* The lanes of a wave that take part in a move's accesses: their digits, and where what they have
 * in register 0 is. */
struct wave {
	int64_t first, lanes;
	uint32_t digits[TILE_DIGITS][LDS_LANES], offsets[LDS_LANES];
};

static void find_wave(const struct stage *stage, unsigned move, int64_t first,
	struct wave *wave)
{
	int64_t left = stage->moves[move].lanes - first;

	wave->first = first;
	wave->lanes = left < stage->lds->wave_size ? left : stage->lds->wave_size;
	for (unsigned k = 0; k < stage->digit_count; k++)
		for (int64_t lane = 0; lane < LDS_LANES; lane++)
			wave->digits[k][lane] = digit_of(stage->digits[k].pieces[move],
				(uint32_t)(first + lane), 0);
}

static void find_offsets(const struct stage *stage, struct wave *wave)
{
	memset(wave->offsets, 0, sizeof(wave->offsets));
	for (unsigned i = 0; i < stage->term_count; i++) {
		uint32_t values[LDS_LANES] = { 0 };

		for (uint64_t set = stage->terms[i].digits; set; set &= set - 1)
			for (unsigned lane = 0; lane < LDS_LANES; lane++)
				values[lane] ^= wave->digits[__builtin_ctzll(set)][lane];
		for (unsigned lane = 0; lane < LDS_LANES; lane++)
			wave->offsets[lane] += values[lane] * (uint32_t)stage->terms[i].weight;
	}
}

/* Offsets are the sum of the lane's and the register's, "from", unless the two are xored. */
static void find_addresses(const struct stage *stage, unsigned move, const struct wave *wave,
	int64_t reg, uint64_t from, uint64_t addresses[LDS_LANES])
{
	bool xored = reg && stage_is_swizzled(stage);

	for (int64_t lane = 0; lane < wave->lanes; lane++)
		addresses[lane] = (xored ? offset_of(stage, move, wave->first + lane, reg) :
			wave->offsets[lane] + from) * stage->bits / 8;
}

/* The extra cycles of the access of a wave that holds register "reg", under the grouping
 * that has the most. */
static uint64_t count_access(const struct stage *stage, unsigned move,
	const struct wave *wave, int64_t reg, uint64_t from)
{
	layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
	uint64_t addresses[LDS_LANES] = { 0 };
	const struct lds_known *known;
	uint64_t most = 0;

	find_addresses(stage, move, wave, reg, from, addresses);
	access.bits = stage->bits * stage->vectors[move];
	access.store = move == 0;
	access.addresses = addresses;
	access.lanes = wave->lanes ? ~(uint64_t)0 >> (64 - wave->lanes) : 0;
	known = lds_known(stage->lds, access.bits, access.store);
	for (unsigned i = 0; i < LDS_CANDIDATES && known->candidates[i]; i++) {
		layout_lds_cost cost = lds_cost(stage->lds, known->candidates[i],
			&access);

		if (cost.cycles - cost.least > most)
			most = cost.cycles - cost.least;
	}
	return most;
}

/* Accesses of a wave, as far as the first "registers" begin a vector.  What is added to all offsets
 * turns the banks round where it is of whole words: accesses that begin alike in a word cost the
 * same. */
static uint64_t count_wave(const struct stage *stage, unsigned move, struct wave *wave,
	int64_t registers)
{
	unsigned word = 8 * LDS_WORD / (unsigned)int_gcd(8 * LDS_WORD, stage->bits);
	bool turns = !stage_is_swizzled(stage);
	uint64_t extra = 0, costs[8 * LDS_WORD];
	uint32_t known = 0;

	find_offsets(stage, wave);
	for (int64_t reg = 0; reg < registers; reg++) {
		uint64_t from = offset_of(stage, move, 0, reg);
		unsigned begin = (unsigned)(from % word);

		if (from % stage->vectors[move])
			continue;
		if (!turns || !(known >> begin & 1))
			costs[begin] = count_access(stage, move, wave, reg, from);
		known |= (uint32_t)1 << begin;
		extra += costs[begin];
	}
	return extra;
}

/* Swizzles */

/* Is a step of the digit part of a dword on both sides of memory? */
static bool parts_dwords(const struct stage *stage, const struct stage_digit *digit)
{
	for (unsigned move = 0; move < 2; move++) {
		const struct choice *choice = &stage->moves[move];
		enum factor_side side = move ? FACTOR_STORE : FACTOR_LOAD;
		int64_t weight = choice_weight(choice, digit->pieces[move], side);

		if (!weight || weight * (int64_t)choice->rules.bits[side] >= 32)
			return false;
	}
	return true;
}

/* The digits that are bits, in the order of the tile's bits.  Those inside the dwords of both
 * sides come first: vectors in the LDS begin with them, and dwords are moved as they are. */
static unsigned order_bits(const struct stage *stage, unsigned order[TILE_DIGITS])
{
	unsigned count = 0;

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < stage->digit_count; i++)
			if (is_bit(&stage->digits[i]) &&
			    parts_dwords(stage, &stage->digits[i]) == !pass)
				order[count++] = i;
	return count;
}

static bool has_other_lanes(const struct stage *stage, unsigned move)
{
	for (unsigned i = 0; i < stage->digit_count; i++) {
		const struct choice_piece *piece = stage->digits[i].pieces[move];

		if (!is_bit(&stage->digits[i]) && piece && piece->where == CHOICE_LANE)
			return true;
	}
	return false;
}

/* A move in terms of the tile's bits; what is not of bits must be all registers, and does
 * not count: it moves a whole tile of bits. */
static bool make_side(const struct stage *stage, unsigned move, struct swizzle_side *side)
{
	unsigned order[TILE_DIGITS], count = order_bits(stage, order);

	*side = (struct swizzle_side){ .store = move == 0 };
	if (count >= SWIZZLE_BITS || has_other_lanes(stage, move))
		return false;
	for (unsigned bit = 0; bit < count; bit++) {
		const struct choice_piece *piece = stage->digits[order[bit]].pieces[move];
		uint64_t vector = (uint64_t)1 << bit;

		if (piece->where == CHOICE_REGISTER)
			side->registers[side->register_count++] = vector;
		else if (piece->place < stage->lds->wave_size) {
			side->lanes[__builtin_ctzll((uint64_t)piece->place)] = vector;
			side->lane_count++;
		} else {
			side->waves[__builtin_ctzll((uint64_t)(piece->place /
				stage->lds->wave_size))] = vector;
			side->wave_count++;
		}
	}
	return true;
}

/* The digits of a row of the swizzle. */
static uint64_t digits_of(const struct stage *stage, uint64_t row)
{
	unsigned order[TILE_DIGITS], count = order_bits(stage, order);
	uint64_t set = 0;

	for (unsigned bit = 0; bit < count; bit++)
		if (row >> bit & 1)
			set |= (uint64_t)1 << order[bit];
	return set;
}

static bool place_swizzled(struct stage *stage, const struct parts *parts)
{
	struct swizzle_side sides[2];
	struct lds_swizzle swizzle;
	unsigned bits = 0;

	for (unsigned i = 0; i < stage->digit_count; i++)
		bits += is_bit(&stage->digits[i]);
	for (unsigned move = 0; move < 2; move++)
		if (!make_side(stage, move, &sides[move]))
			return false;
	if (!swizzle_find(stage->lds, stage->bits, bits, sides, &swizzle))
		return false;
	stage->elements = (int64_t)1 << bits;
	for (unsigned i = 0; i < bits; i++)
		stage->terms[stage->term_count++] = (struct stage_term){
			digits_of(stage, swizzle.rows[i]), (int64_t)1 << i };
	for (unsigned i = 0; i < parts->count; i++) {
		const struct part *part = &parts->parts[i];

		if (is_bit(&stage->digits[__builtin_ctzll(part->digits)]))
			continue;
		add_part(stage, part, stage->elements);
		stage->elements *= part->span;
	}
	for (unsigned move = 0; move < 2; move++)
		stage->vectors[move] = 1u << swizzle.vectors[move];
	return true;
}

/* Padding */

/* Is the part in the registers of a move? */
static bool is_register(const struct stage *stage, const struct part *part, unsigned move)
{
	for (uint64_t set = part->digits; set; set &= set - 1) {
		const struct choice_piece *piece =
			stage->digits[__builtin_ctzll(set)].pieces[move];

		if (piece && piece->where != CHOICE_REGISTER)
			return false;
	}
	return true;
}

/* Where a move holds the part: its least place, lanes before registers. */
static int64_t place_of(const struct stage *stage, const struct part *part, unsigned move)
{
	int64_t least = INT64_MAX;

	for (uint64_t set = part->digits; set; set &= set - 1) {
		const struct choice_piece *piece =
			stage->digits[__builtin_ctzll(set)].pieces[move];
		int64_t place;

		if (!piece)
			continue;
		place = piece->where == CHOICE_LANE ? piece->place :
			piece->place + stage->moves[move].lanes;
		least = place < least ? place : least;
	}
	return least;
}

/* Parts in the order of their weights: bits of a vector, which both moves have in
 * registers, then as "move" holds them.  False where there is no such vector. */
static bool order_parts(const struct stage *stage, struct parts *parts, unsigned move,
	unsigned vector)
{
	unsigned count = 0;

	for (unsigned i = 0; i < parts->count && 1u << count < vector; i++) {
		struct part part = parts->parts[i];

		if (!is_bit(&stage->digits[__builtin_ctzll(part.digits)]) ||
		    !is_register(stage, &part, 0) || !is_register(stage, &part, 1))
			continue;
		parts->parts[i] = parts->parts[count];
		parts->parts[count++] = part;
	}
	for (unsigned i = count; i < parts->count; i++)
		for (unsigned k = i; k > count; k--) {
			struct part *at = &parts->parts[k], part = *at;

			if (place_of(stage, at, move) >= place_of(stage, at - 1, move))
				break;
			at[0] = at[-1];
			at[-1] = part;
		}
	return 1u << count == vector;
}

/* Weights in that order, where from part "level" on lines are "pad" elements longer. */
static void weigh(struct stage *stage, const struct parts *parts, unsigned level,
	int64_t pad)
{
	int64_t weight = 1;

	stage->term_count = 0;
	stage->elements = 1;
	for (unsigned i = 0; i < parts->count; i++) {
		const struct part *part = &parts->parts[i];

		weight += i == level ? pad : 0;
		add_part(stage, part, weight);
		stage->elements += weight * (part->span - 1);
		weight *= part->span;
	}
	stage->skipped = stage->elements -
		stage->moves[0].lanes * stage->moves[0].registers;
}

/* Where registers move offsets by whole words they turn the banks round: one is as all are. */
static void measure(struct stage *stage)
{
	for (unsigned move = 0; move < 2; move++) {
		const struct choice *of = &stage->moves[move];
		bool words = stage->vectors[move] * stage->bits % (8 * LDS_WORD) == 0;
		struct wave wave;

		stage->extra[move] = 0;
		for (int64_t lane = 0; lane < of->lanes; lane += stage->lds->wave_size) {
			find_wave(stage, move, lane, &wave);
			stage->extra[move] += count_wave(stage, move, &wave,
				words ? 1 : of->registers);
		}
		stage->extra[move] *= words ? (uint64_t)of->registers / stage->vectors[move] : 1;
	}
}

static uint64_t extra_of(const struct stage *stage)
{
	return stage->extra[0] + stage->extra[1];
}

/* Has it fewer conflicts than the best, or as few in less memory?  The first access of the first
 * wave says much of all. */
static bool is_better(struct stage *stage, struct wave first[2], const struct stage *best)
{
	uint64_t least = best ? extra_of(best) : UINT64_MAX;

	stage->extra[1] = 0;
	for (unsigned move = 0; move < 2; move++) {
		stage->extra[move] = count_wave(stage, move, &first[move], 1);
		if (extra_of(stage) > least)
			return false;
	}
	return !best || extra_of(stage) < least || stage->elements < best->elements;
}

/* All paddings of "least" elements and more for accesses of "vector" elements; the best, as the
 * sample says. */
static bool try_padding(struct stage *stage, struct parts *parts, unsigned vector,
	unsigned least, struct wave first[2], struct stage *best)
{
	int64_t line = (int64_t)stage->lds->banks * 8 * LDS_WORD / stage->bits;
	bool found = false;

	stage->vectors[0] = stage->vectors[1] = vector;
	for (unsigned move = 0; move < 2; move++) {
		if (!order_parts(stage, parts, move, vector))
			return found;
		for (unsigned level = 1; level == 1 || level < parts->count; level++)
			for (int64_t pad = least; pad < line; pad *= 2) {
				weigh(stage, parts, level, pad);
				if (1u << level < vector || (found && !extra_of(best) &&
				    stage->elements >= best->elements))
					continue;
				if (!is_better(stage, first, found ? best : NULL))
					continue;
				*best = *stage;
				found = true;
			}
	}
	return found;
}

/* Accesses of all waves. */
static uint64_t accesses_of(const struct stage *stage)
{
	uint64_t accesses = 0;

	for (unsigned m = 0; m < 2; m++)
		accesses += (uint64_t)(choice_waves(&stage->moves[m]) *
			(stage->moves[m].registers / stage->vectors[m]));
	return accesses;
}

/* Is register bit "bit" of a move worth as many elements in the LDS? */
static bool has_bit(const struct stage *stage, unsigned move, unsigned bit)
{
	for (unsigned i = 0; i < stage->term_count; i++) {
		const struct choice_piece *piece =
			stage->digits[__builtin_ctzll(stage->terms[i].digits)].pieces[move];

		if (piece && piece->where == CHOICE_REGISTER && piece->radix == 2 &&
		    piece->place == INT64_C(1) << bit &&
		    stage->terms[i].weight == INT64_C(1) << bit)
			return true;
	}
	return false;
}

/* Are the terms of a move multiples of "vector", but for so many register bits? */
static bool is_aligned(const struct stage *stage, unsigned move, int64_t vector)
{
	for (unsigned i = 0; i < stage->term_count; i++) {
		const struct choice_piece *piece =
			stage->digits[__builtin_ctzll(stage->terms[i].digits)].pieces[move];

		if (piece && stage->terms[i].weight % vector &&
		    (piece->where != CHOICE_REGISTER || piece->place >= vector))
			return false;
	}
	return true;
}

/* What one move alone has next to each other in the LDS, it accesses at once where that makes no
 * more conflicts. */
static void widen(struct stage *stage)
{
	for (unsigned move = 0; move < 2; move++) {
		unsigned vector = stage->vectors[move], bit = 0, wide;
		uint64_t before = extra_of(stage);

		while (2u << bit <= MAX_VECTOR_BITS / stage->bits && has_bit(stage, move, bit))
			bit++;
		wide = 1u << bit;
		if (wide <= vector || !is_aligned(stage, move, wide))
			continue;
		stage->vectors[move] = wide;
		measure(stage);
		if (extra_of(stage) <= before)
			continue;
		stage->vectors[move] = vector;
		measure(stage);
	}
}

/* Has a move digits that the other has not? */
static bool has_rest(const struct stage *stage)
{
	for (unsigned k = 0; k < stage->digit_count; k++)
		if (!is_common(&stage->digits[k]))
			return true;
	return false;
}

/* Cycles of all accesses, by paddings of so many elements and more, if there is one. */
static uint64_t cost_padded(struct stage *stage, struct parts *parts, unsigned vector,
	unsigned least, struct wave first[2])
{
	struct stage padded;

	if (!try_padding(stage, parts, vector, least, first, &padded))
		return UINT64_MAX;
	*stage = padded;
	measure(stage);
	widen(stage);
	return accesses_of(stage) + extra_of(stage);
}

/* The widest accesses without conflicts, a byte at least; else those that with the cycles that
 * conflicts add cost the least.  Where a move can have wider ones than both, what is skipped
 * leaves these aligned. */
static bool place_padded(struct stage *stage, struct parts *parts)
{
	unsigned widest = MAX_VECTOR_BITS / stage->bits;
	bool rest = has_rest(stage);
	uint64_t least = UINT64_MAX;
	struct stage best, padded;
	struct wave first[2];

	for (unsigned move = 0; move < 2; move++)
		find_wave(stage, move, 0, &first[move]);
	for (unsigned vector = widest; vector && vector * stage->bits >= 8; vector /= 2) {
		stage->vectors[0] = stage->vectors[1] = vector;
		if (!rest && accesses_of(stage) >= least)
			break;
		for (unsigned pad = vector; pad <= (rest ? widest : vector); pad *= 2) {
			uint64_t cost;

			padded = *stage;
			cost = cost_padded(&padded, parts, vector, pad, first);
			if (cost >= least)
				continue;
			best = padded;
			least = cost;
		}
	}
	if (least < UINT64_MAX)
		*stage = best;
	return least < UINT64_MAX;
}

/* Registers and waves xor the offsets of a swizzle's lanes with the same bits, which moves
 * whole banks: the first register's accesses are the measure of all. */
bool stage_place(struct stage *stage)
{
	struct parts parts;

	stage->digit_count = 0;
	stage->term_count = 0;
	stage->skipped = 0;
	if (!collect_move(stage, 1) || !collect_move(stage, 0))
		return false;
	find_parts(stage, &parts);
	if (place_swizzled(stage, &parts)) {
		measure(stage);
		if (!extra_of(stage))
			return true;
	}
	return place_padded(stage, &parts);
}

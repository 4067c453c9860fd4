/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Both moves hold the same tile.  It grows from the elements that lie next to each other
 * on either side, to a size that leaves room for several workgroups; then each move deals
 * its digits to registers and lanes:
 *
 *	registers	the digits of its own widest access, those of odd radix, or with
 *			"odd_lanes" the farthest of these but for a factor that is best
 *			left to lanes, those of the other move's widest access: what is
 *			in the registers of both can be a vector in the LDS, unless
 *			accesses then touch more lines; then those farthest from each
 *			other in its memory
 *	lanes		what is left, nearest first */
#include "kernel/stage/stage.h"
#include "kernel/choose/parts.h"
#include "kernel/stage/place.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Bytes of a tile: to grow up to, and the most.  More than one workgroup must fit. */
#define SOME_BYTES 16384
#define MOST_BYTES 32768

#define LINE_BYTES 128

/* What odd factors of lanes are chosen by. */
#define SECTOR_BYTES 32
#define SAMPLES 4		/* accesses of a move */
#define LOADS_COST_LESS 8

/* What lies next to each other on either side; and where tiles that follow each other in a row
 * share some of it, which should then be little. */
#define RUN_BYTES 128
#define SHARED_RUN_BYTES 256

#define MOST_PRIME 13		/* that the grid is cut by, rather than masked */
#define LEAST_UNEVEN 64		/* a length of which tiles may have any part */

static unsigned dim_of(const struct choice *choice, unsigned i)
{
	return choice_dim(choice, &choice->pieces[i]);
}

static bool in_tile(const struct choice *choice, unsigned i)
{
	return choice->pieces[i].where != CHOICE_GRID;
}

static bool is_carried(const struct choice *choice, unsigned i, enum factor_side side)
{
	return side == FACTOR_LOAD &&
		choice->factors->digits[choice->pieces[i].digit].carried;
}

/* Of an element where it has more. */
static int64_t most_bits(const struct choice *choice)
{
	const unsigned *bits = choice->rules.bits;

	return bits[FACTOR_LOAD] > bits[FACTOR_STORE] ? bits[FACTOR_LOAD] :
		bits[FACTOR_STORE];
}

/* The least prime that divides the values of a piece; 2 where they have no end, or one
 * that is no part of a storage's tile and divides badly, or is far enough to be copied twice. */
static int64_t least_prime(const struct choice *choice, const struct choice_piece *piece)
{
	bool open = choice->rules.uneven && piece->most > 1 &&
		choice->factors->dims[choice_dim(choice, piece)].end->max > LEAST_UNEVEN;
	int64_t values = piece->radix ? piece->radix : open ? 0 : piece->most, prime = 2;

	while (prime * prime <= values && values % prime)
		prime++;
	if (values % prime)
		prime = values;
	return !values || (!piece->radix && prime > MOST_PRIME) ? 2 : prime;
}

/* A piece of the grid below one of the tile's in its dimension, or the count. */
static unsigned find_hole(const struct choice *choice)
{
	for (unsigned i = 0; i + 1 < choice->count; i++)
		for (unsigned k = i + 1; k < choice->count; k++)
			if (!in_tile(choice, i) && in_tile(choice, k) &&
			    dim_of(choice, i) == dim_of(choice, k))
				return i;
	return choice->count;
}

/* Tiles are boxes. */
static bool fill_holes(struct choice *choice, int64_t most)
{
	unsigned i;

	while ((i = find_hole(choice)) < choice->count) {
		int64_t prime = least_prime(choice, &choice->pieces[i]);

		if (choice->registers > most / prime ||
		    !choice_take(choice, i, prime, CHOICE_REGISTER))
			return false;
	}
	return true;
}

/* Let the tile grow to no more than "most" elements. */
static bool grow(struct choice *choice, unsigned i, int64_t most)
{
	struct choice before = *choice;
	int64_t prime = i < choice->count ? least_prime(choice, &choice->pieces[i]) : 0;

	if (prime && choice->registers <= most / prime &&
	    choice_take(choice, i, prime, CHOICE_REGISTER) && fill_holes(choice, most))
		return true;
	*choice = before;
	return false;
}

/* The grid's piece like piece i of another choice, or the count. */
static unsigned find_like(const struct choice *choice, const struct choice *other,
	unsigned i)
{
	unsigned k = 0;

	while (k < choice->count && (in_tile(choice, k) ||
	       dim_of(choice, k) != dim_of(other, i) ||
	       choice->pieces[k].step != other->pieces[i].step))
		k++;
	return k;
}

/* The grid's piece that is nearest on a side, of those inside a storage's tiles or of all, unless
 * tiles would copy much twice; or the count. */
static unsigned nearest(const struct choice *choice, enum factor_side side, bool inside)
{
	unsigned found = choice->count;

	for (unsigned i = 0; i < choice->count; i++)
		if (!in_tile(choice, i) && (!inside || choice->pieces[i].radix) &&
		    !choice_copies_twice(choice, &choice->pieces[i],
				least_prime(choice, &choice->pieces[i])) &&
		    (found == choice->count || choice_is_nearer(choice,
				&choice->pieces[i], &choice->pieces[found], side)))
			found = i;
	return found;
}

/* The piece of the tile that comes after "run" elements on a side, or the count. */
static unsigned next_of_run(const struct choice *choice, enum factor_side side,
	int64_t run)
{
	unsigned i = 0;

	while (i < choice->count && (!in_tile(choice, i) ||
	       choice_weight(choice, &choice->pieces[i], side) != run ||
	       factor_is_mixed(choice->factors, side, choice->pieces[i].digit)))
		i++;
	return i;
}

/* Elements of the tile that lie next to each other on a side. */
static int64_t run_of(const struct choice *choice, enum factor_side side)
{
	int64_t run = 1;
	unsigned i;

	while ((i = next_of_run(choice, side, run)) < choice->count)
		run *= choice->pieces[i].radix;
	return run;
}

/* Let the tile grow along a side: the choices of both moves alike. */
static bool grow_along(struct stage *stage, enum factor_side side, bool inside, int64_t most)
{
	struct choice *choice = &stage->moves[side], *other = &stage->moves[1 - side];
	struct choice before = *choice;
	unsigned i = nearest(choice, side, inside), k;

	if (i == choice->count)
		return false;
	k = find_like(other, choice, i);
	if (grow(choice, i, most) && grow(other, k, most))
		return true;
	*choice = before;
	return false;
}

/* Let the tile grow until so many bytes lie next to each other on a side. */
static void grow_run(struct stage *stage, enum factor_side side, int64_t bytes, int64_t most)
{
	const struct choice *choice = &stage->moves[side];

	while (run_of(choice, side) * choice->rules.bits[side] < 8 * bytes &&
	       grow_along(stage, side, false, most))
		;
}

/* Segments of both sides first, then the smallest strides of both in turn, as long as there
 * are any those of a storage's tiles. */
static void grow_tile(struct stage *stage)
{
	int64_t most = (int64_t)MOST_BYTES * 8 / most_bits(stage->moves);
	bool sharing = stage->moves[0].rules.sharing;
	int64_t some = sharing ? most : (int64_t)SOME_BYTES * 8 / most_bits(stage->moves);
	enum factor_side side = sharing ? FACTOR_STORE : FACTOR_LOAD;
	unsigned refused = 0;

	for (int64_t bytes = 64; bytes <= (sharing ? SHARED_RUN_BYTES : RUN_BYTES); bytes *= 2)
		for (int s = FACTOR_STORE; s >= FACTOR_LOAD; s--)
			grow_run(stage, (enum factor_side)s, bytes, most);
	while (stage->moves[0].registers < some && refused < FACTOR_SIDES) {
		refused = grow_along(stage, side, true, most) ||
			grow_along(stage, side, false, most) ? 0 : refused + 1;
		side = side == FACTOR_STORE ? FACTOR_LOAD : FACTOR_STORE;
	}
}

/* What lies below the point where digits meet again belongs to every tile. */
static bool take_ragged(struct choice *choice)
{
	int64_t most = (int64_t)MOST_BYTES * 8 / most_bits(choice);

	for (unsigned i = 0; i < choice->count; i++) {
		struct choice_piece *piece = &choice->pieces[i];

		if (!choice->factors->dims[dim_of(choice, i)].ragged || !piece->radix)
			continue;
		if (choice->registers > most / piece->radix)
			return false;
		choice_take(choice, i, piece->radix, CHOICE_REGISTER);
	}
	return true;
}

/* The base of a tile has no xor: what is swizzled belongs to every tile. */
static bool take_linked(struct choice *choice)
{
	int64_t most = (int64_t)MOST_BYTES * 8 / most_bits(choice);

	for (unsigned i = 0; i < choice->count; i++) {
		struct choice_piece *piece = &choice->pieces[i];

		if (!factor_is_linked(choice->factors, piece->digit))
			continue;
		if (choice->registers > most / piece->radix)
			return false;
		choice_take(choice, i, piece->radix, CHOICE_REGISTER);
	}
	return fill_holes(choice, most);
}

/* Do digits end in a dimension in which the source begins elsewhere?  Its own ones are
 * then not those of the destination's index. */
static bool is_shifted(const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++) {
		const struct index *low = factors->dims[d].low;

		if (factors->dims[d].ragged && (low->op != INDEX_INT || low->value))
			return true;
	}
	return false;
}

/* Begin the choices of both moves.  "whole": what lies below the point where digits meet
 * again is in the tile. */
static bool begin_moves(struct stage *stage, const struct factors *const sides[2],
	const struct choice_rules *rules, bool whole, const char **why)
{
	for (unsigned move = 0; move < 2; move++) {
		*why = "too many digits";
		if (sides[move]->digit_count > CHOICE_PIECES / 2)
			return false;
		choice_begin(&stage->moves[move], sides[move], rules);
		stage->moves[move].step[FACTOR_LOAD] = 1;
		*why = "a tile would be too large";
		if ((whole && !take_ragged(&stage->moves[move])) ||
		    !take_linked(&stage->moves[move]))
			return false;
	}
	return true;
}

/* Every digit of the tile in primes, so that the moves can deal them differently. */
static bool split_primes(struct choice *choice)
{
	for (unsigned i = 0; i < choice->count; i++) {
		struct choice_piece *piece = &choice->pieces[i];
		int64_t prime = least_prime(choice, piece);

		if (!in_tile(choice, i) || piece->radix == prime)
			continue;
		choice->registers /= piece->radix;
		if (!choice_take(choice, i, prime, CHOICE_REGISTER))
			return false;
		choice->pieces[i + 1].where = CHOICE_REGISTER;
		choice->registers *= choice->pieces[i + 1].radix;
	}
	return true;
}

/* Dealing a move's digits: all of the tile's are lanes until they become registers. */

static void to_registers(struct choice *choice, unsigned i)
{
	choice->pieces[i].where = CHOICE_REGISTER;
	choice->registers *= choice->pieces[i].radix;
}

/* Bits that follow each other on a side, up to the widest access or "most" registers;
 * how many elements. */
static unsigned deal_vector(struct choice *choice, enum factor_side side, int64_t most)
{
	int64_t run = 1, widest = 8 * (int64_t)choice->rules.max_bytes;
	unsigned i;

	while (2 * run * choice->rules.bits[side] <= widest) {
		i = next_of_run(choice, side, run);
		if (i == choice->count || choice->pieces[i].radix != 2 ||
		    is_carried(choice, i, side))
			break;
		if (choice->pieces[i].where == CHOICE_LANE) {
			if (choice->registers * 2 > most)
				break;
			to_registers(choice, i);
		}
		run *= 2;
	}
	return (unsigned)run;
}

/* The lanes' digit that is farthest on a side, of those that "left" more registers have: bits, or
 * those of odd radix; or the count. */
static unsigned farthest(const struct choice *choice, enum factor_side side, bool odd,
	int64_t left)
{
	unsigned found = choice->count;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (piece->where == CHOICE_LANE && (piece->radix > 2) == odd &&
		    left % piece->radix == 0 && (found == choice->count ||
		    choice_is_nearer(choice, &choice->pieces[found], piece, side)))
			found = i;
	}
	return found;
}

/* Deal the tile's digits, "registers" elements a lane, of which "others" are enough for the
 * vector of the other move. */
static void deal(struct choice *choice, enum factor_side side, int64_t registers,
	int64_t others)
{
	enum factor_side other = side == FACTOR_LOAD ? FACTOR_STORE : FACTOR_LOAD;
	unsigned i;

	choice->registers = 1;
	for (i = 0; i < choice->count; i++)
		if (in_tile(choice, i)) {
			choice->pieces[i].where = CHOICE_LANE;
			choice->pieces[i].place = 0;
		}
	while ((i = farthest(choice, side, true, registers / choice->registers)) <
	       choice->count)
		to_registers(choice, i);
	choice->vector[side] = deal_vector(choice, side, registers);
	choice->vector[other] = deal_vector(choice, other, others);
	while (choice->registers < registers &&
	       (i = farthest(choice, side, false, 2)) < choice->count)
		to_registers(choice, i);
	choice_number(choice, CHOICE_REGISTER, side, 1, UINT_MAX);
	choice->lanes = choice_number(choice, CHOICE_LANE, side, 1, UINT_MAX);
	choice->run[side] = choice->vector[side];
	choice->run[other] = choice->vector[other];
}

/* Deal a move without the other's vector where its accesses then touch half of the lines or
 * fewer.  False where they do not. */
static bool deal_apart(struct choice *choice, enum factor_side side, int64_t registers)
{
	struct choice apart = *choice;

	deal(&apart, side, registers, 0);
	if (apart.registers != registers ||
	    2 * choice_first_segments(&apart, side, LINE_BYTES) >
			choice_first_segments(choice, side, LINE_BYTES))
		return false;
	*choice = apart;
	return true;
}

/* One move at least has the vectors of both, which are vectors in the LDS then. */
static void deal_moves(struct stage *stage, int64_t registers)
{
	deal(&stage->moves[0], FACTOR_LOAD, registers, registers);
	deal(&stage->moves[1], FACTOR_STORE, registers, registers);
	if (!deal_apart(&stage->moves[1], FACTOR_STORE, registers))
		deal_apart(&stage->moves[0], FACTOR_LOAD, registers);
}

/* Registers of a lane where lanes have this odd factor, by as many of the powers of two as may be. */
static int64_t registers_beside(const struct choice *choice, int64_t elements, int64_t odd)
{
	int64_t lanes = elements & -elements;

	while (lanes > 1 && lanes * odd > choice->rules.most_lanes)
		lanes /= 2;
	return elements / (lanes * odd);
}

/* Registers of a lane for a tile of so many elements, of which the odd factor is registers. */
static int64_t registers_for(const struct choice *choice, int64_t elements)
{
	int64_t bits = most_bits(choice);
	int64_t power = elements & -elements, odd = elements / power;
	int64_t most = choice->rules.most_lanes, full = choice->rules.full_lanes;
	int64_t lanes = power < most ? power : most;

	while (lanes > full && elements / lanes * bits < SOME_DWORDS * 32 * odd &&
	       elements / lanes * 2 * bits <= MOST_DWORDS * 32)
		lanes /= 2;
	return elements / lanes;
}

static bool has_room(const struct choice *choice, int64_t registers)
{
	return registers * most_bits(choice) <= MOST_DWORDS * 32;
}

/* Deal both moves so many registers a lane.  False where lanes are too few or too many. */
static bool deal_registers(struct stage *stage, int64_t registers)
{
	struct choice *load = &stage->moves[0], *store = &stage->moves[1];

	deal_moves(stage, registers);
	return load->registers == registers && store->registers == registers &&
		load->lanes >= load->rules.full_lanes && load->lanes <= load->rules.most_lanes &&
		has_room(load, registers);
}

/* Sectors that some accesses of a move touch, by what these have: the first and the last one, and
 * others between that begin elsewhere in a sector. */
static double touched(const struct choice *choice, enum factor_side side)
{
	int64_t wave = choice->rules.wave_size, accesses = choice->registers / choice->vector[side];
	int64_t lanes = choice->lanes < wave ? choice->lanes : wave, sum = 0;

	for (int64_t i = 0; i < SAMPLES; i++)
		sum += choice_access_segments(choice, side, (accesses - 1) * i / (SAMPLES - 1),
			SECTOR_BYTES);
	return (double)sum /
		(double)(lanes * choice->vector[side] * (int64_t)choice->rules.bits[side]);
}

/* Deal lanes the odd factor with which accesses touch least; loads of parts of sectors cost little
 * beside stores of them. */
static bool deal_odd(struct stage *stage, int64_t elements)
{
	int64_t odd = elements / (elements & -elements);
	double least = INFINITY, all;
	struct choice best[2];

	for (int64_t factor = odd; factor > 1; factor -= 2) {
		if (odd % factor || !deal_registers(stage,
		    registers_beside(stage->moves, elements, factor)))
			continue;
		all = touched(&stage->moves[1], FACTOR_STORE);
		if (all < least)
			all += touched(&stage->moves[0], FACTOR_LOAD) / LOADS_COST_LESS;
		if (all >= least)
			continue;
		memcpy(best, stage->moves, sizeof(best));
		least = all;
	}
	if (least < INFINITY)
		memcpy(stage->moves, best, sizeof(best));
	return least < INFINITY;
}

/* Odd factors are registers where they leave room and are not to be lanes. */
static bool deal_tile(struct stage *stage)
{
	const struct choice *load = &stage->moves[0];
	int64_t elements = load->registers, registers = registers_for(load, elements);

	return load->rules.odd_lanes || !has_room(load, registers) ?
		deal_odd(stage, elements) : deal_registers(stage, registers);
}

/* Is there an LDS, and do elements, or vectors of them, have addresses there? */
static bool can_stage(const struct stage *stage, const struct choice_rules *rules,
	const char **why)
{
	*why = "the target's LDS is not known";
	if (!stage->lds)
		return false;
	*why = "the bits of an element are no power of two up to 64";
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		if (rules->bits[side] > 64 || rules->bits[side] & (rules->bits[side] - 1))
			return false;
	return true;
}

/* Do steps beyond the common digits count whole bytes in the source's tiles? */
static bool carries_bytes(const struct choice *choice, const struct choice_piece *piece)
{
	const struct factors *factors = choice->factors;
	unsigned dim = factors->digits[piece->digit].digit.dim;
	int64_t bits = choice->rules.bits[FACTOR_LOAD];

	for (unsigned k = 0; bits < 8 && k < factors->slot_count[FACTOR_LOAD]; k++) {
		const struct factor_slot *slot = &factors->slots[FACTOR_LOAD][k];
		int64_t steps = slot->digit.step < piece->step ? piece->step / slot->digit.step : 1;

		if (slot->digit.dim == dim && factor_divisor(slot->pitch) * steps * bits % 8)
			return false;
	}
	return true;
}

/* Every access begins and ends with a byte. */
static bool keeps_bytes(const struct stage *stage)
{
	const struct choice *load = &stage->moves[0];

	for (unsigned i = 0; i < load->count; i++)
		if (is_carried(load, i, FACTOR_LOAD) &&
		    !carries_bytes(load, &load->pieces[i]))
			return false;
	return choice_keeps_bytes(load, FACTOR_LOAD) &&
		choice_keeps_bytes(&stage->moves[1], FACTOR_STORE);
}

/* Choose the moves, which have begun, and their place in the LDS. */
static bool finish_moves(struct stage *stage, const char **why)
{
	struct choice *load = &stage->moves[0], *store = &stage->moves[1];

	grow_tile(stage);
	*why = "too many digits";
	if (!split_primes(load) || !split_primes(store))
		return false;
	*why = "a tile has too few elements for a wave, or cannot be dealt to lanes";
	if (!deal_tile(stage))
		return false;
	*why = "elements of less than a byte would be parted";
	if (!keeps_bytes(stage))
		return false;
	*why = "too many digits, or too few in the registers of both moves";
	return stage_place(stage);
}

/* Tiles that hold what lies below the point where digits meet again. */
static bool choose_whole(struct stage *stage, const struct factors *factors,
	const struct choice_rules *rules, const char **why)
{
	struct ragged *ragged = &stage->ragged;
	const struct factors *const sides[] = { &ragged->sides[0], &ragged->sides[1] };

	*why = "the digits of source and destination meet too late";
	return !is_shifted(factors) && ragged_build(ragged, factors) &&
		begin_moves(stage, sides, rules, true, why) && finish_moves(stage, why);
}

/* Tiles of the destination that begin anywhere in those of the source. */
static bool choose_carried(struct stage *stage, const struct factors *factors,
	const struct choice_rules *rules, const char **why)
{
	struct ragged *ragged = &stage->ragged;
	const struct factors *const sides[] = { &ragged->sides[0], &ragged->sides[1] };

	*why = "too many digits";
	return ragged_carry(ragged, factors) &&
		begin_moves(stage, sides, rules, false, why) && finish_moves(stage, why);
}

bool stage_choose(struct stage *stage, const struct factors *factors,
	const struct choice_rules *rules, const layout_lds *lds, const char **why)
{
	const struct factors *const sides[] = { factors, factors };

	stage->lds = lds;
	stage->bits = rules->bits[FACTOR_STORE];
	if (!can_stage(stage, rules, why))
		return false;
	if (!ragged_is_needed(factors))
		return begin_moves(stage, sides, rules, false, why) &&
			finish_moves(stage, why);
	*why = "tiles that do not divide each other are swizzled";
	if (factors->xor_count || factors->rotation_count)
		return false;
	if (choose_whole(stage, factors, rules, why))
		return true;
	ragged_free(&stage->ragged);
	return choose_carried(stage, factors, rules, why);
}

void stage_free(struct stage *stage)
{
	ragged_free(&stage->ragged);
}

bool stage_is_better(const struct stage *stage, const struct choice *direct)
{
	unsigned staged = 64 / stage->moves[0].vector[FACTOR_LOAD] +
		64 / stage->moves[1].vector[FACTOR_STORE];

	return direct->lanes < direct->rules.full_lanes ||
		staged < 64 / direct->vector[FACTOR_LOAD] +
		64 / direct->vector[FACTOR_STORE];
}

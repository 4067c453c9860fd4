/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counting the segments of memory that a choice touches. */
#include "kernel/choose/choose.h"
#include "kernel/gather.h"

#include <stdlib.h>
#include <string.h>

/* The most segments of one access: a wave of 64 lanes, 16 bytes each, not aligned; or
 * several of one run of steps. */
enum { MOST_TOUCHED = 512, MOST_LANES = 64 };

/* A place in memory: the digits whose weight is not constant, or far away, as one number, and the
 * offset of the others. */
struct place {
	int64_t far, near;
};

/* Elements from the first to the last of a tile, but for pieces of such a weight and more. */
static int64_t span_below(const struct choice *choice, enum factor_side side, int64_t weight)
{
	int64_t span = 1;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		int64_t step = choice_weight(choice, piece, side);

		if (piece->where != CHOICE_GRID && step < weight)
			span += (piece->radix - 1) * step;
	}
	return span;
}

/* The least weight of pieces between whose steps a line or more is in the tile and a line or more is
 * not: where in their lines they begin is another question, which memory_odd_time() answers. */
static int64_t far_weight(const struct choice *choice, enum factor_side side, int64_t line)
{
	int64_t bits = choice->rules.bits[side], far = INT64_MAX;

	for (unsigned i = 0; i < choice->count; i++) {
		int64_t weight = choice_weight(choice, &choice->pieces[i], side);
		int64_t span = span_below(choice, side, weight);

		if (weight > 0 && weight < far && span * bits >= 8 * line &&
		    (weight - span) * bits >= 8 * line)
			far = weight;
	}
	return far;
}

/* Of the first tile.  Lanes and registers are few: such divisions are fast. */
static int64_t value_of(const struct choice_piece *piece, int64_t lane, int64_t n)
{
	if (piece->where == CHOICE_GRID)
		return 0;
	return (uint32_t)(piece->where == CHOICE_LANE ? lane : n) / (uint32_t)piece->place %
		(uint32_t)piece->radix;
}

/* What a piece is stored as: xored with the pieces of others that are at its place in
 * their digits. */
static int64_t stored_value(const struct choice *choice, enum factor_side side,
	const struct choice_piece *piece, int64_t lane, int64_t n)
{
	const struct factors *factors = choice->factors;
	int64_t value = value_of(piece, lane, n);
	int64_t at = piece->step / factors->digits[piece->digit].digit.step;

	for (unsigned x = 0; x < factors->xor_count; x++) {
		unsigned from = factors->xors[x].from;

		if (factors->xors[x].side != side || factors->xors[x].to != piece->digit)
			continue;
		for (unsigned i = 0; i < choice->count; i++)
			if (choice->pieces[i].digit == from &&
			    choice->pieces[i].step == at * factors->digits[from].digit.step)
				value ^= value_of(&choice->pieces[i], lane, n);
	}
	return value;
}

/* What the pieces of the digits that "whole" spans count. */
static int64_t count_of(const struct choice *choice, const struct digit *whole, int64_t lane,
	int64_t n)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		struct digit digit = { choice->factors->digits[piece->digit].digit.dim,
			piece->step, piece->radix };

		if (piece->where != CHOICE_GRID && factor_is_part(whole, &digit))
			sum += value_of(piece, lane, n) * (piece->step / whole->step);
	}
	return sum;
}

/* What a rotated digit of constant weight adds. */
static int64_t rotated_place(const struct choice *choice, enum factor_side side,
	unsigned digit, int64_t lane, int64_t n)
{
	const struct factor_digit *of = &choice->factors->digits[digit];
	const struct factor_rotation *by = factor_rotation(choice->factors, side, digit);

	if (!by || of->weight[side]->op != INDEX_INT)
		return 0;
	n = count_of(choice, &by->to, lane, n) + by->times * count_of(choice, &by->from, lane, n);
	return n / (of->digit.step / by->to.step) % of->digit.radix * of->weight[side]->value;
}

/* Is a place not the sum of the lane's and the register's? */
static bool is_xored(const struct choice *choice, enum factor_side side)
{
	for (unsigned x = 0; x < choice->factors->xor_count; x++)
		if (choice->factors->xors[x].side == side)
			return true;
	for (unsigned r = 0; r < choice->factors->rotation_count; r++)
		if (choice->factors->rotations[r].side == side)
			return true;
	return false;
}

/* The place of a lane's register. */
static struct place place_of(const struct choice *choice, enum factor_side side, int64_t far,
	int64_t lane, int64_t n)
{
	struct place place = { 0, 0 };
	int64_t scale = 1;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit =
			&choice->factors->digits[piece->digit];
		int64_t value, weight = choice_weight(choice, piece, side);

		if (piece->where == CHOICE_GRID ||
		    (digit->weight[side]->op == INDEX_INT &&
		     factor_rotation(choice->factors, side, piece->digit)))
			continue;
		value = stored_value(choice, side, piece, lane, n);
		if ((digit->weight[side]->op == INDEX_INT || weight) && weight < far) {
			place.near += value * weight;
		} else {
			place.far += value * scale;
			scale *= piece->radix;
		}
	}
	for (unsigned i = 0; choice->factors->rotation_count &&
	     i < choice->factors->digit_count; i++)
		place.near += rotated_place(choice, side, i, lane, n);
	return place;
}

/* The places of the lanes' first registers, which are sums of what lanes have; nothing where they
 * are xored. */
static void find_places(const struct choice *choice, enum factor_side side, int64_t far,
	int64_t lanes, struct place *places)
{
	int64_t scale = 1;

	memset(places, 0, (size_t)lanes * sizeof(*places));
	for (unsigned i = 0; !is_xored(choice, side) && i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &choice->factors->digits[piece->digit];
		int64_t weight = choice_weight(choice, piece, side);
		bool near = (digit->weight[side]->op == INDEX_INT || weight) && weight < far;

		for (int64_t lane = 0; piece->where == CHOICE_LANE && lane < lanes; lane++)
			if (near)
				places[lane].near += value_of(piece, lane, 0) * weight;
			else
				places[lane].far += value_of(piece, lane, 0) * scale;
		if (piece->where != CHOICE_GRID && !near)
			scale *= piece->radix;
	}
}

/* The place of a lane's register, which is "from" of the first lane. */
static struct place add_places(const struct choice *choice, enum factor_side side, int64_t far,
	const struct place *places, struct place from, int64_t lane, int64_t n)
{
	if (is_xored(choice, side))
		return place_of(choice, side, far, lane, n);
	return (struct place){ places[lane].far + from.far, places[lane].near + from.near };
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->far != y->far)
		return x->far < y->far ? -1 : 1;
	return (x->near > y->near) - (x->near < y->near);
}

static bool is_spare(const struct choice *choice, int64_t lane)
{
	for (unsigned i = 0; i < choice->spare_count; i++)
		if (lane / choice->spares[i].place % choice->spares[i].radix)
			return true;
	return false;
}

/* Segments of the access that begins with register n, by the first "count" lanes. */
static int64_t touched_by(const struct choice *choice, enum factor_side side, int64_t n,
	int64_t count, int64_t bits)
{
	struct place segments[MOST_TOUCHED], places[MOST_LANES];
	struct place first = place_of(choice, side, INT64_MAX, 0, n);
	int64_t width = gather_span(choice->vector[side], choice->step[side]) *
		(int64_t)choice->rules.bits[side];
	unsigned used = 0, distinct = 0;

	find_places(choice, side, INT64_MAX, count, places);
	for (int64_t lane = 0; lane < count; lane++) {
		struct place place = add_places(choice, side, INT64_MAX, places, first, lane, n);
		int64_t from = place.near * choice->rules.bits[side];

		for (int64_t at = from / bits; at * bits < from + width; at++)
			if (used < MOST_TOUCHED && !is_spare(choice, lane))
				segments[used++] = (struct place){ place.far, at };
	}
	qsort(segments, used, sizeof(*segments), by_place);
	for (unsigned i = 0; i < used; i++)
		distinct += !i || by_place(&segments[i], &segments[i - 1]) != 0;
	return distinct;
}

/* Is this register the first of an access?  Registers of a run are accessed in whole
 * vectors. */
static bool is_first(const struct choice *choice, enum factor_side side, int64_t n)
{
	int64_t offset = 0;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		int64_t weight = choice_weight(choice, piece, side);

		if (piece->where == CHOICE_REGISTER && weight &&
		    weight < choice->run[side] * choice->step[side])
			offset += n / piece->place % piece->radix * weight;
	}
	return offset / choice->step[side] % choice->vector[side] == 0;
}

/* Lanes of the first wave. */
static int64_t lane_count(const struct choice *choice)
{
	return choice->lanes < choice->rules.wave_size ? choice->lanes :
		choice->rules.wave_size;
}

int64_t choice_first_segments(const struct choice *choice, enum factor_side side,
	int64_t bytes)
{
	return touched_by(choice, side, 0, lane_count(choice), 8 * bytes);
}

int64_t choice_access_segments(const struct choice *choice, enum factor_side side,
	int64_t access, int64_t bytes)
{
	return touched_by(choice, side, access * choice->vector[side], lane_count(choice),
		8 * bytes);
}

/* The access that begins with register n; "places" are of the lanes' first registers. */
static void trace_access(const struct choice *choice, enum factor_side side, int64_t n,
	const struct place *places, int64_t lanes, struct memory_range range, int64_t far,
	struct memory_trace *trace)
{
	int64_t bits = choice->rules.bits[side], wave = choice->rules.wave_size;
	struct place from = place_of(choice, side, far, 0, n);

	for (int64_t lane = 0; lane < lanes; lane++) {
		struct place place = add_places(choice, side, far, places, from, lane, n);

		if (is_spare(choice, lane))
			continue;
		range.wave = (unsigned)(lane / wave);
		range.far = place.far;
		range.from = place.near * bits / 8;
		memory_add(trace, range);
	}
}

void choice_trace(const struct choice *choice, enum factor_side side, int64_t lanes,
	struct memory_trace *trace)
{
	struct place *places = calloc((size_t)lanes, sizeof(*places));
	struct memory_range range = { .bytes = gather_span(choice->vector[side],
		choice->step[side]) * choice->rules.bits[side] / 8 };
	int64_t far = far_weight(choice, side, trace->facts->line);

	trace->failed = !places;
	if (places)
		find_places(choice, side, far, lanes, places);
	for (int64_t n = 0; places && n < choice->registers; n++) {
		if (!is_first(choice, side, n))
			continue;
		trace_access(choice, side, n, places, lanes, range, far, trace);
		range.access++;
	}
	free(places);
}

struct choice_segments choice_segments(const struct choice *choice, enum factor_side side,
	int64_t bytes)
{
	int64_t count = lane_count(choice);
	struct choice_segments result = { 0 };
	int64_t busy = 0;

	for (int64_t lane = 0; lane < count; lane++)
		busy += !is_spare(choice, lane);
	for (int64_t n = 0; n < choice->registers; n++) {
		int64_t wave = busy * choice->vector[side] * choice->rules.bits[side];

		if (!is_first(choice, side, n))
			continue;
		result.accesses++;
		result.touched += touched_by(choice, side, n, count, 8 * bytes);
		result.least += (wave + 8 * bytes - 1) / (8 * bytes);
	}
	return result;
}

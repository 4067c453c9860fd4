/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/parts.h"

#include <stdlib.h>

static unsigned plan_dim_of(const struct tile_builder *b, unsigned dim)
{
	unsigned d = 0;

	while (b->dims[d] != dim)
		d++;
	return d;
}

/* The digits of the tile and their places. */
static bool place_digits(struct tile_builder *b)
{
	const struct choice *choice = b->choice;
	struct plan_tile *tile = b->plan->tile;
	struct tile_move *move = &tile->moves[0];

	tile->digits = layout_alloc(b->ctx, choice->count, sizeof(*tile->digits));
	move->places = layout_alloc(b->ctx, choice->count, sizeof(*move->places));
	move->registers = choice->registers;
	move->spares = layout_alloc(b->ctx, choice->spare_count, sizeof(*move->spares));
	for (; move->spares && move->spare_count < choice->spare_count; move->spare_count++)
		move->spares[move->spare_count] = choice->spares[move->spare_count];
	tile->move_count = 1;
	for (unsigned i = 0; tile->digits && move->places && i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &b->factors->digits[piece->digit];

		if (piece->where == CHOICE_GRID)
			continue;
		tile->digits[tile->digit_count] = (struct digit){
			plan_dim_of(b, digit->digit.dim), piece->step, piece->radix };
		move->places[tile->digit_count++] = (struct tile_place){
			piece->where == CHOICE_LANE, piece->place };
	}
	return tile->digits && move->places && move->spares;
}

/* The digits of the tile that are pieces of "digit", "at" steps of it. */
static uint64_t digits_at(const struct tile_builder *b, unsigned digit, int64_t at)
{
	const struct choice *choice = b->choice;
	uint64_t bit = 1, found = 0;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (piece->where == CHOICE_GRID)
			continue;
		if (piece->digit == digit &&
		    piece->step == at * b->factors->digits[digit].digit.step)
			found |= bit;
		bit <<= 1;
	}
	return found;
}

/* A piece and what it is xored with on a side. */
static uint64_t term_digits(const struct tile_builder *b, enum factor_side side,
	const struct choice_piece *piece)
{
	const struct factors *factors = b->factors;
	int64_t at = piece->step / factors->digits[piece->digit].digit.step;
	uint64_t digits = digits_at(b, piece->digit, at);

	for (unsigned x = 0; x < factors->xor_count; x++)
		if (factors->xors[x].side == side && factors->xors[x].to == piece->digit)
			digits ^= digits_at(b, factors->xors[x].from, at);
	return digits;
}

/* A term for each digit that is worth anything on a side. */
static bool build_terms(struct tile_builder *b, enum factor_side side, struct tile_side *out)
{
	const struct choice *choice = b->choice;

	out->terms = layout_alloc(b->ctx, choice->count, sizeof(*out->terms));
	out->vector = choice->vector[side];
	out->step = choice->step[side];
	for (unsigned i = 0; out->terms && i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &b->factors->digits[piece->digit];
		struct index *weight;

		if (piece->where == CHOICE_GRID || factor_rotation(b->factors, side, piece->digit))
			continue;
		weight = index_binary(INDEX_MUL, index_copy(digit->weight[side]),
			index_int(piece->step / digit->digit.step));
		if (!weight)
			return false;
		if (index_is(weight, 0))
			index_free(weight);
		else
			out->terms[out->term_count++] = (struct tile_term){
				term_digits(b, side, piece), weight,
				tile_is_backward(b, side, digit->digit.dim) };
	}
	return out->terms;
}

/* How far a tile's digits count in a dimension of the source: those that lie behind its end, where
 * a tile of the destination is longer, are worth nothing there. */
static int64_t counted_extent(const struct tile_builder *b, unsigned dim)
{
	const struct choice *choice = b->choice;
	int64_t last = 0;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &b->factors->digits[piece->digit];

		if (piece->where != CHOICE_GRID && digit->digit.dim == dim &&
		    !index_is(digit->weight[FACTOR_LOAD], 0))
			last += (piece->radix - 1) * piece->step;
	}
	return last + 1;
}

/* Where the source counts backwards, the last element of a tile is the first in memory. */
static struct index *backward_slot(const struct tile_builder *b, const struct factor_slot *slot,
	struct index *coordinate)
{
	unsigned dim = slot->digit.dim;
	struct index *next = index_binary(INDEX_ADD, index_binary(INDEX_MUL,
		index_copy(coordinate), index_int(choice_extent(b->choice, dim))),
		index_int(counted_extent(b, dim)));

	return index_binary(INDEX_SUB, index_binary(INDEX_ADD, index_int(1),
		index_copy(b->factors->dims[dim].low)), next);
}

/* The slot of the first element of a tile.  Tiles of a shifted source that end before its
 * first element are not read. */
static struct index *base_slot(const struct tile_builder *b, enum factor_side side,
	const struct factor_slot *slot, struct index *coordinate)
{
	int64_t extent = choice_extent(b->choice, slot->digit.dim);
	struct index *low = b->factors->dims[slot->digit.dim].low, *value;

	if (side == FACTOR_LOAD && b->factors->dims[slot->digit.dim].single)
		return index_int(0);
	if (tile_is_backward(b, side, slot->digit.dim))
		return backward_slot(b, slot, coordinate);
	if (slot->digit.radix && extent % (slot->digit.step * slot->digit.radix) == 0)
		return index_int(0);
	value = index_binary(INDEX_MUL, index_copy(coordinate),
		index_int(tile_step(b, slot->digit.dim)));
	if (side == FACTOR_LOAD && !index_is(low, 0))
		value = index_binary(INDEX_SUB, value, index_copy(low));
	if (side == FACTOR_LOAD && !index_is(low, 0) && tile_divides(extent, low) &&
	    (slot->digit.step > 1 || slot->digit.radix))
		value = index_binary(INDEX_MAX, value, index_int(0));
	value = index_binary(INDEX_FDIV, value, index_int(slot->digit.step));
	return slot->digit.radix ? index_binary(INDEX_PMOD, value, index_int(slot->digit.radix)) :
		value;
}

/* Does the tile hold digits of a dimension that tiles of the source begin inside of? */
static bool is_carried(const struct tile_builder *b, unsigned dim)
{
	const struct choice *choice = b->choice;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &b->factors->digits[piece->digit];

		if (piece->where != CHOICE_GRID && digit->digit.dim == dim && digit->carried)
			return true;
	}
	return false;
}

/* Of so many elements are the source's tiles. */
static int64_t source_tile(const struct tile_builder *b, unsigned dim)
{
	int64_t tile = 1;

	for (unsigned k = 0; k < b->factors->slot_count[FACTOR_LOAD]; k++) {
		const struct factor_slot *slot = &b->factors->slots[FACTOR_LOAD][k];
		int64_t end = slot->digit.step * (slot->digit.radix ? slot->digit.radix : 1);

		if (slot->digit.dim == dim && end > tile)
			tile = end;
	}
	return tile;
}

/* The index in the source of the first element of a tile. */
static struct index *source_start(const struct tile_builder *b, unsigned dim,
	struct index *coordinate)
{
	return index_binary(INDEX_SUB, index_binary(INDEX_MUL, index_copy(coordinate),
		index_int(choice_extent(b->choice, dim))),
		index_copy(b->factors->dims[dim].low));
}

/* The part of that inside a tile of the source. */
static struct index *source_first(const struct tile_builder *b, unsigned dim,
	struct index *coordinate)
{
	struct index *start = source_start(b, dim, coordinate);
	struct index *tile = index_int(source_tile(b, dim));

	if (start && start->min >= 0)
		return index_binary(INDEX_PMOD, start, tile);
	return index_binary(INDEX_SUB, start, index_binary(INDEX_MUL,
		index_binary(INDEX_FDIV, index_copy(start), index_copy(tile)), tile));
}

/* A slot of the source in a dimension that is carried: what it is worth at the first
 * element of the source's tile; the rest is a carry. */
static struct index *carried_slot(const struct tile_builder *b, const struct factor_slot *slot,
	struct index *coordinate)
{
	if (slot->digit.radix)
		return index_int(0);
	return index_binary(INDEX_FDIV, source_start(b, slot->digit.dim, coordinate),
		index_int(slot->digit.step));
}

static bool build_carried(struct tile_builder *b, struct index **coordinates,
	struct tile_side *out)
{
	for (unsigned k = 0; k < b->factors->slot_count[FACTOR_LOAD]; k++) {
		const struct factor_slot *slot = &b->factors->slots[FACTOR_LOAD][k];
		struct tile_carry *carry = &out->carries[out->carry_count];
		unsigned d = plan_dim_of(b, slot->digit.dim);

		if (!is_carried(b, slot->digit.dim))
			continue;
		out->carry_count++;
		*carry = (struct tile_carry){ .dim = d, .counts = { { 0, 1, 1, 0 }, { 0, 1, 0, 0 } },
			.first = source_first(b, slot->digit.dim, coordinates[d]),
			.bound = source_tile(b, slot->digit.dim), .step = slot->digit.step,
			.radix = slot->digit.radix, .weight = index_copy(slot->pitch) };
		if (!carry->first || !carry->weight)
			return false;
	}
	return true;
}

/* The value of a digit at the first element of a tile. */
static struct index *first_value(const struct tile_builder *b, const struct digit *digit,
	struct index **coordinates)
{
	int64_t extent = choice_extent(b->choice, digit->dim);
	struct index *value;

	if (digit->radix && extent % (digit->step * digit->radix) == 0)
		return index_int(0);
	value = index_binary(INDEX_FDIV, index_binary(INDEX_MUL,
		index_copy(coordinates[plan_dim_of(b, digit->dim)]), index_int(extent)),
		index_int(digit->step));
	return digit->radix ? index_binary(INDEX_PMOD, value, index_int(digit->radix)) : value;
}

/* How far a rotated digit is at the first element of a tile. */
static struct index *first_turn(const struct tile_builder *b, const struct factor_rotation *by,
	struct index **coordinates)
{
	int64_t radix = by->to.radix, extent = choice_extent(b->choice, by->from.dim);
	struct index *turn;

	if (extent % (by->from.step * radix) == 0 && by->from.radix % radix == 0)
		return first_value(b, &by->to, coordinates);
	turn = index_binary(INDEX_PMOD, first_value(b, &by->from, coordinates), index_int(radix));
	return index_binary(INDEX_PMOD, index_binary(INDEX_ADD,
		first_value(b, &by->to, coordinates), index_binary(INDEX_MUL, turn,
		index_int(by->times))), index_int(radix));
}

/* A digit that is rotated. */
static bool build_rotated(struct tile_builder *b, struct index **coordinates,
	const struct factor_rotation *by, unsigned digit, struct tile_side *out)
{
	const struct factor_digit *of = &b->factors->digits[digit];
	struct tile_carry *carry = &out->carries[out->carry_count++];

	*carry = (struct tile_carry){ .dim = plan_dim_of(b, by->to.dim),
		.counts = { { 0, by->to.step, 1, by->to.radix },
			{ 0, by->from.step, by->times, by->to.radix } },
		.first = first_turn(b, by, coordinates),
		.bound = by->to.radix, .step = of->digit.step / by->to.step,
		.radix = of->digit.radix, .weight = index_copy(of->weight[by->side]) };
	return carry->first && carry->weight;
}

static bool build_carries(struct tile_builder *b, enum factor_side side, struct index **coordinates,
	struct tile_side *out)
{
	bool ok;

	out->carries = layout_alloc(b->ctx, (size_t)b->factors->slot_count[FACTOR_LOAD] +
		b->factors->digit_count, sizeof(*out->carries));
	ok = out->carries && (side == FACTOR_STORE || build_carried(b, coordinates, out));
	for (unsigned i = 0; ok && i < b->factors->digit_count; i++) {
		const struct factor_rotation *by = factor_rotation(b->factors, side, i);

		ok = !by || build_rotated(b, coordinates, by, i, out);
	}
	return ok;
}

/* What the digits that are rotated would add to a base: a carry has it. */
static struct index *less_rotated(const struct tile_builder *b, enum factor_side side,
	struct index **coordinates, struct index *base)
{
	for (unsigned i = 0; i < b->factors->digit_count; i++) {
		const struct factor_digit *digit = &b->factors->digits[i];

		if (factor_rotation(b->factors, side, i))
			base = index_binary(INDEX_SUB, base, index_binary(INDEX_MUL,
				first_value(b, &digit->digit, coordinates),
				index_copy(digit->weight[side])));
	}
	return base;
}

/* The address of the first element of a tile: as its extents neither cross a slot's
 * step nor part one, slots of the first element and digits of the others add up. */
static bool build_base(struct tile_builder *b, enum factor_side side, struct index **coordinates,
	struct tile_side *out)
{
	out->base = side == FACTOR_LOAD && b->request->start ?
		index_copy(b->request->start) : index_int(0);
	for (unsigned k = 0; k < b->factors->slot_count[side]; k++) {
		const struct factor_slot *slot = &b->factors->slots[side][k];
		struct index *coordinate = coordinates[plan_dim_of(b, slot->digit.dim)];
		bool carried = side == FACTOR_LOAD && is_carried(b, slot->digit.dim);

		out->base = index_binary(INDEX_ADD, out->base, index_binary(INDEX_MUL,
			carried ? carried_slot(b, slot, coordinate) :
			base_slot(b, side, slot, coordinate), index_copy(slot->pitch)));
	}
	out->base = less_rotated(b, side, coordinates, out->base);
	return out->base;
}

static bool place_sides(struct tile_builder *b)
{
	struct tile_move *move = &b->plan->tile->moves[0];
	unsigned count = b->factors->dim_count;
	struct index **coordinates = layout_alloc(b->ctx, count, sizeof(*coordinates));
	bool ok = coordinates;

	for (unsigned d = 0; ok && d < count; d++) {
		coordinates[d] = index_counter(b->plan->size_count + d,
			b->plan->visit.dims[d].extent);
		ok = coordinates[d];
	}
	ok = ok && build_base(b, FACTOR_LOAD, coordinates, &move->load) &&
		build_base(b, FACTOR_STORE, coordinates, &move->store) &&
		build_carries(b, FACTOR_LOAD, coordinates, &move->load) &&
		build_carries(b, FACTOR_STORE, coordinates, &move->store) &&
		build_terms(b, FACTOR_LOAD, &move->load) &&
		build_terms(b, FACTOR_STORE, &move->store);
	index_list_free(coordinates, count);
	return ok;
}

bool tile_build_sides(struct tile_builder *b)
{
	return place_digits(b) && place_sides(b);
}

/* The digits of a move that the carries of rotated digits count. */
static void find_rotated(const struct tile_builder *b, enum factor_side side,
	const struct tile_move *move, struct tile_side *out)
{
	const struct plan_tile *tile = b->plan->tile;
	unsigned carry = out->carry_count;

	for (unsigned i = b->factors->digit_count; i--;) {
		const struct factor_rotation *by = factor_rotation(b->factors, side, i);
		struct tile_count *counts;

		if (!by)
			continue;
		counts = out->carries[--carry].counts;
		for (unsigned k = 0; k < tile->digit_count; k++) {
			struct digit digit = tile->digits[k];

			digit.dim = b->dims[digit.dim];
			if (!move->places[k].place)
				continue;
			if (factor_is_part(&by->to, &digit))
				counts[0].digits |= UINT64_C(1) << k;
			if (factor_is_part(&by->from, &digit))
				counts[1].digits |= UINT64_C(1) << k;
		}
	}
}

void tile_find_counts(const struct tile_builder *b)
{
	struct plan_tile *tile = b->plan->tile;
	struct tile_move *last = &tile->moves[tile->move_count - 1];

	find_rotated(b, FACTOR_LOAD, tile->moves, &tile->moves[0].load);
	find_rotated(b, FACTOR_STORE, last, &last->store);
}

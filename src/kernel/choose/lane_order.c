/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/choose/lane_order.h"
#include "kernel/choose/parts.h"
#include "isl_bridge/arithmetic.h"

/* One way in which bits of a lane's number become bits of an address: times
 * step / place, counted in elements or in pitches of a slot. */
struct lane_move {
	enum factor_side side;
	bool constant;
	unsigned slot;
	int64_t step, place;
};

static struct lane_move move_of(const struct choice *choice,
	const struct choice_piece *piece, enum factor_side side)
{
	int64_t weight = choice_weight(choice, piece, side);

	return (struct lane_move){ .side = side, .constant = weight,
		.slot = weight ? 0 : choice_digit(choice, piece)->slot[side],
		.step = weight ? weight : piece->step, .place = piece->place };
}

static bool moves_bits(const struct choice_piece *piece, const struct lane_move *move)
{
	return int_is_power2(piece->radix) && int_is_power2(move->step) &&
		int_is_power2(move->place);
}

static int distance(const struct lane_move *move)
{
	return int_log2(move->step) - int_log2(move->place);
}

static bool is_same(const struct lane_move *a, const struct lane_move *b)
{
	return a->side == b->side && a->constant == b->constant && a->slot == b->slot &&
		distance(a) == distance(b);
}

/* The ways in which the lanes' bits move; -1 where not all of them only move. */
static int count_moves(const struct choice *choice)
{
	struct lane_move moves[FACTOR_SIDES * CHOICE_PIECES];
	int used = 0, at;

	for (unsigned i = 0; i < choice->count; i++)
		for (int side = 0; side < FACTOR_SIDES; side++) {
			const struct choice_piece *piece = &choice->pieces[i];
			struct lane_move move;

			if (piece->where != CHOICE_LANE)
				continue;
			move = move_of(choice, piece, (enum factor_side)side);
			if (!moves_bits(piece, &move))
				return -1;
			for (at = 0; at < used && !is_same(&moves[at], &move); at++)
				;
			moves[at] = move;
			used += at == used;
		}
	return used;
}

/* Does "a" come before "b": the lanes of one dimension first, by step, and then the
 * nearest in the destination? */
static bool comes_before(const struct choice *choice, const struct choice_piece *a,
	const struct choice_piece *b, unsigned dim)
{
	bool a_first = choice_digit(choice, a)->digit.dim == dim;
	bool b_first = choice_digit(choice, b)->digit.dim == dim;

	if (a_first != b_first)
		return a_first;
	return a_first ? a->step < b->step :
		choice_is_nearer(choice, a, b, FACTOR_STORE);
}

static void number(struct choice *choice, unsigned dim)
{
	int64_t place = 1;

	for (unsigned i = 0; i < choice->count; i++)
		if (choice->pieces[i].where == CHOICE_LANE)
			choice->pieces[i].place = 0;
	for (;;) {
		struct choice_piece *next = NULL;

		for (unsigned i = 0; i < choice->count; i++) {
			struct choice_piece *piece = &choice->pieces[i];

			if (piece->where == CHOICE_LANE && !piece->place &&
			    (!next || comes_before(choice, piece, next, dim)))
				next = piece;
		}
		if (!next)
			return;
		next->place = place;
		place *= next->radix;
	}
}

void lane_order(struct choice *choice)
{
	struct choice next = *choice;
	int least = count_moves(choice), moves;

	for (unsigned dim = 0; dim < choice->factors->dim_count; dim++) {
		number(&next, dim);
		moves = count_moves(&next);
		if (moves < 0 || moves >= least || choice_touched(&next) > choice_touched(choice))
			continue;
		*choice = next;
		least = moves;
	}
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lanes: segments of memory, then waves, are filled. */
#include "kernel/choose/parts.h"

int64_t choice_holes(const struct choice *choice)
{
	int64_t product = 1, open = 1;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (i && choice_dim(choice, piece) != choice_dim(choice, piece - 1))
			open = 1;
		if (piece->where == CHOICE_GRID) {
			open *= piece->radix;
		} else {
			product *= open;
			open = 1;
		}
	}
	return product;
}

static int64_t workgroup(const struct choice *choice)
{
	return choice->lanes * choice_holes(choice);
}

/* Take part of a piece as lanes, unless the workgroup, with all that then belongs to
 * the tile, had more than "most" of them. */
static bool try_lanes(struct choice *choice, unsigned i, int64_t part, int64_t most)
{
	struct choice before = *choice;

	if (part > 1 && choice_take(choice, i, part, CHOICE_LANE) && choice->lanes <= most &&
	    choice->lanes * choice_holes(choice) <= most)
		return true;
	*choice = before;
	return false;
}

/* The grid's piece of the smallest constant weight beyond "least" bits and below
 * "most", or the count. */
static unsigned next_in_segment(const struct choice *choice, enum factor_side side,
	int64_t least, int64_t most)
{
	unsigned found = choice->count;

	for (unsigned i = 0; i < choice->count; i++) {
		int64_t bits = choice_weight_bits(choice, i, side);

		if (choice->pieces[i].where == CHOICE_GRID && bits > least &&
		    bits < most) {
			found = i;
			most = bits;
		}
	}
	return found;
}

/* Lanes fill segments of so many bytes. */
static void fill_segments(struct choice *choice, enum factor_side side, int64_t bytes,
	int64_t most)
{
	int64_t least = 0, end = 8 * bytes, part;
	unsigned i;

	while ((i = next_in_segment(choice, side, least, end)) < choice->count) {
		const struct choice_piece *piece = &choice->pieces[i];

		least = choice_weight_bits(choice, i, side);
		part = choice_even_part(choice, piece, (end + least - 1) / least);
		if (bytes > 64 && choice_copies_twice(choice, piece, part))
			continue;
		if (!try_lanes(choice, i, part, most))
			try_lanes(choice, i, choice_small_part(choice, piece), most);
	}
}

/* The base of a tile has no xor: what is linked is the tile's, as lanes if it can be.
 * False where it is too much. */
static bool take_linked(struct choice *choice)
{
	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (piece->where != CHOICE_GRID ||
		    !factor_is_linked(choice->factors, piece->digit) ||
		    try_lanes(choice, i, piece->radix, choice->rules.most_lanes))
			continue;
		if (choice_dwords(choice, choice->registers * piece->radix) >
				MOST_DWORDS ||
		    !choice_take(choice, i, piece->radix, CHOICE_REGISTER) ||
		    workgroup(choice) > choice->rules.most_lanes)
			return false;
	}
	return true;
}

/* The grid's piece that is nearest on a side, of those that have parts; or the count. */
static unsigned nearest(const struct choice *choice, enum factor_side side)
{
	unsigned found = choice->count;

	for (unsigned i = 0; i < choice->count; i++)
		if (choice->pieces[i].where == CHOICE_GRID &&
		    choice_small_part(choice, &choice->pieces[i]) > 1 &&
		    (found == choice->count || choice_is_nearer(choice,
				&choice->pieces[i], &choice->pieces[found], side)))
			found = i;
	return found;
}

/* How many of a thousand lanes have work, in whole waves. */
static int64_t occupancy(const struct choice *choice)
{
	int64_t lanes = workgroup(choice), full = choice->rules.full_lanes;

	return 1000 * lanes / ((lanes + full - 1) / full * full);
}

/* Smallest strides of both sides in turn, until waves are as full as can be. */
static void fill_waves(struct choice *choice)
{
	struct choice best = *choice;
	enum factor_side side = FACTOR_STORE;
	unsigned refused = 0, i;

	while (occupancy(choice) < 1000 && refused < FACTOR_SIDES) {
		i = nearest(choice, side);
		if (i < choice->count && try_lanes(choice, i,
		    choice_small_part(choice, &choice->pieces[i]),
		    choice->rules.most_lanes))
			refused = 0;
		else
			refused++;
		side = side == FACTOR_STORE ? FACTOR_LOAD : FACTOR_STORE;
		if (occupancy(choice) > occupancy(&best))
			best = *choice;
	}
	*choice = best;
}

/* A piece that is in the tile in spite of being the grid's: others of its dimension
 * are above it. */
static bool is_hole(const struct choice *choice, unsigned i)
{
	unsigned dim = choice_dim(choice, &choice->pieces[i]);

	if (choice->pieces[i].where != CHOICE_GRID)
		return false;
	for (unsigned k = i + 1; k < choice->count; k++)
		if (choice_dim(choice, &choice->pieces[k]) == dim &&
		    choice->pieces[k].where != CHOICE_GRID)
			return true;
	return false;
}

static void fill_holes(struct choice *choice)
{
	for (unsigned i = 0; i < choice->count; i++)
		if (is_hole(choice, i))
			choice_take(choice, i, choice->pieces[i].radix, CHOICE_LANE);
}

/* Tiles that end where a storage's tiles do have simpler addresses: take what is
 * missing in a dimension, if that is a factor of 2 or so. */
static void complete_tiles(struct choice *choice)
{
	for (unsigned i = 1; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		bool last = i + 1 == choice->count ||
			choice_dim(choice, piece + 1) != choice_dim(choice, piece) ||
			!piece[1].radix;

		if (last && piece->where == CHOICE_GRID && piece->radix &&
		    choice_dim(choice, piece - 1) == choice_dim(choice, piece) &&
		    piece[-1].where != CHOICE_GRID &&
		    choice->lanes * piece->radix <= 2 * choice->rules.full_lanes)
			choice_take(choice, i, piece->radix, CHOICE_LANE);
	}
}

/* Segments of both sides, the store's first; longer ones only where lanes are left. */
static void fill_all_segments(struct choice *choice)
{
	int64_t full = choice->rules.full_lanes;

	for (unsigned bytes = 64; bytes <= 128; bytes *= 2) {
		int64_t most = bytes == 64 ? choice->rules.most_lanes : 2 * full;

		for (int side = FACTOR_STORE; side >= FACTOR_LOAD; side--)
			if (bytes == 64 || workgroup(choice) < full)
				fill_segments(choice, (enum factor_side)side, bytes,
					most);
	}
}

bool choose_lanes(struct choice *choice)
{
	fill_all_segments(choice);
	if (!take_linked(choice))
		return false;
	fill_waves(choice);
	fill_holes(choice);
	complete_tiles(choice);
	return true;
}

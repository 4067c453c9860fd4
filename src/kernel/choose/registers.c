/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* More registers than the square's: as many as a lane can well hold. */
#include "kernel/choose/parts.h"

/* From this extent on, a tile rather grows in other dimensions: sizes that are not known
 * may be small. */
#define LONG_EXTENT 512

/* Parts of dwords stay together where the same digits part dwords on both sides; and a
 * conversion to another width packs them anyway. */
static bool moves_dwords(const struct choice *choice)
{
	if (choice->rules.bits[FACTOR_LOAD] != choice->rules.bits[FACTOR_STORE])
		return true;
	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		int64_t load = choice_weight(choice, piece, FACTOR_LOAD);
		int64_t store = choice_weight(choice, piece, FACTOR_STORE);

		if (piece->where == CHOICE_REGISTER && load != store &&
		    (choice_weight_bits(choice, i, FACTOR_LOAD) % 32 ||
		     choice_weight_bits(choice, i, FACTOR_STORE) % 32))
			return false;
	}
	return true;
}

/* Registers go from the accesses of one side to those of the other as they are. */
static bool is_copy(const struct choice *choice)
{
	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		int64_t load = choice_weight(choice, piece, FACTOR_LOAD);
		int64_t store = choice_weight(choice, piece, FACTOR_STORE);

		if (piece->where == CHOICE_REGISTER && load != store &&
		    ((load && load < choice->vector[FACTOR_LOAD] *
				(int64_t)choice->step[FACTOR_LOAD]) ||
		     (store && store < choice->vector[FACTOR_STORE])))
			return false;
	}
	return choice->vector[FACTOR_LOAD] == choice->vector[FACTOR_STORE];
}

/* The first piece of its dimension that is the grid's: what can extend the tile. */
static bool is_next(const struct choice *choice, unsigned i)
{
	return choice->pieces[i].where == CHOICE_GRID && (!i ||
		choice_dim(choice, &choice->pieces[i]) !=
			choice_dim(choice, &choice->pieces[i - 1]) ||
		choice->pieces[i - 1].where != CHOICE_GRID);
}

/* How welcome a piece is as registers: inside a tile of a storage, at constant offsets
 * unless the tile is long already; -1 for one that cannot be. */
static int welcome(const struct choice *choice, unsigned i, int64_t most)
{
	const struct choice_piece *piece = &choice->pieces[i];
	int64_t part = choice_small_part(choice, piece);

	if (!is_next(choice, i) || part == 1 ||
	    choice_dwords(choice, choice->registers * part) > most)
		return -1;
	return 2 * (piece->radix != 0) + (piece->step < LONG_EXTENT &&
		choice_weight(choice, piece, FACTOR_LOAD) &&
		choice_weight(choice, piece, FACTOR_STORE));
}

void choose_registers(struct choice *choice)
{
	int64_t most = (moves_dwords(choice) && !is_copy(choice) ? MOST_DWORDS :
		SOME_DWORDS) / (choice->rules.small ? 4 : 1);
	enum factor_side side = FACTOR_STORE;

	for (;;) {
		int best = -1;
		unsigned found = choice->count;

		for (unsigned i = 0; i < choice->count; i++) {
			int score = welcome(choice, i, most);

			if (score > best || (score >= 0 && score == best &&
			    choice_is_nearer(choice, &choice->pieces[i],
					&choice->pieces[found], side))) {
				best = score;
				found = i;
			}
		}
		if (best < 0 || !choice_take(choice, found,
		    choice_small_part(choice, &choice->pieces[found]), CHOICE_REGISTER))
			return;
		side = side == FACTOR_STORE ? FACTOR_LOAD : FACTOR_STORE;
	}
}

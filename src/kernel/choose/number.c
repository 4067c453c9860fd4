/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where in the number of a lane or register its pieces are. */
#include "kernel/choose/parts.h"
#include "kernel/choose/lane_order.h"

int64_t choice_number(struct choice *choice, enum choice_where where,
	enum factor_side side, int64_t place, unsigned end)
{
	for (;;) {
		struct choice_piece *next = NULL;

		for (unsigned i = 0; i < choice->count; i++) {
			struct choice_piece *piece = &choice->pieces[i];

			if (piece->where == where && !piece->place && piece->turn < end &&
			    (!next || choice_is_nearer(choice, piece, next, side)))
				next = piece;
		}
		if (!next)
			return place;
		next->place = place;
		place *= next->radix;
	}
}

/* Lanes in the order of the destination; or first those chosen first, where that
 * spares a wave segments. */
static void number_lanes(struct choice *choice)
{
	struct choice other = *choice;

	choice_number(choice, CHOICE_LANE, FACTOR_STORE, 1, choice->turns);
	for (unsigned end = 1; end < choice->turns; end++) {
		struct choice next = other;
		int64_t inside = choice_number(&next, CHOICE_LANE, FACTOR_STORE, 1,
			end);

		if (inside > choice->rules.wave_size)
			break;
		choice_number(&next, CHOICE_LANE, FACTOR_STORE, inside, next.turns);
		if (inside == choice->rules.wave_size && choice_touched(&next) < choice_touched(choice))
			*choice = next;
	}
}

/* One piece for neighbours in the same digit that are neighbours in their number. */
static void merge(struct choice *choice)
{
	unsigned used = 0;

	for (unsigned i = 1; i < choice->count; i++) {
		struct choice_piece *last = &choice->pieces[used];
		const struct choice_piece *piece = &choice->pieces[i];

		if (piece->digit == last->digit && piece->where == last->where &&
		    (piece->where == CHOICE_GRID ||
		     piece->place == last->place * last->radix)) {
			last->radix *= piece->radix;
			last->most = piece->most * last->most;
		} else {
			choice->pieces[++used] = *piece;
		}
	}
	choice->count = choice->count ? used + 1 : 0;
}

/* A digit that was taken in parts is one again: a run went through some of them where the
 * other parts begin with a weight that another digit has, too. */
void choose_numbers(struct choice *choice)
{
	choice_number(choice, CHOICE_REGISTER, FACTOR_STORE, 1, choice->turns);
	number_lanes(choice);
	lane_order(choice);
	merge(choice);
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		choice_measure_run(choice, (enum factor_side)side, choice->vector[side]);
}

/* Part the piece of "digit" that reaches across "at" steps of it.  True where one did
 * and was parted; "full" where there was no room. */
static bool part_at(struct choice *choice, unsigned digit, int64_t at, bool *full)
{
	int64_t step = choice->factors->digits[digit].digit.step;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		int64_t begin = piece->step / step;

		if (piece->digit != digit || begin >= at || begin * piece->radix <= at)
			continue;
		*full = !choice_split(choice, i, at / begin);
		return !*full;
	}
	return false;
}

static int64_t radix_of(const struct factors *factors, unsigned link)
{
	return factors->digits[factors->xors[link].to].digit.radix;
}

bool choice_align(struct choice *choice)
{
	const struct factors *factors = choice->factors;
	bool parted, full = false;

	do {
		parted = false;
		for (unsigned x = 0; x < factors->xor_count; x++)
			for (int64_t at = 2; at < radix_of(factors, x); at *= 2) {
				unsigned to = factors->xors[x].to;
				unsigned from = factors->xors[x].from;

				if (choice_begins(choice, to, at) && !full)
					parted |= part_at(choice, from, at, &full);
				if (choice_begins(choice, from, at) && !full)
					parted |= part_at(choice, to, at, &full);
			}
	} while (parted && !full);
	return !full;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The square: what one lane holds, so that both sides' accesses are wide. */
#include "kernel/choose/parts.h"
#include "isl_bridge/arithmetic.h"

const struct choice_piece *choice_next_of_run(const struct choice *choice,
	enum factor_side side, int64_t run)
{
	for (unsigned i = 0; i < choice->count; i++)
		if (choice->pieces[i].where != CHOICE_LANE &&
		    choice_weight(choice, &choice->pieces[i], side) ==
				run * choice->step[side] &&
		    !factor_is_mixed(choice->factors, side, choice->pieces[i].digit))
			return &choice->pieces[i];
	return NULL;
}

/* Is a digit that ends at a constant better taken as a whole?  Parts of it that are not
 * its divisors leave tiles that are not whole; but the accesses across its end, until
 * they are whole too, must fit. */
static bool takes_all(const struct choice_piece *piece, int64_t want, int64_t most)
{
	return !piece->radix && piece->most % want && piece->most <= most &&
		piece->most / int_gcd(piece->most, want) * want <= most;
}

/* Registers from weight 1 on, until they are whole accesses of "full" elements. */
static void take_run(struct choice *choice, enum factor_side side, int64_t full,
	int64_t most)
{
	const struct choice_piece *piece;
	int64_t run = 1, want, part;

	while (run % full && (piece = choice_next_of_run(choice, side, run))) {
		if (piece->where == CHOICE_REGISTER) {
			run *= piece->radix;
			continue;
		}
		want = full / int_gcd(full, run);
		part = choice_part(piece, want);
		if (part % want && piece->radix && piece->radix % want)
			part = piece->radix * run <= most ? piece->radix :
				int_gcd(piece->radix, want);
		if (takes_all(piece, want, most / run))
			part = piece->most;
		if (part == 1 || part * run > most ||
		    !choice_take(choice, (unsigned)(piece - choice->pieces), part,
				CHOICE_REGISTER))
			break;
		run *= part;
	}
}

void choice_measure_run(struct choice *choice, enum factor_side side, int64_t full)
{
	const struct choice_piece *piece;
	int64_t run = 1, vector = 1;

	while ((piece = choice_next_of_run(choice, side, run)) &&
	       piece->where == CHOICE_REGISTER) {
		if (vector == run)
			vector *= piece->radix & -piece->radix;
		run *= piece->radix;
	}
	choice->run[side] = run;
	if (choice->rules.bits[side] < 8)
		choice->vector[side] = (unsigned)(vector < full ? vector : full);
	else
		choice->vector[side] = (unsigned)int_gcd(run, full);
}

/* Accesses for 64 elements of either side. */
static unsigned access_cost(const struct choice *choice)
{
	return 64 / choice->vector[FACTOR_LOAD] + 64 / choice->vector[FACTOR_STORE];
}

int64_t choice_widest(const struct choice_rules *rules, enum factor_side side)
{
	int64_t full = 1;

	while (2 * full * rules->bits[side] <= 8 * (int64_t)rules->max_bytes)
		full *= 2;
	return full;
}

static void with_square(struct choice *choice, int64_t load, int64_t store)
{
	int64_t most = MOST_DWORDS * 32;

	take_run(choice, FACTOR_STORE, store, most / choice->rules.bits[FACTOR_STORE]);
	take_run(choice, FACTOR_LOAD, load, most / choice->rules.bits[FACTOR_LOAD]);
	choice_measure_run(choice, FACTOR_STORE, store);
	choice_measure_run(choice, FACTOR_LOAD, load);
}

/* The square with the fewest accesses that one lane can hold, and lanes what lies between. */
static void take_square(struct choice *choice)
{
	struct choice best = *choice, next;
	bool found = false;

	for (int64_t load = choice_widest(&choice->rules, FACTOR_LOAD); load; load /= 2)
		for (int64_t store = choice_widest(&choice->rules, FACTOR_STORE); store;
		     store /= 2) {
			next = *choice;
			with_square(&next, load, store);
			if (choice_dwords(&next, next.registers) > MOST_DWORDS ||
			    choice_holes(&next) > choice->rules.most_lanes ||
			    (found && access_cost(&next) >= access_cost(&best)))
				continue;
			best = next;
			found = true;
		}
	*choice = best;
}

static bool has_registers(const struct choice *choice, unsigned digit)
{
	for (unsigned i = 0; i < choice->count; i++)
		if (choice->pieces[i].digit == digit &&
		    choice->pieces[i].where == CHOICE_REGISTER)
			return true;
	return false;
}

/* All of a digit as registers, as far as a lane has room.  True where that changed
 * something. */
static bool take_whole(struct choice *choice, unsigned digit)
{
	bool taken = false;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (piece->digit == digit && piece->where == CHOICE_GRID &&
		    choice_dwords(choice, choice->registers * piece->radix) <=
				MOST_DWORDS)
			taken |= choice_take(choice, i, piece->radix, CHOICE_REGISTER);
	}
	return taken;
}

/* What is xored with registers had better be registers: then each offset of a lane's is
 * its own constant away. */
static void link_square(struct choice *choice)
{
	const struct factors *factors = choice->factors;
	bool taken;

	do {
		taken = false;
		for (unsigned x = 0; x < factors->xor_count; x++)
			if (has_registers(choice, factors->xors[x].to) ||
			    has_registers(choice, factors->xors[x].from)) {
				taken |= take_whole(choice, factors->xors[x].to);
				taken |= take_whole(choice, factors->xors[x].from);
			}
	} while (taken);
}

/* Digits between those of the square, where both sides' offsets are constant. */
static void fill_square(struct choice *choice)
{
	for (unsigned i = 0; i + 1 < choice->count; i++) {
		struct choice_piece *piece = &choice->pieces[i];

		if (piece->where == CHOICE_GRID && piece->radix &&
		    choice_dim(choice, piece) == choice_dim(choice, piece + 1) &&
		    piece[1].where == CHOICE_REGISTER &&
		    !factor_is_linked(choice->factors, piece->digit) &&
		    choice_weight(choice, piece, FACTOR_LOAD) &&
		    choice_weight(choice, piece, FACTOR_STORE) &&
		    choice_dwords(choice, choice->registers * piece->radix) <=
				MOST_DWORDS)
			choice_take(choice, i, piece->radix, CHOICE_REGISTER);
	}
}

void choose_square(struct choice *choice)
{
	take_square(choice);
	link_square(choice);
	fill_square(choice);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* In this order, what is chosen first being worth most:
 *
 *	vectors	the digits that lie next to each other on either side become
 *		registers, up to an access of full width: their product is the square
 *		that one lane holds
 *	lanes	digits that fill segments of 64 bytes, then of 128, on either side,
 *		the store's before the load's; then the smallest strides of both sides
 *		in turn, until a wave is full
 *	holes	what lies below a chosen digit in its dimension: tiles are boxes
 *	rest	registers up to what a lane can well hold, digits inside a storage's
 *		tiles and constant weights first */
#include "kernel/choose/parts.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

/* How many elements at least are whole bytes; those that are loaded are converted at
 * once. */
static int64_t whole_bytes(const struct choice *choice, enum factor_side side)
{
	int64_t own = int_whole_bytes(choice->rules.bits[side]);
	int64_t stored = int_whole_bytes(choice->rules.bits[FACTOR_STORE]);

	return own > stored ? own : stored;
}

/* Can a side access a dimension in blocks of so many elements?  The first of a block must
 * be there if any is.  Where the last are not, a load gets pad values in their stead, and
 * a store zeros, for which nothing but the end of the memory has room. */
static bool has_blocks(const struct choice *choice, unsigned d, enum factor_side side,
	int64_t block)
{
	const struct factor_dim *dim = &choice->factors->dims[d];

	if (side == FACTOR_STORE)
		return choice->factors->dim_count == 1 ||
			factor_divisor(dim->end) % block == 0;
	return factor_divisor(dim->low) % block == 0 &&
		(choice->rules.bits[FACTOR_LOAD] == choice->rules.bits[FACTOR_STORE] ||
		 factor_divisor(dim->high) % block == 0);
}

/* No tile ends inside this dimension, on either side. */
static bool is_even(const struct choice *choice, unsigned d)
{
	const struct factor_dim *dim = &choice->factors->dims[d];

	return index_is(dim->low, 0) &&
		factor_divisor(dim->high) % choice_extent(choice, d) == 0 &&
		index_equal(dim->high, dim->end);
}

/* A piece whose steps are parts of "whole" elements: can these be accessed together?  Where
 * pieces and bytes part each other, or more is converted at once, no tile may end in
 * it. */
static bool fills(const struct choice *choice, enum factor_side side,
	const struct choice_piece *piece, int64_t weight, int64_t whole)
{
	int64_t bits = choice->rules.bits[side];
	int64_t part = whole % weight ? 0 : whole / weight;
	unsigned d = choice_dim(choice, piece);

	if (weight % whole == 0)
		return true;
	if (whole * bits > 8 || !part || (piece->radix % part && part % piece->radix))
		return is_even(choice, d);
	return has_blocks(choice, d, side, piece->step *
		(part < piece->radix ? part : piece->radix));
}

/* Where the source does not begin with its first element no digit says so: do rows begin with
 * bytes?  The elements of a row are looked at piece by piece. */
static bool begins_with_byte(const struct choice *choice, enum factor_side side, int64_t whole)
{
	const struct factors *factors = choice->factors;

	for (unsigned i = 0; side == FACTOR_LOAD && i < factors->slot_count[side]; i++) {
		const struct factor_slot *slot = &factors->slots[side][i];
		const struct factor_dim *dim = &factors->dims[slot->digit.dim];
		bool shifted = dim->low->op != INDEX_INT || dim->low->value;
		bool row = slot->pitch->op != INDEX_INT || slot->pitch->value != 1;

		if (shifted && (row || dim->single) && factor_divisor(slot->pitch) % whole)
			return false;
	}
	return true;
}

/* How many elements of an access one step of a piece is, of which it holds all; 0: it does not.
 * What is worth less than an access may yet lie in several: the rows of a pitch of 15. */
static int64_t accessed(const struct choice *choice, enum factor_side side,
	const struct choice_piece *of)
{
	const struct choice_piece *piece;
	int64_t run = 1;

	while ((piece = choice_next_of_run(choice, side, run)) && piece != of &&
	       piece->where == CHOICE_REGISTER)
		run *= piece->radix;
	return piece == of && of->where == CHOICE_REGISTER &&
		run * of->radix <= choice->vector[side] ? run : 0;
}

bool choice_keeps_bytes(const struct choice *choice, enum factor_side side)
{
	int64_t bits = choice->rules.bits[side];
	int64_t whole = whole_bytes(choice, side);

	if (choice->vector[side] % whole || (bits % 8 && 8 % bits) ||
	    !begins_with_byte(choice, side, whole))
		return false;
	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		int64_t weight = choice_weight(choice, piece, side);
		const struct factor_digit *digit = choice_digit(choice, piece);
		int64_t run = accessed(choice, side, piece);

		if (run) {
			if (!fills(choice, side, piece, weight, int_whole_bytes((unsigned)bits)) ||
			    !fills(choice, side, piece, run, whole))
				return false;
			continue;
		}
		if (weight % whole || (!weight && factor_divisor(digit->weight[side]) *
		    (piece->step / digit->digit.step) % whole))
			return false;
	}
	return true;
}

/* Does the destination end where a digit does, whatever the sizes?  What of it lies beyond the
 * source is then stored all the same. */
static bool ends_whole(const struct factors *factors, const struct factor_digit *digit)
{
	const struct digit *of = &digit->digit;

	return factor_divisor(factors->dims[of->dim].end) % (of->step * of->radix) == 0;
}

static int64_t cap_of(const struct choice_rules *rules, const struct digit *digit)
{
	return digit->dim < CHOICE_DIMS ? rules->caps[digit->dim] : 0;
}

bool choice_has_parts(const struct factors *factors, const struct choice_rules *rules)
{
	for (unsigned i = 0; i < factors->digit_count; i++) {
		const struct digit *digit = &factors->digits[i].digit;
		int64_t cap = cap_of(rules, digit);

		if (cap && digit->radix && cap < digit->step * digit->radix &&
		    !ends_whole(factors, &factors->digits[i]))
			return true;
	}
	return false;
}

/* How many steps of a digit the tile may have; 0: any number. */
static int64_t most_steps(const struct factors *factors, const struct choice_rules *rules,
	const struct factor_digit *digit)
{
	int64_t cap = cap_of(rules, &digit->digit), radix = digit->digit.radix;
	int64_t steps = cap / digit->digit.step;

	if (!cap || (digit->most && digit->most <= steps) ||
	    (radix && (!rules->parts || ends_whole(factors, digit))))
		return digit->most;
	if (steps < 1)
		return 1;
	return radix ? int_gcd(steps, radix) : steps;
}

/* How many elements a run of loads steps by: where none follow each other, the fewest that
 * leave an access two of them. */
static unsigned find_step(const struct factors *factors, const struct choice_rules *rules)
{
	int64_t least = INT64_MAX, bits = rules->bits[FACTOR_LOAD];

	for (unsigned i = 0; i < factors->digit_count; i++) {
		const struct index *weight = factors->digits[i].weight[FACTOR_LOAD];

		if (weight->op == INDEX_INT && weight->value > 0 && weight->value < least)
			least = weight->value;
	}
	return bits < 8 || least > 8 * (int64_t)rules->max_bytes / bits - 1 ? 1 :
		(unsigned)least;
}

void choice_begin(struct choice *choice, const struct factors *factors,
	const struct choice_rules *rules)
{
	*choice = (struct choice){ .factors = factors, .rules = *rules, .registers = 1,
		.lanes = 1, .run = { 1, 1 }, .vector = { 1, 1 },
		.step = { find_step(factors, rules), 1 } };
	for (unsigned i = 0; i < factors->digit_count && i < CHOICE_PIECES; i++) {
		const struct factor_digit *digit = &factors->digits[i];
		int64_t most = most_steps(factors, rules, digit);

		if (most != 1)
			choice->pieces[choice->count++] = (struct choice_piece){ i,
				digit->digit.step, digit->digit.radix ? most : 0, most,
				CHOICE_GRID, 0, 0 };
	}
}

/* Nothing that is xored is left to the grid. */
static bool holds_linked(const struct choice *choice)
{
	for (unsigned i = 0; i < choice->count; i++)
		if (choice->pieces[i].where == CHOICE_GRID &&
		    factor_is_linked(choice->factors, choice->pieces[i].digit))
			return false;
	return true;
}

bool choice_has_room(const struct choice_rules *rules, int64_t registers)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		if (registers * rules->bits[side] > 2 * MOST_DWORDS * 32)
			return false;
	return true;
}

bool choice_finish(struct choice *choice, const char **why)
{
	*why = "a swizzle is not in the tile as a whole";
	if (!holds_linked(choice))
		return false;
	for (int side = FACTOR_STORE; side >= FACTOR_LOAD; side--)
		choice_measure_run(choice, (enum factor_side)side,
			choice_widest(&choice->rules, (enum factor_side)side));
	*why = "too many digits";
	if (!choice_align(choice))
		return false;
	*why = "elements of less than a byte would be parted";
	return choice_keeps_bytes(choice, FACTOR_LOAD) &&
		choice_keeps_bytes(choice, FACTOR_STORE);
}

bool choose(struct choice *choice, const struct factors *factors,
	const struct choice_rules *rules, const char **why)
{
	*why = "too many digits";
	if (factors->digit_count > CHOICE_PIECES / 2)
		return false;
	choice_begin(choice, factors, rules);
	choose_square(choice);
	*why = "a swizzle spans more than a workgroup can hold";
	if (!choose_lanes(choice))
		return false;
	choose_registers(choice);
	choose_numbers(choice);
	*why = "too many digits";
	if (!choice_align(choice))
		return false;
	*why = "elements of less than a byte would be parted";
	return choice_keeps_bytes(choice, FACTOR_LOAD) &&
		choice_keeps_bytes(choice, FACTOR_STORE);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What all steps of choosing do with a choice and its pieces. */
#include "isl_bridge/arithmetic.h"
#include "kernel/choose/parts.h"
#include "kernel/gather.h"

/* Parts of a digit that are larger are not looked for. */
#define FARTHEST_PART 4096

/* Nor small ones. */
#define MOST_SMALL 13

const struct factor_digit *choice_digit(const struct choice *choice,
	const struct choice_piece *piece)
{
	return &choice->factors->digits[piece->digit];
}

unsigned choice_dim(const struct choice *choice, const struct choice_piece *piece)
{
	return choice_digit(choice, piece)->digit.dim;
}

int64_t choice_digit_weight(const struct choice *choice, unsigned digit, enum factor_side side)
{
	const struct index *weight = choice->factors->digits[digit].weight[side];

	return weight->op == INDEX_INT ? weight->value : choice->fits[side] ?
		choice->fits[side]->weights[digit] : 0;
}

int64_t choice_weight(const struct choice *choice, const struct choice_piece *piece,
	enum factor_side side)
{
	int64_t steps = piece->step / choice_digit(choice, piece)->digit.step, value;

	return __builtin_mul_overflow(choice_digit_weight(choice, piece->digit, side), steps,
		&value) ? 0 : value;
}

int64_t choice_weight_bits(const struct choice *choice, unsigned i,
	enum factor_side side)
{
	return choice_weight(choice, &choice->pieces[i], side) *
		(int64_t)choice->rules.bits[side];
}

bool choice_begins(const struct choice *choice, unsigned digit, int64_t at)
{
	for (unsigned i = 0; i < choice->count; i++)
		if (choice->pieces[i].digit == digit && choice->pieces[i].step ==
		    at * choice->factors->digits[digit].digit.step)
			return true;
	return false;
}

/* Do steps in a dimension begin with bytes on a side, or does the dimension end with one? */
static bool keeps_bytes(const struct factors *factors, const struct choice_rules *rules,
	enum factor_side side, unsigned dim)
{
	int64_t whole = int_whole_bytes(rules->bits[side]);

	return whole == 1 || factor_divisor(factor_pitch(factors, side, dim)) % whole == 0 ||
		factor_divisor(factors->dims[dim].end) % whole == 0;
}

bool choice_begins_anywhere(const struct factors *factors, const struct choice_rules *rules,
	unsigned dim)
{
	return factor_is_even(factors, dim) && keeps_bytes(factors, rules, FACTOR_LOAD, dim) &&
		keeps_bytes(factors, rules, FACTOR_STORE, dim);
}

int64_t choice_extent(const struct choice *choice, unsigned dim)
{
	int64_t extent = 1;

	for (unsigned i = 0; i < choice->count; i++)
		if (choice_dim(choice, &choice->pieces[i]) == dim &&
		    choice->pieces[i].where != CHOICE_GRID)
			extent *= choice->pieces[i].radix;
	return extent;
}

bool choice_is_nearer(const struct choice *choice, const struct choice_piece *a,
	const struct choice_piece *b, enum factor_side side)
{
	int64_t x = choice_weight(choice, a, side), y = choice_weight(choice, b, side);
	unsigned p = choice_digit(choice, a)->slot[side];
	unsigned q = choice_digit(choice, b)->slot[side];

	if (x || y)
		return x && (!y || x < y);
	return p == q ? a->step < b->step : p > q;
}

static struct gather gather_of(const struct choice *choice, enum factor_side side)
{
	struct gather gather;

	gather_find(&gather, choice->vector[side], choice->step[side],
		(unsigned)choice_widest(&choice->rules, side));
	return gather;
}

int64_t choice_accesses(const struct choice *choice, enum factor_side side)
{
	return choice->registers / choice->vector[side] * gather_of(choice, side).count;
}

unsigned choice_access_bytes(const struct choice *choice, enum factor_side side)
{
	return gather_of(choice, side).width * choice->rules.bits[side] / 8;
}

int64_t choice_dwords(const struct choice *choice, int64_t registers)
{
	unsigned load = choice->rules.bits[FACTOR_LOAD];
	unsigned store = choice->rules.bits[FACTOR_STORE];

	return (registers * (load > store ? load : store) + 31) / 32;
}

int64_t choice_waves(const struct choice *choice)
{
	int64_t wave = choice->rules.wave_size;

	return (choice->lanes + wave - 1) / wave;
}

int64_t choice_part(const struct choice_piece *piece, int64_t least)
{
	int64_t part = least;

	if (!piece->radix)
		return piece->most && piece->most < least ? piece->most : least;
	while (part < FARTHEST_PART && part < piece->radix && piece->radix % part)
		part++;
	return piece->radix % part ? piece->radix : part;
}

/* How far a dimension is that ends at a constant, but not in the piece; else, or where it does
 * not matter, 0. */
static int64_t length_of(const struct choice *choice, const struct choice_piece *piece)
{
	const struct index *end = choice->factors->dims[choice_dim(choice, piece)].end;

	return piece->radix || end->op != INDEX_INT || choice->rules.uneven ? 0 : end->value;
}

/* What tiles of so many steps of a piece cover together of that. */
static int64_t covered(const struct choice_piece *piece, int64_t length, int64_t part)
{
	int64_t extent = piece->step * part;

	return (length + extent - 1) / extent * extent;
}

bool choice_copies_twice(const struct choice *choice, const struct choice_piece *piece,
	int64_t part)
{
	int64_t length = length_of(choice, piece);

	return covered(piece, length, part) > length + length / 8;
}

int64_t choice_even_part(const struct choice *choice, const struct choice_piece *piece,
	int64_t least)
{
	int64_t length = length_of(choice, piece), first = choice_part(piece, least);
	int64_t all = covered(piece, length, first), best = first, left;

	for (int64_t part = least; length && part <= 8 * least && part <= piece->most; part++)
		if (covered(piece, length, part) < covered(piece, length, best))
			best = part;
	left = covered(piece, length, best);
	return left != length && all - left < length / 16 ? first : best;
}

/* The smallest part of what has a known length, 1 where all copy too much twice. */
static int64_t small_even_part(const struct choice *choice, const struct choice_piece *piece,
	int64_t length)
{
	int64_t most = piece->most < MOST_SMALL ? piece->most : MOST_SMALL;

	for (int64_t part = 2; part <= most; part++)
		if (covered(piece, length, part) == length)
			return part;
	for (int64_t part = 2; part <= most; part++)
		if (!choice_copies_twice(choice, piece, part))
			return part;
	return 1;
}

int64_t choice_small_part(const struct choice *choice, const struct choice_piece *piece)
{
	int64_t values = piece->radix ? piece->radix : piece->most;
	int64_t part = 2, length = length_of(choice, piece);

	if (length)
		return small_even_part(choice, piece, length);
	while (values && part <= MOST_SMALL && values % part)
		part++;
	return part <= MOST_SMALL ? part : piece->radix ? piece->radix : 2;
}

bool choice_split(struct choice *choice, unsigned i, int64_t part)
{
	struct choice_piece *piece = &choice->pieces[i];

	if (piece->radix == part)
		return true;
	if (choice->count == CHOICE_PIECES)
		return false;
	for (unsigned k = choice->count++; k > i; k--)
		choice->pieces[k] = choice->pieces[k - 1];
	piece[1].step *= part;
	piece[1].place *= part;
	piece[1].radix /= part;
	piece[1].most /= part;
	piece->radix = piece->most = part;
	return true;
}

/* Steps that are not whole are left to masks. */
bool choice_take(struct choice *choice, unsigned i, int64_t part,
	enum choice_where where)
{
	struct choice_piece *piece = &choice->pieces[i];

	if (!piece->radix && piece->most && piece->most / part <= 1)
		piece->radix = piece->most = part;
	if (!choice_split(choice, i, part))
		return false;
	piece->where = where;
	if (where == CHOICE_LANE)
		choice->lanes *= part;
	else
		choice->registers *= part;
	piece->turn = choice->turns++;
	return true;
}

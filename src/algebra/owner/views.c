/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The owners of views: the same points hold the same, under other coordinates. */
#include "algebra/owner/owner.h"

#include <string.h>

bool owner_permute(struct owner *owner, const unsigned *order)
{
	const struct owner old = *owner;
	unsigned place[OWNER_RANK];

	for (unsigned k = 0; k < owner->rank; k++) {
		place[order[k]] = k;
		owner->box[k] = old.box[order[k]];
		owner->base[k] = old.base[order[k]];
	}
	for (unsigned i = 0; i < owner->term_count; i++)
		owner->terms[i].dim = place[old.terms[i].dim];
	return true;
}

/* Dimensions from "dim" on move up by "by", or down. */
static void shift(struct owner *owner, unsigned dim, int by)
{
	size_t size = (owner->rank - dim) * sizeof(*owner->box);

	memmove(owner->box + (int)dim + by, owner->box + dim, size);
	memmove(owner->base + (int)dim + by, owner->base + dim, size);
	for (unsigned i = 0; i < owner->term_count; i++)
		if (owner->terms[i].dim >= dim)
			owner->terms[i].dim = (unsigned)((int)owner->terms[i].dim + by);
	owner->rank = (unsigned)((int)owner->rank + by);
}

bool owner_insert(struct owner *owner, unsigned dim)
{
	if (owner->rank == OWNER_RANK)
		return false;
	shift(owner, dim, 1);
	owner->box[dim] = 1;
	owner->base[dim] = 0;
	return true;
}

void owner_project(struct owner *owner, unsigned dim)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < owner->term_count; i++)
		if (owner->terms[i].dim != dim)
			owner->terms[kept++] = owner->terms[i];
	owner->term_count = kept;
	shift(owner, dim + 1, -1);
}

bool owner_collapse(struct owner *owner, unsigned dim, unsigned count)
{
	for (unsigned k = 1; k < count; k++) {
		int64_t extent = owner->box[dim + 1];

		for (unsigned i = 0; i < owner->term_count; i++)
			if (owner->terms[i].dim == dim)
				owner->terms[i].weight *= extent;
		owner->base[dim] = owner->base[dim] * extent + owner->base[dim + 1];
		owner->box[dim] *= extent;
		for (unsigned i = 0; i < owner->term_count; i++)
			if (owner->terms[i].dim == dim + 1)
				owner->terms[i].dim = dim;
		shift(owner, dim + 2, -1);
	}
	return true;
}

/* Place for a digit at "at": sets are of the same digits as before. */
static void make_place(struct owner *owner, unsigned at)
{
	uint64_t below = ((uint64_t)1 << at) - 1;

	memmove(owner->digits + at + 1, owner->digits + at,
		(owner->digit_count++ - at) * sizeof(owner->digits[0]));
	for (unsigned t = 0; t < owner->term_count; t++) {
		uint64_t *set = &owner->terms[t].digits;

		*set = (*set & below) | (*set & ~below) << 1;
	}
}

/* Digit i as two, the lower one of "radix" values; each of its terms becomes one of
 * either. */
static bool split_digit(struct owner *owner, unsigned i, int64_t radix)
{
	struct owner_digit *digit = &owner->digits[i];

	if (owner->digit_count == OWNER_DIGITS)
		return false;
	make_place(owner, i + 1);
	digit[1] = (struct owner_digit){ digit->part, digit->place * radix,
		digit->radix / radix };
	digit->radix = radix;
	for (unsigned t = 0, count = owner->term_count; t < count; t++)
		if (owner->terms[t].digits >> i & 1 &&
		    !owner_add_term(owner, owner->terms[t].dim, (uint64_t)2 << i,
				owner->terms[t].weight * radix))
			return false;
	return true;
}

static int64_t magnitude(int64_t value)
{
	return value < 0 ? -value : value;
}

/* The digits of a term of "dim" below "extent", or from there on. */
static bool cut_term(struct owner *owner, unsigned t, int64_t extent)
{
	int64_t weight = magnitude(owner->terms[t].weight);
	uint64_t set = owner->terms[t].digits;
	unsigned i = (unsigned)__builtin_ctzll(set);
	int64_t radix = owner->digits[i].radix;

	if (weight % extent == 0 || weight * radix <= extent)
		return true;
	return !(set & (set - 1)) && extent % weight == 0 &&
		radix % (extent / weight) == 0 && split_digit(owner, i, extent / weight);
}

/* Where the terms below "extent" stay inside [0, extent), they carry nothing. */
static bool is_without_carry(const struct owner *owner, unsigned dim, int64_t extent)
{
	int64_t low = owner->base[dim] % extent, high = low;

	for (unsigned t = 0; t < owner->term_count; t++) {
		const struct owner_term *term = &owner->terms[t];
		int64_t most = owner->digits[__builtin_ctzll(term->digits)].radix - 1;

		if (term->dim != dim || term->weight % extent == 0)
			continue;
		if (term->weight < 0)
			low += most * term->weight;
		else
			high += most * term->weight;
	}
	return low >= 0 && high < extent;
}

/* "dim" as two, the second one of "extent". */
static bool expand_in_two(struct owner *owner, unsigned dim, int64_t extent)
{
	for (unsigned t = 0; t < owner->term_count; t++)
		if (owner->terms[t].dim == dim && !cut_term(owner, t, extent))
			return false;
	if (!is_without_carry(owner, dim, extent) || !owner_insert(owner, dim + 1))
		return false;
	for (unsigned t = 0; t < owner->term_count; t++) {
		struct owner_term *term = &owner->terms[t];

		if (term->dim == dim && term->weight % extent == 0)
			term->weight /= extent;
		else if (term->dim == dim)
			term->dim++;
	}
	owner->box[dim + 1] = extent;
	owner->box[dim] /= extent;
	owner->base[dim + 1] = owner->base[dim] % extent;
	owner->base[dim] /= extent;
	return true;
}

bool owner_expand(struct owner *owner, unsigned dim, const int64_t *extents,
	unsigned count)
{
	struct owner expanded = *owner;

	for (unsigned k = 1; k < count; k++) {
		int64_t rest = 1;

		for (unsigned i = k; i < count; i++)
			rest *= extents[i];
		if (!expand_in_two(&expanded, dim + k - 1, rest))
			return false;
	}
	*owner = expanded;
	return true;
}

/* The registers that differ in no other digit than those of the set. */
static void number_registers(const struct owner *owner, uint64_t digits, unsigned *old)
{
	unsigned count = 0;

	for (int64_t n = 0; n < owner->extent[OWNER_REGISTER]; n++) {
		bool kept = true;

		for (uint64_t rest = digits; rest; rest &= rest - 1) {
			const struct owner_digit *digit =
				&owner->digits[__builtin_ctzll(rest)];

			kept = kept && n / digit->place % digit->radix == 0;
		}
		if (kept)
			old[count++] = (unsigned)n;
	}
}

/* Take a digit out; no term has it. */
static void remove_digit(struct owner *owner, unsigned i)
{
	const struct owner_digit digit = owner->digits[i];
	uint64_t below = ((uint64_t)1 << i) - 1;

	owner->extent[digit.part] /= digit.radix;
	memmove(owner->digits + i, owner->digits + i + 1,
		(--owner->digit_count - i) * sizeof(digit));
	for (unsigned k = i; k < owner->digit_count; k++)
		if (owner->digits[k].part == digit.part)
			owner->digits[k].place /= digit.radix;
	for (unsigned t = 0; t < owner->term_count; t++) {
		uint64_t *set = &owner->terms[t].digits;

		*set = (*set & below) | (*set >> 1 & ~below);
	}
}

void owner_drop_registers(struct owner *owner, unsigned *old)
{
	uint64_t used = 0, spare = 0;

	for (unsigned t = 0; t < owner->term_count; t++)
		used |= owner->terms[t].digits;
	for (unsigned i = 0; i < owner->digit_count; i++)
		if (owner->digits[i].part == OWNER_REGISTER && !(used >> i & 1))
			spare |= (uint64_t)1 << i;
	if (old)
		number_registers(owner, spare, old);
	for (; spare; spare &= ~((uint64_t)1 << (63 - __builtin_clzll(spare))))
		remove_digit(owner, (unsigned)(63 - __builtin_clzll(spare)));
}

/* The digit of a part that a place is in, or how many there are. */
static unsigned digit_at(const struct owner *owner, enum owner_part part, int64_t place)
{
	unsigned i = 0;

	while (i < owner->digit_count && (owner->digits[i].part != part ||
	       place < owner->digits[i].place ||
	       place >= owner->digits[i].place * owner->digits[i].radix))
		i++;
	return i;
}

/* Make the bit at "place" a digit of its own; the number of the digit, or -1. */
static int split_bit(struct owner *owner, enum owner_part part, int64_t place)
{
	unsigned i = digit_at(owner, part, place);
	int64_t below;

	if (i == owner->digit_count || place % owner->digits[i].place)
		return -1;
	below = place / owner->digits[i].place;
	if (owner->digits[i].radix % (2 * below) ||
	    (below > 1 && !split_digit(owner, i++, below)) ||
	    (owner->digits[i].radix > 2 && !split_digit(owner, i, 2)))
		return -1;
	return (int)i;
}

bool owner_spread(struct owner *owner, int64_t place)
{
	int64_t top = owner->extent[OWNER_REGISTER] / 2;
	int from, to = split_bit(owner, OWNER_LANE, place);

	if (to < 0 || !top || owner->extent[OWNER_REGISTER] % 2)
		return false;
	from = split_bit(owner, OWNER_REGISTER, top);
	if (from < 0)
		return false;
	to = split_bit(owner, OWNER_LANE, place);
	for (unsigned t = 0; t < owner->term_count; t++) {
		if (owner->terms[t].digits >> to & 1)
			return false;
		if (owner->terms[t].digits >> from & 1)
			owner->terms[t].digits ^= (uint64_t)1 << from | (uint64_t)1 << to;
	}
	owner_drop_registers(owner, NULL);
	return true;
}

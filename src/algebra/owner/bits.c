/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/bits.h"

#include <string.h>

unsigned owner_bits_begin(const struct owner_bits *bits, unsigned dim)
{
	unsigned begin = 0;

	while (dim-- > 0)
		begin += bits->widths[dim];
	return begin;
}

static uint64_t vector_of(const struct owner *owner, const struct owner_bits *bits,
	const int64_t hw[OWNER_PARTS])
{
	int64_t x[OWNER_RANK];
	uint64_t vector = 0;

	owner_point(owner, hw, x);
	for (unsigned d = owner->rank; d-- > 0;)
		vector = vector << bits->widths[d] | (uint64_t)x[d];
	return vector;
}

static uint64_t vector_by(const struct owner_bits *bits, const int64_t hw[OWNER_PARTS])
{
	uint64_t vector = bits->constant;

	for (unsigned part = 0; part < OWNER_PARTS; part++)
		for (uint64_t rest = (uint64_t)hw[part]; rest; rest &= rest - 1)
			vector ^= bits->columns[part][__builtin_ctzll(rest)];
	return vector;
}

/* Do the terms of each coordinate give bits to it that no other gives, nor the base, but
 * for those that are taken away from it?  Then sums are XORs. */
static bool is_carry_free(const struct owner *owner)
{
	uint64_t taken[OWNER_RANK] = { 0 };

	for (unsigned i = 0; i < owner->term_count; i++) {
		const struct owner_term *term = &owner->terms[i];
		int64_t weight = term->weight < 0 ? -term->weight : term->weight;
		int64_t radix = owner->digits[__builtin_ctzll(term->digits)].radix;
		uint64_t bits = (uint64_t)(weight * (radix - 1));

		if (weight & (weight - 1) || taken[term->dim] & bits ||
		    ((uint64_t)owner->base[term->dim] & bits) !=
				(term->weight < 0 ? bits : 0))
			return false;
		taken[term->dim] |= bits;
	}
	return true;
}

/* Are all points what the bits say? */
static bool are_bits(const struct owner *owner, const struct owner_bits *bits)
{
	int64_t hw[OWNER_PARTS] = { 0 };

	do {
		if (vector_of(owner, bits, hw) != vector_by(bits, hw))
			return false;
	} while (owner_next(owner, hw));
	return true;
}

bool owner_bits_of(const struct owner *owner, struct owner_bits *bits)
{
	int64_t hw[OWNER_PARTS] = { 0 };
	unsigned total = 0;

	for (unsigned d = 0; d < owner->rank; d++)
		total += bits->widths[d] = owner_width(owner->box[d]);
	if (total > 64)
		return false;
	bits->constant = vector_of(owner, bits, hw);
	for (unsigned part = 0; part < OWNER_PARTS; part++) {
		bits->counts[part] = owner_width(owner->extent[part]);
		if (owner->extent[part] != (int64_t)1 << bits->counts[part] ||
		    bits->counts[part] > OWNER_BITS)
			return false;
		for (unsigned i = 0; i < bits->counts[part]; i++) {
			hw[part] = (int64_t)1 << i;
			bits->columns[part][i] = vector_of(owner, bits, hw) ^
				bits->constant;
		}
		hw[part] = 0;
	}
	return is_carry_free(owner) || are_bits(owner, bits);
}

/* The digits, which are the bits of the parts in order, whose columns have the bit. */
static uint64_t set_of(const struct owner_bits *bits, unsigned bit)
{
	uint64_t set = 0;
	unsigned digit = 0;

	for (unsigned part = 0; part < OWNER_PARTS; part++)
		for (unsigned i = 0; i < bits->counts[part]; i++, digit++)
			set |= (bits->columns[part][i] >> bit & 1) << digit;
	return set;
}

bool owner_of_bits(struct owner *owner, const struct owner_bits *bits)
{
	owner->digit_count = owner->term_count = 0;
	for (unsigned part = 0; part < OWNER_PARTS; part++) {
		owner->extent[part] = 1;
		for (unsigned i = 0; i < bits->counts[part]; i++)
			if (!owner_add_digit(owner, part, 2))
				return false;
	}
	for (unsigned d = 0, bit = 0; d < owner->rank; d++) {
		owner->base[d] = 0;
		for (unsigned i = 0; i < bits->widths[d]; i++, bit++) {
			int64_t weight = (int64_t)1 << i;
			bool minus = bits->constant >> bit & 1;
			uint64_t set = set_of(bits, bit);

			owner->base[d] += minus ? weight : 0;
			if (set && !owner_add_term(owner, d, set,
					minus ? -weight : weight))
				return false;
		}
	}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The move of a tile as lowering wants it: digits as small as they get, and addresses
 * in bytes.
 *
 * A digit of even radix is split in bits and a rest, so that a part of a digit can
 * become a vector, and lane numbers move by shifts. */
#ifndef LAYOUT_LOWER_TILE_FORM_H
#define LAYOUT_LOWER_TILE_FORM_H

#include "kernel/plan.h"

/* factor * symbol * (the xor of the digits in the set), or the same of the one digit
 * counted "backward", radix - 1 - digit. */
struct form_term {
	uint64_t digits;
	int64_t factor;
	int symbol;		/* FORM_CONSTANT: the term has none */
	bool backward;
};

/* factor * symbol * what the carry's slot counts of the digits in the sets. */
struct form_carry {
	const struct tile_carry *carry;
	uint64_t digits[CARRY_COUNTS];
	int64_t factor;
	int symbol;
};

enum { FORM_CONSTANT = -1, FORM_SYMBOLS = 16, FORM_DIGITS = 64 };

/* Factors count bytes, or elements where these are smaller than a byte; an address is
 * then the sum shifted to the right by "shift".  "chain" are the digits of vectors: what
 * they span is a multiple of one. */
struct form_side {
	const struct tile_side *side;
	unsigned bits;		/* of an element */
	unsigned shift;
	unsigned term_count;
	struct form_term *terms;
	unsigned carry_count;
	struct form_carry *carries;
	unsigned symbol_count;
	const struct index *symbols[FORM_SYMBOLS];
	uint64_t chain;
	unsigned vector;
};

struct tile_form {
	unsigned digit_count;
	struct held_digit digits[FORM_DIGITS];
	int64_t registers;
	struct form_side load, store;
};

/* False with the error on the context; free in both cases. */
bool form_build(layout_context *ctx, struct tile_form *form, const struct plan_tile *tile,
	const struct tile_move *move, unsigned load_bits, unsigned store_bits);
void form_free(struct tile_form *form);

/* What a value of a term's digit counts in it, and the other way round. */
int64_t form_count(const struct tile_form *form, const struct form_term *term, unsigned digit,
	int64_t value);

/* What an element of the chain is worth: the factor of its first digit. */
int64_t form_unit(const struct form_side *side);

/* Bytes of a vector of "count" elements. */
unsigned form_bytes(const struct form_side *side, unsigned count);

/* The digits that registers hold; the dims of a set of digits, as bits. */
uint64_t form_register_digits(const struct tile_form *form);
uint64_t form_dims(const struct tile_form *form, uint64_t digits);

/* What the digits of a dimension in the set are below: the others are worth multiples of
 * it. */
int64_t form_span(const struct tile_form *form, uint64_t digits, unsigned d);

/* The leading digits of the side's chain whose dims are all outside "ragged", or, where
 * elements are smaller than a byte, at least those of a byte; and the widest vector that
 * their span is a multiple of.  With "most", the chain ends where the vector has so many
 * elements. */
uint64_t form_chain(const struct tile_form *form, const struct form_side *side,
	uint64_t ragged, unsigned most, unsigned *vector);

#endif

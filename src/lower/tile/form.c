/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/form.h"

#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

#include <stdlib.h>

/* Where the parts of the tile's digits are: parts of digit i are first[i] up to
 * first[i + 1]. */
struct parts {
	unsigned first[TILE_DIGITS + 1];
};

static bool too_much(layout_context *ctx, const char *what)
{
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "a tile with too many %s", what);
	return false;
}

/* Bits from the bottom, then what is left of an even radix. */
static bool split_digit(layout_context *ctx, struct tile_form *form,
	const struct digit *digit, const struct tile_place *place)
{
	int64_t rest = digit->radix, scale = 1;

	while (rest > 1) {
		int64_t radix = rest % 2 ? rest : 2;

		if (form->digit_count == FORM_DIGITS)
			return too_much(ctx, "digits");
		form->digits[form->digit_count++] = (struct held_digit){
			.digit = { digit->dim, digit->step * scale, radix },
			.lane = place->lane, .place = place->place * scale,
		};
		scale *= radix;
		rest /= radix;
	}
	return true;
}

static bool split_digits(layout_context *ctx, struct tile_form *form,
	const struct plan_tile *tile, const struct tile_move *move, struct parts *parts)
{
	for (unsigned i = 0; i < tile->digit_count; i++) {
		parts->first[i] = form->digit_count;
		if (move->places[i].place &&
		    !split_digit(ctx, form, &tile->digits[i], &move->places[i]))
			return false;
	}
	parts->first[tile->digit_count] = form->digit_count;
	return true;
}

/* weight = factor * symbol */
static bool split_weight(layout_context *ctx, struct form_side *side,
	const struct index *weight, int64_t *factor, int *symbol)
{
	*factor = 1;
	*symbol = FORM_CONSTANT;
	while (weight->op == INDEX_MUL) {
		unsigned constant = weight->arg[1]->op == INDEX_INT;

		if (weight->arg[constant]->op != INDEX_INT)
			break;
		*factor *= weight->arg[constant]->value;
		weight = weight->arg[!constant];
	}
	if (weight->op == INDEX_INT) {
		*factor *= weight->value;
		return true;
	}
	for (unsigned i = 0; i < side->symbol_count; i++)
		if (index_equal(side->symbols[i], weight)) {
			*symbol = (int)i;
			return true;
		}
	if (side->symbol_count == FORM_SYMBOLS)
		return too_much(ctx, "pitches");
	*symbol = (int)side->symbol_count;
	side->symbols[side->symbol_count++] = weight;
	return true;
}

static unsigned part_count(const struct parts *parts, uint64_t digits)
{
	unsigned first = (unsigned)__builtin_ctzll(digits);

	return parts->first[first + 1] - parts->first[first];
}

/* The j-th parts of the digits in the set. */
static uint64_t part_set(const struct parts *parts, uint64_t digits, unsigned j)
{
	uint64_t set = 0;

	for (; digits; digits &= digits - 1)
		set |= UINT64_C(1) << (parts->first[__builtin_ctzll(digits)] + j);
	return set;
}

static bool split_term(layout_context *ctx, const struct tile_form *form,
	struct form_side *side, const struct tile_term *term, const struct parts *parts)
{
	int64_t factor;
	int symbol;

	if (!split_weight(ctx, side, term->weight, &factor, &symbol))
		return false;
	if (!factor)
		return true;
	for (unsigned j = 0; j < part_count(parts, term->digits); j++) {
		uint64_t set = part_set(parts, term->digits, j);

		side->terms[side->term_count++] =
			(struct form_term){ set, factor, symbol, term->backward };
		factor *= form->digits[__builtin_ctzll(set)].digit.radix;
	}
	return true;
}

/* All parts of the digits in the set. */
static uint64_t all_parts(const struct parts *parts, uint64_t digits)
{
	uint64_t found = 0;

	for (; digits; digits &= digits - 1) {
		unsigned i = (unsigned)__builtin_ctzll(digits);

		for (unsigned k = parts->first[i]; k < parts->first[i + 1]; k++)
			found |= UINT64_C(1) << k;
	}
	return found;
}

static bool split_carry(layout_context *ctx, struct form_side *side,
	const struct tile_carry *carry, const struct parts *parts)
{
	struct form_carry *out = &side->carries[side->carry_count++];

	*out = (struct form_carry){ .carry = carry };
	for (unsigned i = 0; i < CARRY_COUNTS; i++)
		out->digits[i] = all_parts(parts, carry->counts[i].digits);
	return split_weight(ctx, side, carry->weight, &out->factor, &out->symbol);
}

/* The term that steps by "factor" along one digit, held by registers, that moves
 * nothing else; NULL: there is none. */
static const struct form_term *find_link(const struct tile_form *form,
	const struct form_side *side, int64_t factor)
{
	for (unsigned i = 0; i < side->term_count; i++) {
		const struct form_term *term = &side->terms[i];
		bool alone = true;

		if (term->symbol != FORM_CONSTANT || term->factor != factor ||
		    term->digits & (term->digits - 1) ||
		    form->digits[__builtin_ctzll(term->digits)].lane)
			continue;
		for (unsigned j = 0; j < side->term_count; j++)
			alone = alone && (j == i ||
				!(side->terms[j].digits & term->digits));
		for (unsigned j = 0; j < CARRY_COUNTS * side->carry_count; j++)
			alone = alone && !(side->carries[j / CARRY_COUNTS].digits[
				j % CARRY_COUNTS] & term->digits);
		if (alone)
			return term;
	}
	return NULL;
}

/* Factors still count elements. */
static void find_chain(const struct tile_form *form, struct form_side *side)
{
	const struct form_term *link;
	unsigned span = 1;

	while (span % side->side->vector && (link = find_link(form, side,
	       (int64_t)span * side->side->step))) {
		side->chain |= link->digits;
		span *= (unsigned)form->digits[__builtin_ctzll(link->digits)].digit.radix;
	}
	side->vector = (unsigned)int_gcd(span, side->side->vector);
}

static bool build_side(layout_context *ctx, const struct tile_form *form,
	struct form_side *side, const struct tile_side *of, unsigned bits,
	const struct parts *parts)
{
	if (bits % 8 && 8 % bits) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a tile of elements of %u bits", bits);
		return false;
	}
	side->side = of;
	side->bits = bits;
	side->shift = bits < 8 ? (unsigned)__builtin_ctz(8 / bits) : 0;
	side->terms = layout_alloc(ctx, (size_t)of->term_count * FORM_DIGITS,
		sizeof(*side->terms));
	side->carries = layout_alloc(ctx, of->carry_count, sizeof(*side->carries));
	if (!side->terms || !side->carries)
		return false;
	for (unsigned i = 0; i < of->term_count; i++)
		if (!split_term(ctx, form, side, &of->terms[i], parts))
			return false;
	for (unsigned i = 0; i < of->carry_count; i++)
		if (!split_carry(ctx, side, &of->carries[i], parts))
			return false;
	find_chain(form, side);
	for (unsigned i = 0; bits > 8 && i < side->term_count; i++)
		side->terms[i].factor *= bits / 8;
	for (unsigned i = 0; bits > 8 && i < side->carry_count; i++)
		side->carries[i].factor *= bits / 8;
	return true;
}

bool form_build(layout_context *ctx, struct tile_form *form, const struct plan_tile *tile,
	const struct tile_move *move, unsigned load_bits, unsigned store_bits)
{
	struct parts parts;

	*form = (struct tile_form){ .registers = move->registers };
	return split_digits(ctx, form, tile, move, &parts) &&
		build_side(ctx, form, &form->load, &move->load, load_bits, &parts) &&
		build_side(ctx, form, &form->store, &move->store, store_bits, &parts);
}

void form_free(struct tile_form *form)
{
	free(form->load.terms);
	free(form->load.carries);
	free(form->store.terms);
	free(form->store.carries);
}

int64_t form_count(const struct tile_form *form, const struct form_term *term, unsigned digit,
	int64_t value)
{
	return term->backward ? form->digits[digit].digit.radix - 1 - value : value;
}

int64_t form_unit(const struct form_side *side)
{
	return (side->bits > 8 ? side->bits / 8 : 1) * (int64_t)side->side->step;
}

unsigned form_bytes(const struct form_side *side, unsigned count)
{
	return side->bits * count / 8;
}

uint64_t form_register_digits(const struct tile_form *form)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < form->digit_count; i++)
		if (!form->digits[i].lane)
			set |= UINT64_C(1) << i;
	return set;
}

uint64_t form_dims(const struct tile_form *form, uint64_t digits)
{
	uint64_t dims = 0;

	for (; digits; digits &= digits - 1)
		dims |= UINT64_C(1) << form->digits[__builtin_ctzll(digits)].digit.dim;
	return dims;
}

int64_t form_span(const struct tile_form *form, uint64_t digits, unsigned d)
{
	int64_t span = 1;

	for (; digits; digits &= digits - 1) {
		const struct digit *digit = &form->digits[__builtin_ctzll(digits)].digit;

		if (digit->dim == d && digit->step * digit->radix > span)
			span = digit->step * digit->radix;
	}
	return span;
}

/* The digit of the side's chain that is worth "factor". */
static uint64_t chain_digit(const struct form_side *side, int64_t factor)
{
	for (unsigned i = 0; i < side->term_count; i++)
		if (side->terms[i].factor == factor &&
		    side->terms[i].digits & side->chain)
			return side->terms[i].digits;
	return 0;
}

/* Bits of an element where those of a vector become whole bytes: as it is loaded, and once it is
 * converted. */
static unsigned least_bits(const struct tile_form *form, const struct form_side *side)
{
	return side == &form->load && form->store.bits < side->bits ? form->store.bits :
		side->bits;
}

uint64_t form_chain(const struct tile_form *form, const struct form_side *side,
	uint64_t ragged, unsigned most, unsigned *vector)
{
	int64_t unit = form_unit(side);
	uint64_t chain = 0, found = 0;
	unsigned span = 1;

	*vector = 1;
	while (*vector < side->vector && *vector < most) {
		uint64_t digit = chain_digit(side, span * unit);
		bool whole_byte = span * least_bits(form, side) >= 8;

		if (whole_byte && form_dims(form, chain | digit) & ragged)
			break;
		chain |= digit;
		span *= (unsigned)form->digits[__builtin_ctzll(digit)].digit.radix;
		if (int_gcd(span, side->vector) == *vector)
			continue;
		*vector = (unsigned)int_gcd(span, side->vector);
		found = chain;
	}
	return found;
}

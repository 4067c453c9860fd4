/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/block.h"

#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

int64_t block_size(const struct tile_form *form, uint64_t digits)
{
	int64_t size = 1;

	for (; digits; digits &= digits - 1)
		size *= form->digits[__builtin_ctzll(digits)].digit.radix;
	return size;
}

static void sort_digits(struct block *block, uint64_t digits)
{
	const struct held_digit *all = block->form->digits;

	for (; digits; digits &= digits - 1) {
		unsigned digit = (unsigned)__builtin_ctzll(digits);
		unsigned i = block->digit_count++;

		for (; i && all[block->digits[i - 1]].place > all[digit].place; i--)
			block->digits[i] = block->digits[i - 1];
		block->digits[i] = digit;
	}
}

void block_digits(const struct block *block, unsigned element,
	struct address_digits *digits)
{
	for (unsigned i = 0; i < block->digit_count; i++) {
		unsigned radix = (unsigned)block->form->digits[block->digits[i]].digit.radix;

		digits->constant[block->digits[i]] = element % radix;
		element /= radix;
	}
}

unsigned block_element(const struct block *block, const struct block_side *side,
	unsigned slot)
{
	unsigned e = 0;

	while (e < block->count - 1 && side->slots[e] != slot)
		e++;
	return e;
}

void block_span(const struct block *block, const struct block_side *side, unsigned i,
	struct address_digits *least, struct address_digits *most)
{
	struct address_digits digits = *least;

	block_digits(block, side->starts[i], least);
	block_digits(block, side->starts[i], most);
	for (unsigned at = 1; at < side->vector; at++) {
		block_digits(block, block_element(block, side, i * side->vector + at),
			&digits);
		for (unsigned k = 0; k < block->digit_count; k++) {
			unsigned d = block->digits[k];

			if (digits.constant[d] < least->constant[d])
				least->constant[d] = digits.constant[d];
			if (digits.constant[d] > most->constant[d])
				most->constant[d] = digits.constant[d];
		}
	}
}

/* What the digit is worth in the number of an element. */
static unsigned element_place(const struct block *block, unsigned digit)
{
	unsigned place = 1;

	for (unsigned i = 0; block->digits[i] != digit; i++)
		place *= (unsigned)block->form->digits[block->digits[i]].digit.radix;
	return place;
}

/* What the terms of the side's chain make of an element: how far it is in the chain, in
 * elements of memory; and the first element of its chain. */
static unsigned chain_place(const struct block *block, const struct form_side *of,
	uint64_t chain, unsigned element, unsigned *first)
{
	struct address_digits digits = { { 0 }, { NULL } };
	int64_t unit = form_unit(of);
	unsigned at = 0;

	*first = element;
	block_digits(block, element, &digits);
	for (unsigned t = 0; t < of->term_count; t++) {
		unsigned digit = (unsigned)__builtin_ctzll(of->terms[t].digits), value;

		if (!(of->terms[t].digits & chain))
			continue;
		value = (unsigned)digits.constant[digit];
		at += (unsigned)form_count(block->form, &of->terms[t], digit, value) *
			(unsigned)(of->terms[t].factor / unit);
		*first -= value * element_place(block, digit);
	}
	return at;
}

/* The element that is "at" in the chain that begins with "first". */
static unsigned chain_element(const struct block *block, const struct form_side *of,
	uint64_t chain, unsigned first, unsigned at)
{
	int64_t unit = form_unit(of);
	unsigned element = first;

	for (unsigned t = 0; t < of->term_count; t++) {
		unsigned digit = (unsigned)__builtin_ctzll(of->terms[t].digits);
		unsigned radix = (unsigned)block->form->digits[digit].digit.radix;

		if (of->terms[t].digits & chain)
			element += (unsigned)form_count(block->form, &of->terms[t], digit,
				at / (unsigned)(of->terms[t].factor / unit) % radix) *
				element_place(block, digit);
	}
	return element;
}

/* Vector numbers ascend with the elements that start them. */
static void number_vectors(const struct block *block, struct block_side *side,
	const struct form_side *of, uint64_t chain)
{
	unsigned first, at;

	for (unsigned e = 0; e < block->count; e++)
		if (chain_place(block, of, chain, e, &first) % side->vector == 0) {
			side->slots[e] = side->count * side->vector;
			side->starts[side->count++] = e;
		}
	for (unsigned e = 0; e < block->count; e++) {
		at = chain_place(block, of, chain, e, &first);
		if (at % side->vector)
			side->slots[e] = at % side->vector + side->slots[chain_element(
				block, of, chain, first, at - at % side->vector)];
	}
}

static bool build_side(layout_context *ctx, const struct block *block,
	struct block_side *side, const struct form_side *of, uint64_t chain)
{
	side->vector = (unsigned)int_gcd(block_size(block->form, chain), of->vector);
	side->starts = layout_alloc(ctx, block->count, sizeof(unsigned));
	side->slots = layout_alloc(ctx, block->count, sizeof(unsigned));
	if (!side->starts || !side->slots)
		return false;
	number_vectors(block, side, of, chain);
	return true;
}

bool block_build(layout_context *ctx, struct block *block, const struct tile_form *form,
	uint64_t digits, uint64_t load_chain, uint64_t store_chain)
{
	*block = (struct block){ .form = form,
		.count = (unsigned)block_size(form, digits) };
	sort_digits(block, digits);
	return build_side(ctx, block, &block->load, &form->load, load_chain) &&
		build_side(ctx, block, &block->store, &form->store, store_chain);
}

void block_free(struct block *block)
{
	free(block->load.starts);
	free(block->load.slots);
	free(block->store.starts);
	free(block->store.slots);
}

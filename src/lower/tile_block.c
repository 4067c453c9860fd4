/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile_block.h"

#include <stdlib.h>

int64_t block_size(const struct form *form, uint64_t digits)
{
	int64_t size = 1;

	for (; digits; digits &= digits - 1)
		size *= form->digits[__builtin_ctzll(digits)].radix;
	return size;
}

static void sort_digits(struct block *block, uint64_t digits)
{
	const struct form_digit *all = block->form->digits;

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
		unsigned radix = (unsigned)block->form->digits[block->digits[i]].radix;

		digits->constant[block->digits[i]] = element % radix;
		element /= radix;
	}
}

/* What the digit is worth in the number of an element. */
static unsigned element_place(const struct block *block, unsigned digit)
{
	unsigned place = 1;

	for (unsigned i = 0; block->digits[i] != digit; i++)
		place *= (unsigned)block->form->digits[block->digits[i]].radix;
	return place;
}

/* Vector numbers ascend with the elements that start them. */
static void number_vectors(const struct block *block, struct block_side *side,
	const struct form_side *of, uint64_t chain)
{
	int64_t unit = of->bits > 8 ? of->bits / 8 : 1;

	for (unsigned e = 0; e < block->count; e++) {
		struct address_digits digits = { { 0 }, { NULL } };
		unsigned start = e, at = 0;

		block_digits(block, e, &digits);
		for (unsigned t = 0; t < of->term_count; t++) {
			const struct form_term *term = &of->terms[t];
			unsigned digit = (unsigned)__builtin_ctzll(term->digits), value;

			if (!(term->digits & chain))
				continue;
			value = (unsigned)digits.constant[digit];
			at += value * (unsigned)(term->factor / unit);
			start -= value * element_place(block, digit);
		}
		if (start == e)
			side->starts[side->count++] = e;
		side->slots[e] = start == e ? (side->count - 1) * side->vector :
			side->slots[start] + at;
	}
}

static bool build_side(layout_context *ctx, const struct block *block,
	struct block_side *side, const struct form_side *of, uint64_t chain)
{
	side->vector = (unsigned)block_size(block->form, chain);
	side->starts = layout_alloc(ctx, block->count, sizeof(unsigned));
	side->slots = layout_alloc(ctx, block->count, sizeof(unsigned));
	if (!side->starts || !side->slots)
		return false;
	number_vectors(block, side, of, chain);
	return true;
}

bool block_build(layout_context *ctx, struct block *block, const struct form *form,
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

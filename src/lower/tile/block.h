/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Some of a lane's elements: all values of some of its register digits. */
#ifndef LAYOUT_LOWER_TILE_BLOCK_H
#define LAYOUT_LOWER_TILE_BLOCK_H

#include "lower/tile/address.h"

/* A side's vectors: the element that starts each, and each element's slot, which is its
 * vector's number times "vector" plus its place in it.  Where the chain's span is more
 * than a vector, it is cut into several. */
struct block_side {
	unsigned vector, count;
	unsigned *starts;
	unsigned *slots;
};

/* Elements are numbered by their digits, those of the lowest place first. */
struct block {
	const struct tile_form *form;
	unsigned digit_count;
	unsigned digits[FORM_DIGITS];
	unsigned count;
	struct block_side load, store;
};

/* The elements that differ in "digits", a superset of both chains.  False with the error
 * on the context; free in both cases. */
bool block_build(layout_context *ctx, struct block *block, const struct tile_form *form,
	uint64_t digits, uint64_t load_chain, uint64_t store_chain);
void block_free(struct block *block);

/* How many elements differ in "digits". */
int64_t block_size(const struct tile_form *form, uint64_t digits);

/* Set the digits of the block to those of an element; the others stay. */
void block_digits(const struct block *block, unsigned element,
	struct address_digits *digits);

/* The same to the least and to the most that the elements of vector i have. */
void block_span(const struct block *block, const struct block_side *side, unsigned i,
	struct address_digits *least, struct address_digits *most);

/* The element in a slot of the side. */
unsigned block_element(const struct block *block, const struct block_side *side,
	unsigned slot);

#endif

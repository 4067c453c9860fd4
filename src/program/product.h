/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A contraction as products of a matrix instruction: the sum's box is blocks of the
 * instruction's, each of which adds up products of blocks of x and y.
 *
 * The instruction sees one letter of x, one of y, and one that is summed; what is left of
 * these, and the other letters, are blocks in other registers and subgroups.  Any order of
 * the summed letters is right that x and y have in common. */
#ifndef LAYOUT_PROGRAM_PRODUCT_H
#define LAYOUT_PROGRAM_PRODUCT_H

#include "algebra/chip.h"
#include "algebra/owner/owner.h"
#include "program/program.h"

enum { PRODUCT_X, PRODUCT_Y, PRODUCT_SUM, PRODUCT_X_SCALES, PRODUCT_Y_SCALES, PRODUCT_OPERANDS };

/* Of x, y and the sum, in this order, and behind them scales of x and y, if there are some:
 *
 *	letters		x's, y's, and the one that is summed, which the instruction sees,
 *	units		and how many of each
 *	elements	of a lane and block
 *	images		where these are in a block: row and column of lane l's element e at
 *			2*(l*elements + e); of x the summed letter is last, of y as well, and
 *			of scales what it is of blocks
 *
 * Blocks:
 *
 *	groups		blocks of the sum that a subgroup has; base[(s*groups + g)*rank + d]
 *			is where group g of subgroup s begins in dimension d of the sum
 *	blocks		of x and y that a subgroup has; block[.][g] is the one that group g
 *			takes, and first[.][b] the first group that takes it
 *	steps		products that are added to a group
 *
 * Register ((b*steps + t)*elements + e) of x, y and scales has element e of block b's step t, and
 * register g*elements + e of the sum that of group g.
 *
 *	run		0: step t has the units from t*units on; else the elements of so many
 *			steps follow each other, in a lane's part */
struct product {
	layout_context *ctx;
	const layout_tile *contract;
	const struct chip *chip;
	const struct mma_row *row;
	const struct mma_code *code;
	bool swapped;			/* y is the instruction's lhs */
	unsigned letters[3], units[3], elements[PRODUCT_OPERANDS];
	uint16_t *images[PRODUCT_OPERANDS];
	unsigned lanes, subgroups, groups, steps, run;
	int64_t *base;
	unsigned blocks[2], *block[2], *first[2];
};

/* Which operand of the product is the contraction's, but the sum. */
static inline unsigned product_operand(unsigned operand)
{
	return operand <= 2 ? operand - 1 : operand;
}

LAYOUT_INTERNAL void product_free(struct product *product) LAYOUT_SYMBOL(product_free);

/* The contraction by the instruction that it names, or by the best one for its types and
 * extents, which has y as its lhs if "swapped"; NULL where there is none, with an error only
 * where there is no memory or the chip has no such name. */
LAYOUT_INTERNAL struct product *product_find(layout_context *ctx, const struct chip *chip,
	const layout_tile *contract, bool swapped) LAYOUT_SYMBOL(product_find);

/* Say why the instruction that the contraction names does not compute it on a chip: nothing
 * where it does. */
void product_refuse(layout_context *ctx, const struct chip *chip,
	const layout_tile *contract);

/* Spread the groups over the program's waves; false with the error on the context where a
 * lane has too many registers for them. */
bool product_spread(struct product *product);

/* Find the groups of a sum's owner; false where it is none of the instruction. */
LAYOUT_INTERNAL bool product_read(struct product *product, const struct owner *sum)
	LAYOUT_SYMBOL(product_read);

/* The owner of an operand, of groups that were found; NULL with the error on the
 * context. */
struct owner *product_owner(const struct product *product, unsigned which);

/* Registers of 32 bits that the sum and the factors are in; in how many parts of the steps, and
 * shares of y's blocks in each, the factors should come, so that there is room.  False: in one. */
LAYOUT_INTERNAL unsigned product_words(const struct product *product)
	LAYOUT_SYMBOL(product_words);
bool product_parts(const struct product *product, unsigned *parts, unsigned *shares);

/* Let a lane's elements of the summed letter follow each other, up to "bits" of them; and
 * have them as the instruction has. */
void product_gather_steps(struct product *product, unsigned bits);
void product_order_steps(struct product *product);

/* Is the contraction to be computed on vector units, as it says? */
LAYOUT_INTERNAL bool product_is_declined(const layout_tile *contract)
	LAYOUT_SYMBOL(product_is_declined);

/* Can some chip's instruction of that name multiply such tiles?  False with the error on
 * the context. */
bool product_check_name(const layout_tile *contract);

#endif

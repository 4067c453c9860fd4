/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The steps of finding a block, and what they share. */
#ifndef LAYOUT_KERNEL_BLOCK_PARTS_H
#define LAYOUT_KERNEL_BLOCK_PARTS_H

#include "kernel/block/block.h"

/* What is left of a digit: the part that the block has, the steps of that which the inner
 * loops go along, and the others. */
struct block_share {
	int64_t part;		/* 1: none of it is in the block */
	int64_t near;		/* 1: no inner loop */
	int64_t lines;		/* of these, what an innermost loop has */
	int64_t apart;		/* not 0: the inner loop has all of the digit, by blocks that begin so */
				/* many steps apart, fewer than they have */
	enum factor_side side;	/* whose inner loop it is */
};

struct block_builder {
	const struct factors *factors;
	struct plan_block *block;
	int64_t bytes[FACTOR_SIDES];	/* of an element */
	int64_t vector_bytes;
	int64_t unit, packed;		/* as in struct plan_block */
	bool possible;			/* for some sizes */
	struct block_share shares[FACTOR_DIGITS];
	int64_t chunk;			/* as in struct plan_block */
	bool row;
	bool ok;			/* memory did not run out */
};

/* What one step of a digit is worth, if that is a number; else 0. */
int64_t plan_block_weight(const struct factor_digit *digit, enum factor_side side);

/* The digit whose steps are worth "weight" on a side; -1: there is none. */
int plan_block_digit_worth(const struct factors *factors, enum factor_side side, int64_t weight);

/* How many steps a digit has, of whichever sizes; 0: not known. */
int64_t plan_block_steps(const struct factors *factors, const struct factor_digit *digit);

/* The bytes of an element on the side that has more. */
int64_t plan_block_widest(const struct block_builder *b);

/* Give a row or a block its shares of the digits; false where there is none. */
bool plan_block_take_row(struct block_builder *b);
bool plan_block_take(struct block_builder *b);

/* Make a block of its shares.  False where memory ran out. */
bool plan_block_build(struct block_builder *b, layout_context *ctx);

/* Vectors are of whole bytes, and begin and end with them, or are shifted. */
void plan_block_require_bytes(struct block_builder *b);

/* The digits of elements that are parts of bytes, as those of bytes: where both sides have
 * the same ones together and all else steps over bytes, for the sizes that "whole" says.  The
 * weights that are made are in "made", of which there are as many as digits a side. */
bool plan_block_use_bytes(struct factors *bytes, const struct factors *factors, int64_t unit,
	struct index **made, struct index **whole, bool *ok);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Addresses of the elements of a tile, on one side of a move, from the tile's base.
 *
 * An offset has three parts: what the lane's digits are worth, computed once; what the
 * registers' digits are worth in symbols, the same for all lanes of a wave; and in
 * constants. */
#ifndef LAYOUT_LOWER_TILE_ADDRESS_H
#define LAYOUT_LOWER_TILE_ADDRESS_H

#include "lower/tile/carry.h"

/* Terms whose lane digits are summed before they are multiplied by scale * symbol.
 * "mask": the bits that they move to, where they only move bits; else 0. */
struct address_part {
	int symbol;
	int64_t scale;
	uint64_t mask;
};

struct address_item {
	struct lane_item lane;
	unsigned part;
};

/* Offsets fit 32 bits if every symbol is at most its reach, and up to its limit lane digits
 * times symbols are products of fewer bits, if the target has such.  "fits": there are such
 * limits. */
struct address_plan {
	const struct tile_form *form;
	const struct form_side *side;
	unsigned part_count, item_count;
	struct address_part *parts;
	struct address_item *items;
	int *part_of;			/* by term; -1: it has no lane digits */
	bool fits;
	int64_t most_factor;		/* of such a product, an all-ones mask */
	int64_t limit[FORM_SYMBOLS], reach[FORM_SYMBOLS];
};

/* False with the error on the context; free in both cases. */
bool address_plan_build(layout_context *ctx, struct address_plan *plan,
	const struct tile_form *form, const struct form_side *side, unsigned factor_bits);
void address_plan_free(struct address_plan *plan);

/* Addresses as values of "type", an i32 or an i64. */
struct address {
	const struct address_plan *plan;
	LLVMBuilderRef builder;
	LLVMTypeRef type;
	bool narrow;			/* symbols are within their limits */
	LLVMValueRef symbols[FORM_SYMBOLS];
	LLVMValueRef *lanes, *multipliers;	/* by part; no multiplier is 1 */
	struct carry *carries;
};

/* The lane's number is an i32. */
bool address_open(layout_context *ctx, struct address *address,
	const struct address_plan *plan, const struct expression_scope *scope,
	LLVMTypeRef type, bool narrow, const struct lane_number *lane);
void address_close(struct address *address);

/* The digits of a register's number; those of lanes count nothing. */
struct address_digits {
	int64_t constant[FORM_DIGITS];
	LLVMValueRef value[FORM_DIGITS];	/* an i32; NULL: the constant */
};

/* In bytes; no value is 0. */
struct address_offset {
	LLVMValueRef lane, wave;
	int64_t constant;
};

struct address_offset address_of(const struct address *address,
	const struct address_digits *digits);

/* The lane's part of all offsets; NULL where there is none, or registers change it. */
LLVMValueRef address_lane(const struct address *address);

/* What no lane's offset exceeds, whatever the digits: the same for all of them. */
LLVMValueRef address_most(const struct address *address);

/* The constant part, and whether there is a part of the wave: for digits that are all
 * constants. */
int64_t address_constant(const struct address_plan *plan,
	const struct address_digits *digits, bool *symbolic);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/block/parts.h"

/* "whole" says for which sizes a value is a multiple of "by"; false where it is for none. */
static bool require(struct index **whole, struct index *value, int64_t by, bool *ok)
{
	struct index *is;

	if (factor_divisor(value) % by == 0)
		return true;
	if (value->op == INDEX_INT)
		return false;
	is = index_binary(INDEX_EQ, index_binary(INDEX_ZMOD, index_copy(value), index_int(by)),
		index_int(0));
	*whole = *whole ? index_binary(INDEX_AND, *whole, is) : is;
	*ok = *ok && *whole;
	return true;
}

/* Does a piece begin within the vectors of a side?  These are of the nearest ones. */
static bool begins_in_vector(const struct plan_block *block, unsigned side, unsigned piece)
{
	int64_t run = 1;

	for (unsigned i = 0; run < block->vector[side]; i++) {
		if (block->order[side][i] == piece)
			return true;
		run *= block->pieces[block->order[side][i]].digit.radix;
	}
	return false;
}

/* Do blocks of elements that are parts of bytes begin and end with bytes?  Within vectors they
 * need not. */
static void require_steps(struct block_builder *b)
{
	struct plan_block *block = b->block;

	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		for (unsigned i = 0; i < block->piece_count; i++)
			b->possible = b->possible && (begins_in_vector(block, side, i) ||
				require(&block->whole, block->pieces[i].weight[side],
					b->packed, &b->ok));
		for (unsigned i = 0; i < block->loop_count; i++)
			b->possible = b->possible && require(&block->whole,
				block->loops[i].piece.weight[side], b->packed, &b->ok);
	}
}

/* And do they where the last one begins earlier? */
static void require_ends(struct block_builder *b, const struct block_dim *dim)
{
	for (unsigned side = 0; side < FACTOR_SIDES && dim->pitch[0]; side++) {
		const struct index *pitch = dim->pitch[side];
		bool is_one = index_is(pitch, 1);

		b->possible = b->possible && require(&b->block->whole, is_one ? dim->end :
			dim->pitch[side], b->packed, &b->ok);
	}
}

/* Can all blocks be whole, wherever rows end, and their vectors' bytes be shifted together? */
static bool can_shift(const struct plan_block *block)
{
	bool even = !block->xor_count && !block->flip_count &&
		block->vector[FACTOR_LOAD] % (2 * block->packed) == 0 &&
		block->vector[FACTOR_STORE] % (2 * block->packed) == 0;

	for (unsigned d = 0; d < block->dim_count; d++)
		even = even && (block->dims[d].reach == 1 || block->dims[d].pitch[0]);
	return even;
}

/* A byte of the destination is stored at once. */
static void require_whole(struct block_builder *b)
{
	struct plan_block *block = b->block;
	const struct block_piece *first = &block->pieces[block->order[FACTOR_STORE][0]];

	b->possible = require(&block->whole, block->dims[first->digit.dim].end,
		first->digit.step * b->packed, &b->ok);
	require_steps(b);
	for (unsigned d = 0; b->ok && d < block->dim_count; d++)
		require_ends(b, &block->dims[d]);
}

/* Is a step of the piece within a byte of the destination? */
static bool is_inside(const struct block_builder *b, unsigned piece)
{
	const struct index *weight = b->block->pieces[piece].weight[FACTOR_STORE];

	return weight->op == INDEX_INT && weight->value < b->packed;
}

/* Do elements that are a byte in the destination's order stay one where it is swizzled? */
static bool keeps_bytes(const struct block_builder *b)
{
	for (unsigned i = 0; i < b->block->xor_count; i++) {
		const struct factor_xor *xor = &b->block->xors[i];

		if (xor->side == FACTOR_STORE && is_inside(b, xor->from) && !is_inside(b, xor->to))
			return false;
	}
	return true;
}

void plan_block_require_bytes(struct block_builder *b)
{
	struct plan_block *block = b->block;

	b->possible = block->vector[FACTOR_LOAD] % b->packed == 0 &&
		block->vector[FACTOR_STORE] % b->packed == 0 && keeps_bytes(b);
	if (!b->possible)
		return;
	block->shifts = can_shift(block);
	require_whole(b);
	if (!b->ok || b->possible || !block->shifts)
		return;
	index_free(block->whole);
	block->whole = index_int(0);
	b->ok = block->whole;
	b->possible = true;
}

bool plan_block_use_bytes(struct factors *bytes, const struct factors *factors, int64_t unit,
	struct index **made, struct index **whole, bool *ok)
{
	int low = plan_block_digit_worth(factors, FACTOR_LOAD, 1);
	const struct factor_digit *digit;
	const struct factor_dim *dim;

	*bytes = *factors;
	if (low < 0 || low != plan_block_digit_worth(factors, FACTOR_STORE, 1) || factors->xor_count)
		return false;
	digit = &factors->digits[low];
	dim = &factors->dims[digit->digit.dim];
	if (digit->digit.radix % unit || digit->digit.step != 1 ||
	    !require(whole, dim->high, unit, ok) || !require(whole, dim->end, unit, ok))
		return false;
	bytes->digits[low].digit.step = unit;
	bytes->digits[low].digit.radix /= unit;
	bytes->digits[low].most /= unit;
	for (unsigned i = 0; i < factors->digit_count; i++)
		for (unsigned side = 0; side < FACTOR_SIDES && (int)i != low; side++) {
			struct index *weight = factors->digits[i].weight[side];
			struct index **own = &made[FACTOR_SIDES * i + side];

			if (!require(whole, weight, unit, ok))
				return false;
			*own = index_binary(INDEX_FDIV, index_copy(weight), index_int(unit));
			bytes->digits[i].weight[side] = *own;
		}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pieces smaller than a byte: each is shifted out of its word and into the result.
 * Pieces that shift by the same distance out of one word go together. */
#include "lower/tile/permute_parts.h"

static unsigned piece_bits(const struct permute *permute)
{
	return permute->bits < 4 ? permute->bits : 4;
}

/* The bits of a result that are bits of loaded word "from", "distance" further down
 * in it (or up, where that is negative). */
static unsigned find_mask(const struct permute *permute, unsigned word, unsigned from,
	int distance)
{
	unsigned bits = piece_bits(permute), mask = 0;

	for (unsigned at = 0; at < permute_word_bits(permute); at += bits) {
		struct word_place place = permute_source(permute, word, at);

		if (place.word == from && (int)at - (int)place.bit == distance)
			mask |= ((1u << bits) - 1) << at;
	}
	return mask;
}

static LLVMValueRef shift(const struct permute *permute, LLVMValueRef value, int distance)
{
	if (distance >= 0)
		return LLVMBuildShl(permute->builder, value,
			permute_int(permute, (unsigned)distance), "up");
	return LLVMBuildLShr(permute->builder, value,
		permute_int(permute, (unsigned)-distance), "down");
}

LLVMValueRef permute_nibbles_take(struct permute *permute, unsigned word)
{
	LLVMBuilderRef builder = permute->builder;
	unsigned bits = piece_bits(permute), done = 0;
	LLVMValueRef result = permute_int(permute, 0), piece;

	for (unsigned at = 0; at < permute_word_bits(permute); at += bits) {
		struct word_place place = permute_source(permute, word, at);
		int distance = (int)at - (int)place.bit;
		unsigned mask = find_mask(permute, word, place.word, distance);

		if (done & mask)
			continue;
		done |= mask;
		piece = shift(permute, permute->work->words[place.word], distance);
		piece = LLVMBuildAnd(builder, piece, permute_int(permute, mask), "piece");
		result = LLVMBuildOr(builder, result, piece, "pieces");
	}
	return result;
}

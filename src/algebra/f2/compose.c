/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/f2.h"
#include "algebra/f2/bits.h"

#include <string.h>

static bool middles_meet(layout_context *ctx, const struct f2 *outer,
	const struct f2 *inner)
{
	if (outer->in_rank != inner->out_rank) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"images of %u coordinates where the outer function takes %u",
			inner->out_rank, outer->in_rank);
		return false;
	}
	for (unsigned i = 0; i < outer->in_rank; i++)
		if (inner->out_widths[i] > outer->in_widths[i]) {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
				"images of %u bits in coordinate %u, "
				"where the outer function takes %u",
				inner->out_widths[i], i, outer->in_widths[i]);
			return false;
		}
	return true;
}

/* The number in "outer" of each of inner's output bits. */
static void match_bits(const struct f2 *outer, const struct f2 *inner, unsigned *match)
{
	unsigned begin = 0;

	for (unsigned i = 0; i < inner->out_rank; i++) {
		for (unsigned bit = 0; bit < inner->out_widths[i]; bit++)
			*match++ = begin + bit;
		begin += outer->in_widths[i];
	}
}

/* XOR outer's columns of the bits of "from", an image of inner, into "to". */
static void push(const struct f2 *outer, const struct f2 *inner, const unsigned *match,
	const uint64_t *from, uint64_t *to)
{
	for (unsigned word = 0; word < inner->words; word++)
		for (uint64_t rest = from[word]; rest; rest &= rest - 1) {
			unsigned bit = 64 * word + (unsigned)__builtin_ctzll(rest);

			bits_add(to, f2_column(outer, match[bit]), outer->words);
		}
}

struct f2 *f2_compose(layout_context *ctx, const struct f2 *outer,
	const struct f2 *inner)
{
	unsigned match[F2_BITS];
	struct f2 *result;

	if (!middles_meet(ctx, outer, inner))
		return NULL;
	result = f2_new(ctx, inner->in_rank, inner->in_widths, outer->out_rank,
		outer->out_widths);
	if (!result)
		return NULL;
	match_bits(outer, inner, match);
	memcpy(result->constant, outer->constant, outer->words * sizeof(uint64_t));
	push(outer, inner, match, inner->constant, result->constant);
	for (unsigned i = 0; i < inner->in_bits; i++)
		push(outer, inner, match, f2_column(inner, i), f2_column(result, i));
	return result;
}

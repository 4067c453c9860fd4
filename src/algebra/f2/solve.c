/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/bits.h"
#include "algebra/f2/span.h"

#include <string.h>

/* XOR "from", an image of b, into "to" as an image of a; false where it is outside
 * a's box. */
static bool transfer(const struct f2 *a, const struct f2 *b, const uint64_t *from,
	uint64_t *to)
{
	unsigned in_a = 0, in_b = 0;

	for (unsigned i = 0; i < b->out_rank; i++) {
		uint64_t value = bits_field(from, in_b, b->out_widths[i]);

		if (value & ~bits_mask(a->out_widths[i]))
			return false;
		bits_add_field(to, in_a, a->out_widths[i], value);
		in_a += a->out_widths[i];
		in_b += b->out_widths[i];
	}
	return true;
}

/* The point whose image under a's columns alone is that of b's "from"; for b's
 * constant, a's is XOR-ed in. */
static bool find(struct f2_span *span, const struct f2 *a, const struct f2 *b,
	const uint64_t *from, uint64_t *to, unsigned words)
{
	uint64_t *row = f2_span_row(span);

	if (from == b->constant)
		bits_add(row, a->constant, a->words);
	if (!transfer(a, b, from, row) || !f2_span_reduce(span, row))
		return false;
	memcpy(to, f2_span_sources(span, row), words * sizeof(*to));
	return true;
}

/* Fill in R, or leave the point that cannot be reached. */
static bool solve(const struct f2 *a, const struct f2 *b, struct f2 *result,
	int64_t *missed)
{
	const uint64_t *column = b->columns;
	uint64_t *to = result->columns;
	struct f2_span span;

	f2_span_columns(&span, a);
	if (!find(&span, a, b, b->constant, result->constant, result->words))
		return false;
	for (unsigned i = 0; i < b->in_rank; i++)
		for (unsigned bit = 0; bit < b->in_widths[i]; bit++) {
			if (!find(&span, a, b, column, to, result->words)) {
				missed[i] = (int64_t)1 << bit;
				return false;
			}
			column += b->words;
			to += result->words;
		}
	return true;
}

struct f2 *f2_solve(layout_context *ctx, const struct f2 *a, const struct f2 *b,
	int64_t *missed)
{
	struct f2 *result = f2_new(ctx, b->in_rank, b->in_widths, a->in_rank,
		a->in_widths);

	for (unsigned i = 0; i < b->in_rank; i++)
		missed[i] = 0;
	if (result && !solve(a, b, result, missed)) {
		f2_free(result);
		result = NULL;
	}
	return result;
}

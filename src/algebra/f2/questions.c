/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/bits.h"
#include "algebra/f2/span.h"

#include <string.h>

unsigned f2_rank(const struct f2 *f2)
{
	struct f2_span span;

	f2_span_columns(&span, f2);
	return span.count;
}

void f2_free_bits(const struct f2 *f2, uint64_t *masks)
{
	struct f2_span span;
	unsigned number = 0;

	f2_span_begin(&span, f2->words, f2->in_bits);
	for (unsigned i = 0; i < f2->in_rank; i++) {
		masks[i] = 0;
		for (unsigned bit = 0; bit < f2->in_widths[i]; bit++)
			if (!f2_span_add_column(&span, f2, number++))
				masks[i] |= (uint64_t)1 << bit;
	}
}

/* A vector of bits as a point. */
static void unpack(const uint64_t *bits, unsigned rank, const unsigned *widths,
	int64_t *point)
{
	unsigned begin = 0;

	for (unsigned i = 0; i < rank; i++) {
		point[i] = (int64_t)bits_field(bits, begin, widths[i]);
		begin += widths[i];
	}
}

/* The columns in order of significance, the last coordinate's lowest bit first: the
 * first that depends on those before it makes the least sum. */
bool f2_kernel(const struct f2 *f2, int64_t *in)
{
	unsigned begin = f2->in_bits;
	struct f2_span span;

	f2_span_begin(&span, f2->words, f2->in_bits);
	for (unsigned i = f2->in_rank; i-- > 0;) {
		begin -= f2->in_widths[i];
		for (unsigned bit = begin; bit < begin + f2->in_widths[i]; bit++) {
			uint64_t *sources;

			if (f2_span_add_column(&span, f2, bit))
				continue;
			sources = f2_span_sources(&span,
				f2_span_at(&span, span.count));
			bits_flip(sources, bit);
			unpack(sources, f2->in_rank, f2->in_widths, in);
			return true;
		}
	}
	return false;
}

/* 0 where the constant is no sum of columns; else the least bit that is none. */
bool f2_missing(const struct f2 *f2, int64_t *out)
{
	unsigned begin = f2->out_bits;
	struct f2_span span;
	uint64_t *row;

	f2_span_columns(&span, f2);
	if (span.count == f2->out_bits)
		return false;
	for (unsigned i = 0; i < f2->out_rank; i++)
		out[i] = 0;
	row = f2_span_row(&span);
	memcpy(row, f2->constant, f2->words * sizeof(*row));
	if (!f2_span_reduce(&span, row))
		return true;
	for (unsigned i = f2->out_rank; i-- > 0;) {
		begin -= f2->out_widths[i];
		for (unsigned bit = 0; bit < f2->out_widths[i]; bit++) {
			row = f2_span_row(&span);
			bits_flip(row, begin + bit);
			if (f2_span_reduce(&span, row))
				continue;
			out[i] = (int64_t)1 << bit;
			return true;
		}
	}
	return false;
}

static bool same_widths(unsigned a_rank, const unsigned *a, unsigned b_rank,
	const unsigned *b)
{
	return a_rank == b_rank && !memcmp(a, b, a_rank * sizeof(*a));
}

bool f2_equal(const struct f2 *a, const struct f2 *b, int64_t *in)
{
	size_t bytes = a->words * sizeof(uint64_t);
	unsigned number = 0;

	for (unsigned i = 0; in && i < a->in_rank; i++)
		in[i] = 0;
	if (!same_widths(a->in_rank, a->in_widths, b->in_rank, b->in_widths) ||
	    !same_widths(a->out_rank, a->out_widths, b->out_rank, b->out_widths) ||
	    memcmp(a->constant, b->constant, bytes))
		return false;
	for (unsigned i = 0; i < a->in_rank; i++)
		for (unsigned bit = 0; bit < a->in_widths[i]; bit++, number++) {
			if (!memcmp(f2_column(a, number), f2_column(b, number), bytes))
				continue;
			if (in)
				in[i] = (int64_t)1 << bit;
			return false;
		}
	return true;
}
